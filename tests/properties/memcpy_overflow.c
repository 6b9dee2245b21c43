// property: memsafety
// expect: violates valid-deref at 7
#include <string.h>
int main(void) {
  int a[3] = {0}, b[4] = {0};
  memcpy(a, b, 12);
  memcpy(a, b, 16);
  return 0;
}
