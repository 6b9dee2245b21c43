// property: memsafety
// expected: false
// One past the end.
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  int a[4], s = 0;
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 4) return 0;
  for (unsigned i = 0; i <= n; i++) a[i] = 1;
  return s;
}
