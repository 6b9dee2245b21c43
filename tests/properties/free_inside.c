// property: memsafety
// expect: violates valid-free at 6
#include <stdlib.h>
int main(void) {
  char *p = malloc(4);
  free(p + 1);
  return 0;
}
