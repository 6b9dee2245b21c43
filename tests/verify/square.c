// property: unreach-call
// expected: true
// The sum of odd numbers is a square.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uchar(), sum = 0, i = 0;
  for (; i < n; i++) sum += 2 * i + 1;
  if (sum != n * n) reach_error();
}
