// property: termination
// expected: false
// A counter that stays at zero.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  while (n < 10) n = n < 0 ? 0 : n;
}
