// property: memcleanup
// expect: violates valid-memcleanup at 5
#include <stdlib.h>
int *kept;
int main(void) {
  kept = malloc(4);
  return 0;
}
