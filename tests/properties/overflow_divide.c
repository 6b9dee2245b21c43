// property: no-overflow
// expect: violates no-overflow at 6
#include <limits.h>
int main(void) {
  int x = INT_MIN, y = -1;
  return x / y;
}
