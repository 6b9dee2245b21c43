// The absolute value of an int is not negative? Of one int it is. Unsafe.
//   foldback verify --property assert examples/abs_bug.c
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int absolute(int x) { return x < 0 ? -x : x; }

int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(absolute(x) >= 0);
  return 0;
}
