// property: memsafety
// expect: violates valid-free at 6
#include <stdlib.h>
int main(void) {
  int x;
  free(&x);
  return 0;
}
