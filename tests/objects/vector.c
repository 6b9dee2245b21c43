// property: valid-deref
/* A vector that grows by doubling.
   BUG: it grows too late. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

#ifdef BUG
#define LATE 1
#else
#define LATE 0
#endif

int main(void) {
  int *a = NULL;
  size_t n = 0, cap = 0;
  while (__VERIFIER_nondet_int()) {
    if (n == cap + LATE) {
      size_t c = cap ? 2 * cap : 4;
      int *b = realloc(a, c * sizeof *b);
      if (!b)
        break;
      a = b;
      cap = c;
    }
    a[n++] = 1;
  }
  free(a);
  return 0;
}
