// property: no-overflow
// expect: violates no-overflow at 6
#include <limits.h>
int main(void) {
  long long x = LLONG_MAX;
  x++;
  return 0;
}
