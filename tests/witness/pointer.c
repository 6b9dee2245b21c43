// Invariants about memory, a `for` with its own variable, a `do` loop, and a function with two activations.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int cells[8];

static void fill(int *p, int n, int value) {
  for (int i = 0; i < n; i++)
    p[i] = value;
}

int main(void) {
  int n = 0, rounds = 0;
  fill(cells, 4, 7);
  fill(cells + 4, 4, 7);
  do {
    rounds = n;
    if (n < 100)
      n++;
  } while (__VERIFIER_nondet_int());
  if (cells[3] + cells[7] != 14 || n > 100 || rounds > n)
    reach_error();
  return 0;
}
