// property: unreach-call
// expected: true
// Every cell below the index was set.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int a[8];
int main(void) {
  unsigned k = __VERIFIER_nondet_uint();
  for (unsigned i = 0; i < 8; i++) a[i] = 3;
  if (k < 8 && a[k] != 3) reach_error();
}
