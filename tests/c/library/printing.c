/* printf conversions, flags, widths; sprintf and snprintf; puts and putchar. */
#include <stdio.h>
#include <string.h>

int main(void) {
  printf("%d|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|\n", 42, 42, 42, 42, 42, 42, 7, 7);
  printf("%u|%x|%X|%o|%#x|%#o|%08x|\n", 4000000000u, 255, 255, 8, 255, 8, 0xabc);
  printf("%hd|%hhd|%hu|%hhu|\n", 70000, 300, 70000, 300);
  printf("%ld|%lu|%lld|%llu|%llx|\n", -5L, 5UL, -1234567890123LL, 18446744073709551615ULL, 0xdeadbeefcafeULL);
  printf("%zu|%td|%jd|\n", sizeof(int), (char *)3 - (char *)1, (__INTMAX_TYPE__)-9);
  printf("%c|%3c|%-3c|%%|\n", 'a', 'b', 'c');
  printf("%s|%6s|%-6s|%.2s|%*s|%-*s|%.*s|\n", "abc", "abc", "abc", "abcdef", 5, "x", 5, "y", 1, "zz");
  printf("%d%s", 1, "\n");
  printf("plain\n");
  printf("%s\n", "percent % inside");
  printf("%i %d\n", -2147483647 - 1, 0);
  printf("%p\n", (void *)0);
  puts("puts");
  putchar('p');
  putchar('\n');
  fputs("fputs\n", stdout);
  fprintf(stdout, "fprintf %d\n", 3);
  fprintf(stderr, "not on standard output %d %s\n", 4, "x");
  char b[64], small[6];
  int n = sprintf(b, "%d-%s-%c-%05x", -12, "mid", 'c', 0xfe);
  printf("%s %d\n", b, n);
  n = snprintf(small, sizeof small, "%s", "truncated");
  printf("%s %d\n", small, n);
  n = snprintf(0, 0, "%d%%", 100);
  printf("%d\n", n);
  sprintf(b + strlen(b), "+%s", "more");
  puts(b);
  sprintf(b, "%-6d|%+d|%#x|%#o|%.3d|%6.2s|%lld|%hhu", 5, 5, 255, 8, 7, "abc", -5000000000LL, 258);
  puts(b);
  return 0;
}
