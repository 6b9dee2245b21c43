// What C leaves open and gcc on x86 does: shifts by too much, floats that do not fit an integer, wrap-around.
#include <stdio.h>

static int limit(void) { return 2147483647; }
static double large(void) { return 1e20; }

int main(void) {
  volatile int distance = 33, minus = -2147483647 - 1;
  int n = 5, negative = -5;
  printf("%d %d %u\n", n << distance, negative >> distance, (unsigned)n >> distance);
  printf("%d %d %d\n", (int)large(), (int)-large(), (int)(large() - large() / 3));
  printf("%d %d\n", (signed char)large(), (short)(large() / 1e14));
  printf("%lld %llu\n", (long long)large(), (unsigned long long)(large() / 10));
  printf("%d %d %d\n", limit() + distance, limit() * 3, -minus);
  return 0;
}
