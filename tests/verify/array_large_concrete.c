// property: assert
// expected: false
// Large arrays between inputs: a stretch that asks for nothing ends in a state that an execution has.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int a[70000], b[300];
int main(void) {
  int i;
  for (i = 0; i < 70000; i++) a[i] = 7;
  unsigned m = __VERIFIER_nondet_uint();
  for (i = 0; i < 300; i++) b[i] = i * 3;
  for (i = 1; i < 300; i++) b[i] += b[i - 1];
  if (m == b[299]) assert(a[69999] == 0);
}
