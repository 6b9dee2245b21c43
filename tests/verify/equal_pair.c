// property: assert
// expected: true
// Two counters that stay equal.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) {
    if (x == 1000) break;
    x++;
    y++;
  }
  assert(x == y);
}
