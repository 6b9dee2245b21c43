/* string.h against the real one. */
#include <stdio.h>
#include <string.h>

static int sign(int x) { return (x > 0) - (x < 0); }
static int at(const char *base, const char *p) { return p ? (int)(p - base) : -1; }

int main(void) {
  char b[40] = "hello", c[40];
  const char *t = "the cat sat on the mat";
  printf("%d %d %d\n", (int)strlen(b), (int)strlen(""), (int)strnlen("abcdef", 3));
  printf("%s ", strcpy(c, b));
  printf("%s\n", strcat(c, " world"));
  printf("%s\n", strncat(c, "!!!!", 2));
  memset(c, 'x', sizeof c);
  strncpy(c, "ab", 5);
  for (int i = 0; i < 7; i++)
    printf("%d ", c[i]);
  printf("\n%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("x", "x"), sign(strcmp("ab", "a")));
  printf("%d %d %d\n", sign(strcmp("\xff", "a")), strncmp("abcd", "abxx", 2), sign(strncmp("abcd", "abxx", 3)));
  printf("%d %d\n", sign(strcasecmp("HeLLo", "hello")), sign(strncasecmp("ABx", "aby", 3)));
  printf("%d %d %d %d\n", at(t, strchr(t, 'c')), at(t, strrchr(t, 't')), at(t, strchr(t, 'z')), at(t, strchr(t, 0)));
  printf("%d %d %d\n", at(t, strstr(t, "the m")), at(t, strstr(t, "")), at(t, strstr(t, "dog")));
  printf("%d %d %d\n", (int)strspn(t, "eht "), (int)strcspn(t, "s"), at(t, strpbrk(t, "ms")));
  char tokens[] = ",a,,bc,d,";
  for (char *s = strtok(tokens, ","); s; s = strtok(0, ","))
    printf("[%s]", s);
  char more[] = "k=v;k2=v2", *save;
  for (char *s = strtok_r(more, ";", &save); s; s = strtok_r(0, ";", &save))
    printf("<%s>", s);
  printf("\n%d %d %d\n", sign(memcmp("abc", "abd", 3)), memcmp("abc", "abd", 2), at(t, memchr(t, 'o', 22)));
  memcpy(b, "0123456789", 11);
  memmove(b + 2, b, 5);
  printf("%s\n", b);
  memmove(b, b + 3, 5);
  printf("%s\n", b);
  memset(b, '-', 3);
  printf("%s ", b);
  printf("%d\n", at(b, stpcpy(b, "xyz")));
  char *d = strdup("dup"), *n = strndup("duplicate", 4);
  printf("%s %s\n", d, n);
  return 0;
}
