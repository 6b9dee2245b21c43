// property: unreach-call
// expected: true
// A counter and its bound: the invariant is i <= n.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0;
  while (i < n) i++;
  if (i != n) reach_error();
}
