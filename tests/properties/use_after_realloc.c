// property: memsafety
// expect: violates valid-deref at 8
#include <stdlib.h>
int main(void) {
  char *p = malloc(4);
  char *q = realloc(p, 8);
  q[7] = 1;
  p[0] = 1;
  free(q);
  return 0;
}
