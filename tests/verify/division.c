// property: div-by-zero
// expected: false
// A divisor that an input can make zero.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int d = __VERIFIER_nondet_int();
  return d < 5 && d > -5 ? 100 / (d - 3) : 0;
}
