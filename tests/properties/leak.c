// property: memsafety
// expect: violates valid-memtrack at 4
#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  p = 0;
  return 0;
}
