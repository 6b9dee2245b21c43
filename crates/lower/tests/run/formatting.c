// lp64
/* Formatted output into strings: by a literal format, which has a function of its own, and by one that is read when the
   program runs. Both write as glibc does. */
#include <stdio.h>
#include <string.h>

static char out[64];

/* What is written, and what stands behind it. */
static void show(int length) {
  printf("%d <%s> %c\n", length, out, out[strlen(out) + 1]);
  memset(out, '~', 40);
}

#define WRITE(...)                              \
  do {                                          \
    show(sprintf(out, __VA_ARGS__));            \
    show(snprintf(out, 0, __VA_ARGS__));        \
    show(snprintf(out, 1, __VA_ARGS__));        \
    show(snprintf(out, 5, __VA_ARGS__));        \
    show(snprintf(out, 40, __VA_ARGS__));       \
    show(sprintf(out, LATE(__VA_ARGS__, 0)));   \
    show(snprintf(out, 5, LATE(__VA_ARGS__, 0))); \
  } while (0)

static const char *late;
#define LATE(format, ...) (late = format, late), __VA_ARGS__

int main(void) {
  memset(out, '~', 40);
  long l = -70000L;
  unsigned char c = 100;
  short s = -3;
  WRITE("", 0);
  WRITE("abc", 0);
  WRITE("a text that is put by a loop", 0);
  WRITE("100%% of it", 0);
  WRITE("%d", 0);
  WRITE("%d", -2147483647 - 1);
  WRITE("%i,%u", -5, 4000000000u);
  WRITE("%5d|%-5d|%05d", 42, 42, 42);
  WRITE("%+d % d %+d", 7, 7, -7);
  WRITE("%.3d %.0d %.d %8.3d", 7, 0, 0, -7);
  WRITE("%*d %-*d|%*d", 4, 1, 4, 2, -4, 3);
  WRITE("%.*d %.*d", 3, 1, -3, 2);
  WRITE("%x %X %#x %#X %#o %o", 255, 255, 255, 255, 8, 8);
  WRITE("%#x %#o", 0, 0);
  WRITE("%ld %lu", l, (unsigned long)c);
  WRITE("%lld %llx", -1LL, 0x123456789abcdefULL);
  WRITE("%hd %hhd %hu %hhu", s, c, 70000, 300);
  WRITE("%zu %zd %td %jd", sizeof(int), (size_t)3, (char *)out - (char *)out, (long long)5);
  WRITE("%c%c%3c|%-3c|", 'a', c, 'b', 'c');
  WRITE("%s and %s", "one", "two");
  WRITE("%5s|%-5s|%.2s|%5.1s", "abc", "abc", "abc", "abc");
  WRITE("%.*s|%*s", 2, "abcd", 6, "ef");
  WRITE("%s", (char *)0);
  WRITE("k=%d;v=%s;", 12, "x");
  WRITE("%d", 1, 2, 3);
  return 0;
}
