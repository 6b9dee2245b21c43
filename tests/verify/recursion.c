// property: unreach-call
// expected: true
// Recursion without a bound, with a contract: the result is at least the argument.
extern void reach_error(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
static unsigned sum(unsigned n) { return n == 0 ? 0 : n + sum(n - 1); }
int main(void) {
  unsigned n = __VERIFIER_nondet_ushort() % 4;
  if (sum(n) < n) reach_error();
}
