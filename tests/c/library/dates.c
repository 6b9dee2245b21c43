/* Dates in UTC, and their texts. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(void) {
  static const int times[] = {0, 86399, 86400, 951782400, 951868800, 1078012800, 2147483647, -1, -86401, -2147483647};
  char text[128];
  for (unsigned i = 0; i < sizeof times / sizeof *times; i++) {
    time_t t = times[i];
    struct tm *d = gmtime(&t);
    printf("%d-%d-%d %d:%d:%d %d %d %d\n", d->tm_year, d->tm_mon, d->tm_mday, d->tm_hour, d->tm_min, d->tm_sec,
           d->tm_wday, d->tm_yday, d->tm_isdst);
    printf("%s", asctime(d));
    size_t n = strftime(text, sizeof text, "%a %A %b %B %d %e %H %I %j %m %M %p %S %u %U %w %W %y %Y %G %V %% %F %T", d);
    printf("%zu %s\n", n, text);
    printf("%d\n", timegm(d) == t);
  }
  struct tm odd = {.tm_year = 100, .tm_mon = 14, .tm_mday = -3, .tm_hour = 30};
  time_t t = timegm(&odd);
  printf("%ld %d %d %d\n", (long)t, odd.tm_mon, odd.tm_mday, odd.tm_hour);
  struct tm read;
  memset(&read, 0, sizeof read);
  char *end = strptime("2024-02-29 12:34:56 rest", "%Y-%m-%d %H:%M:%S", &read);
  printf("%s %d %d %d %d\n", end, read.tm_year, read.tm_yday, read.tm_wday, read.tm_sec);
  printf("%d %g\n", strptime("x", "%Y", &read) == 0, difftime(10, 3));
  printf("%zu\n", strftime(text, 3, "%Y", &odd));
  return 0;
}
