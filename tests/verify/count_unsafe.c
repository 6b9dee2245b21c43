// property: unreach-call
// expected: false
// The same with a step of two: odd bounds are passed over.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0;
  if (n > 9) return 0;
  while (i < n) i += 2;
  if (i != n) reach_error();
}
