// property: memcleanup
// expect: violates valid-memcleanup at 7
#include <stdlib.h>
int *kept;
int main(void) {
  kept = malloc(4);
  return 0;
}
