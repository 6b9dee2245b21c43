/* stdlib.h and ctype.h against the real ones. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
struct item { char name; int weight; };
static int by_weight(const void *a, const void *b) {
  return ((const struct item *)a)->weight - ((const struct item *)b)->weight;
}

int main(void) {
  char *end;
  printf("%d %d %d %d %d\n", atoi("42"), atoi("  -17x"), atoi("+5"), atoi("x"), atoi(""));
  printf("%ld %ld %ld\n", strtol("0x1fz", &end, 0), strtol("077", 0, 0), strtol("zz", 0, 36));
  printf("%c\n", *end);
  printf("%ld ", strtol("0xg", &end, 16));
  printf("%d\n", *end);
  errno = 0;
  printf("%d", strtol("99999999999999999999", &end, 10) == LONG_MAX);
  printf(" %d %d\n", errno == ERANGE, *end);
  printf("%d %lu\n", strtol("-99999999999999999999", 0, 10) == LONG_MIN, strtoul("-1", 0, 10) == ULONG_MAX ? 1ul : 0ul);
  printf("%lld %llu\n", strtoll("-9223372036854775808", 0, 10), strtoull("18446744073709551615", 0, 10));
  printf("%lld %ld\n", atoll("123456789012"), atol("-5"));
  printf("%.3f %.3f %.6f\n", atof("3.25"), strtod("-1e3rest", &end), atof(".5e-2"));
  printf("%s\n", end);
  printf("%d %ld %lld\n", abs(-5), labs(-6L), llabs(-7LL));
  div_t d = div(-7, 2);
  ldiv_t l = ldiv(100, 7);
  printf("%d %d %ld %ld\n", d.quot, d.rem, l.quot, l.rem);
  int v[] = {5, 3, 9, 1, 7, 3};
  qsort(v, 6, sizeof *v, by_value);
  for (int i = 0; i < 6; i++)
    printf("%d ", v[i]);
  int key = 7, missing = 4;
  printf("%d %d\n", (int)((int *)bsearch(&key, v, 6, sizeof *v, by_value) - v),
         bsearch(&missing, v, 6, sizeof *v, by_value) == 0);
  struct item items[] = {{'a', 3}, {'b', 1}, {'c', 2}};
  qsort(items, 3, sizeof *items, by_weight);
  printf("%c%c%c\n", items[0].name, items[1].name, items[2].name);
  for (int c = -1; c < 256; c++)
    printf("%d%d%d%d%d%d%d%d%d%d%d%d ", !!isalpha(c), !!isdigit(c), !!isalnum(c), !!isspace(c), !!isupper(c), !!islower(c),
           !!ispunct(c), !!isprint(c), !!isgraph(c), !!iscntrl(c), !!isxdigit(c), !!isblank(c));
  printf("\n");
  for (int c = 0; c < 128; c++)
    printf("%d %d ", toupper(c), tolower(c));
  printf("\n");
  return EXIT_SUCCESS;
}
