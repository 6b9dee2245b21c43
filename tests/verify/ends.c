// property: termination
// expected: true
// A counter that goes down.
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  while (n > 0) n--;
}
