// property: no-overflow
// expected: true
// The sum of two numbers that were checked.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a < -1000 || a > 1000 || b < -1000 || b > 1000) return 0;
  return a + b;
}
