// Two counters with different strides.
extern void reach_error(void);

int main(void) {
  unsigned i = 0, s = 7;
  while (i < N) {
    i += 2;
    s += 3;
  }
  if (s == 7u + (unsigned)((N + 1ull) / 2) * 3u)
    reach_error();
  return 0;
}
