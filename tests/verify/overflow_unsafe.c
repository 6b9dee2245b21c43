// property: no-overflow
// expected: false
// Halfway between two numbers, the wrong way.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (low < 0 || high < low) return 0;
  return (low + high) / 2;
}
