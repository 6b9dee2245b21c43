// property: memsafety
// expect: violates valid-memtrack at 7
#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  p = 0;
  return 0;
}
