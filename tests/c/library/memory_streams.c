/* Streams in memory: modes, positions, what waits and when it is written, ends and errors. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

static char memory[16];

static void show(const char *what) {
  printf("%s:", what);
  for (int i = 0; i < 16; i++)
    printf(" %d", memory[i]);
  printf("\n");
}

static void state(FILE *f) {
  int ended = feof(f) != 0, failed = ferror(f) != 0;
  int reading = __freading(f) != 0, writing = __fwriting(f) != 0;
  int pending = (int)__fpending(f);
  long at = ftell(f);
  printf("  at %ld ended %d failed %d reading %d writing %d pending %d\n", at, ended, failed, reading, writing, pending);
}

static void rest(FILE *f) {
  int c;
  while ((c = fgetc(f)) != EOF)
    printf(" %d", c);
  printf("\n");
}

static void reads(void) {
  memset(memory, 'z', 16);
  strcpy(memory, "a\nc");
  FILE *f = fmemopen(memory, 16, "r");
  if (!f)
    return;
  state(f);
  char line[8];
  printf("%d", fgets(line, 8, f) == line);
  printf(" %s", line);
  state(f);
  rest(f);
  state(f);
  int r = fseek(f, -2, SEEK_END);
  printf("seek %d\n", r);
  state(f);
  r = fgetc(f);
  printf("%d\n", r);
  errno = 0;
  r = fseek(f, 3, SEEK_CUR);
  printf("seek %d errno %d\n", r, errno);
  errno = 0;
  r = fputc('x', f);
  printf("put %d errno %d\n", r, errno);
  state(f);
  clearerr(f);
  state(f);
  char block[20];
  rewind(f);
  r = (int)fread(block, 2, 3, f);
  printf("read %d %d %d\n", r, block[0], block[5]);
  r = (int)fread(block, 4, 4, f);
  printf("read %d\n", r);
  printf("close %d\n", fclose(f));
}

static void writes(const char *mode, int size, const char *text) {
  memset(memory, 'q', 15);
  memory[15] = 0;
  if (mode[0] == 'a' || mode[0] == 'r')
    memory[3] = 0;
  FILE *f = fmemopen(memory, (size_t)size, mode);
  if (!f)
    return;
  printf("%s %d %s\n", mode, size, text);
  show("opened");
  if (mode[0] != 'a')
    state(f);
  int r = fputs(text, f);
  printf("fputs %d\n", r);
  show("waiting");
  if (mode[0] != 'a')
    state(f);
  errno = 0;
  r = fflush(f);
  printf("fflush %d errno %d\n", r, errno);
  show("flushed");
  state(f);
  r = fseek(f, 1, SEEK_SET);
  printf("seek %d\n", r);
  state(f);
  if (mode[1] == '+') {
    rest(f);
    state(f);
  } else {
    errno = 0;
    r = fgetc(f);
    printf("get %d errno %d\n", r, errno);
    state(f);
  }
  rewind(f);
  r = (int)fwrite("123", 1, 3, f);
  printf("fwrite %d %d\n", r, fprintf(f, "<%d>", 7));
  printf("close %d\n", fclose(f));
  show("closed");
}

int main(void) {
  reads();
  writes("w", 16, "hello");
  writes("w+", 16, "hello");
  writes("w", 4, "hello");
  writes("w+", 4, "hello");
  writes("w", 5, "hello");
  writes("w+", 5, "hello");
  writes("w+", 6, "hello");
  writes("w+", 16, "");
  writes("r+", 16, "ab");
  writes("r+", 3, "ab");
  writes("r+", 2, "abc");
  writes("a", 16, "ab");
  writes("a+", 16, "ab");
  writes("a+", 5, "ab");
  writes("a+", 4, "ab");
  writes("a+", 3, "ab");
  errno = 0;
  FILE *f = fmemopen(memory, 8, "x");
  printf("%d %d\n", f == 0, errno);
  return 0;
}
