// property: memsafety
// expected: true
// A block that is used and freed.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar() % 4 + 1;
  int *p = malloc(n * sizeof(int));
  if (!p) return 1;
  p[n - 1] = n;
  free(p);
}
