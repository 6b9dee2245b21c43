// Files that the program has made itself: written, read back, appended to, renamed and removed.
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void show(const char *name) {
  FILE *f = fopen(name, "r");
  if (f == NULL) {
    printf("%s: none, %d\n", name, errno == ENOENT);
    return;
  }
  int c, count = 0;
  while ((c = fgetc(f)) != EOF) {
    putchar(c < ' ' ? '.' : c);
    count++;
  }
  printf(" (%d, %d, %d)\n", count, feof(f) != 0, ferror(f) != 0);
  fclose(f);
}

int main(void) {
  char line[16];
  remove("foldback-one");
  remove("foldback-two");
  show("foldback-one");
  FILE *f = fopen("foldback-one", "w");
  if (f == NULL)
    return 1;
  printf("%d\n", (int)fwrite("hello\nworld\n", 1, 12, f));
  fprintf(f, "%d %s\n", 42, "text");
  fputs("end", f);
  printf("%ld\n", ftell(f));
  printf("%d\n", fclose(f));
  show("foldback-one");
  f = fopen("foldback-one", "a");
  fputc('!', f);
  fclose(f);
  f = fopen("foldback-one", "r");
  while (fgets(line, sizeof line, f) != NULL)
    printf("[%s]", line);
  printf("\n%d\n", fgetc(f));
  fseek(f, 6, SEEK_SET);
  printf("%d", (int)fread(line, 2, 2, f));
  line[4] = 0;
  printf(" %s %ld\n", line, ftell(f));
  fseek(f, -2, SEEK_END);
  printf("%c\n", getc(f));
  rewind(f);
  printf("%c\n", getc(f));
  fclose(f);
  f = fopen("foldback-one", "r+");
  fseek(f, 20, SEEK_SET);
  printf("%d\n", fputc('X', f));
  fseek(f, 0, SEEK_SET);
  printf("%c\n", fgetc(f));
  fclose(f);
  show("foldback-one");
  printf("%d\n", rename("foldback-one", "foldback-two"));
  show("foldback-one");
  show("foldback-two");
  printf("%d\n", remove("foldback-two"));
  printf("%d\n", remove("foldback-two"));
  show("foldback-two");
  return 0;
}
