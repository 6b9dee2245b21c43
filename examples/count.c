// A loop that counts to n: its two counters stay equal. Safe.
//   foldback verify examples/count.c
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned i = 0, steps = 0;
  while (i < n) {
    i++;
    steps++;
  }
  if (steps != n)
    reach_error();
  return 0;
}
