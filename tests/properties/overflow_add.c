// property: no-overflow
// expect: violates no-overflow at 7
#include <limits.h>
int main(void) {
  unsigned u = UINT_MAX;
  int x = INT_MAX;
  return (int)(u + 1) + (x + 1 < 0);
}
