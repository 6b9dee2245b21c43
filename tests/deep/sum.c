// A sum of all numbers below N: a quadratic closed form.
extern void reach_error(void);

int main(void) {
  unsigned long long i = 0, s = 0;
  while (i < N) {
    s += i;
    i++;
  }
  if (s == (unsigned long long)N * (N - 1ull) / 2)
    reach_error();
  return 0;
}
