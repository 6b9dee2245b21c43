// property: memsafety
// expect: violates valid-deref at 8
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof(int));
  *p = 3;
  free(p);
  return *p;
}
