// property: no-overflow
// expect: ok
#include <limits.h>
int main(void) {
  unsigned u = UINT_MAX;
  u += 5;
  short s = SHRT_MAX;
  s++;
  signed char c = (signed char)200;
  int x = INT_MAX - 1;
  x++;
  long long l = (long long)x + 1;
  unsigned char b = 255;
  b++;
  int neg = -INT_MAX;
  return (int)(u + s + c + b + (unsigned)(l > 0) + (unsigned)(neg < 0)) != 0 && 0;
}
