// property: assert
// expected: false
// Only two decisions together lead to the violation.
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int x = 0;
  if (__VERIFIER_nondet_bool()) x += 3;
  if (__VERIFIER_nondet_bool()) x *= 2;
  assert(x != 6);
}
