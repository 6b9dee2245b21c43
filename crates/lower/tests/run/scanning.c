// lp64
/* Formatted input of texts: by a literal format, which has a function of its own, and by one that is read when the program
   runs. Both read as glibc does. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

static union {
  char text[24];
  long long number;
  double floating;
} one, two;

static void show(const char *how, int result) {
  int is_out_of_range = errno == ERANGE;
  printf("%s %d:", how, result);
  for (int i = 0; i < 9; i++)
    printf(" %02x", (unsigned char)one.text[i]);
  printf(" /");
  for (int i = 0; i < 9; i++)
    printf(" %02x", (unsigned char)two.text[i]);
  printf(" %d\n", is_out_of_range);
  memset(&one, 0x5a, sizeof one);
  memset(&two, 0x5a, sizeof two);
  errno = 0;
}

#define READ(text, format)                                          \
  do {                                                              \
    const char *late = format;                                      \
    printf("%s\n", text);                                           \
    show(format, sscanf(text, format, (void *)&one, (void *)&two)); \
    show("late", sscanf(text, late, (void *)&one, (void *)&two));   \
  } while (0)

int main(void) {
  memset(&one, 0x5a, sizeof one);
  memset(&two, 0x5a, sizeof two);
  READ("12 34", "%d %d");
  READ("12 34", "%d%d");
  READ("  12,34", "%d,%d");
  READ("12 ,34", "%d,%d");
  READ("12;34", "%d,%d");
  READ("", "%d%d");
  READ("   ", "%d%d");
  READ("x", "%d%d");
  READ("7", "%d%d");
  READ("-7+8", "%d%d");
  READ("- 7", "%d%d");
  READ("99999999999 1", "%d %d");
  READ("99999999999999999999 -99999999999999999999", "%ld %ld");
  READ("99999999999999999999", "%lu");
  READ("300 -1", "%hhd %hu");
  READ("300 70000", "%hhu %hd");
  READ("123456", "%2d%3d");
  READ("-123", "%2d%1d");
  READ("0x1f 0x1F", "%x %X");
  READ("1f 0x1f", "%i %i");
  READ("0x1f 017", "%i %i");
  READ("017 9", "%o %o");
  READ("089", "%i%i");
  READ("123456789012", "%lld");
  READ("5 6", "%*d %d");
  READ("5 6 7", "%d %*d %d");
  READ("ab cd", "%s %s");
  READ("  ab", "%s%s");
  READ("abcdef", "%3s%s");
  READ("abc", "%c%c");
  READ(" a", "%c%c");
  READ(" a b", " %c %c");
  READ("ab", "%*c%c");
  READ("key=value", "%[^=]=%s");
  READ("key=value", "%3[a-z]=%5[a-z]");
  READ("key=value", "%2[a-z]=%5[a-z]");
  READ("a-b]c", "%[]ab-]%s");
  READ("a]b", "%[^]]%s");
  READ("AbC9x", "%[A-Za-z0-8]%s");
  READ("9x", "%[a-z]");
  READ("100% 7", "%d%% %d");
  READ("100 % 7", "%d%%%d");
  READ("100x 7", "%d%% %d");
  READ("a\tb\n c", "a b%c%c");
  READ("12", "12%c");
  READ("13", "12%c");
  READ("12:34:56", "%2d:%2d");
  READ("12 34", "%d %n");
  READ("ab12", "%2c%d");
  READ("z=1", "z=%td");
  READ("z=1", "z=%zu");
  READ("4 5", "%jd %td");
  return 0;
}
