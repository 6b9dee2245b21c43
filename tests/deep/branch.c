// The input decides in every iteration which counter moves.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned i = 0, a = 0, b = 0;
  while (i < N) {
    if (__VERIFIER_nondet_int())
      a++;
    else
      b++;
    i++;
  }
  if (a == N - 3 && b == 3)
    reach_error();
  return 0;
}
