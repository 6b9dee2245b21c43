// Even and odd iterations go different ways: neither way can be taken twice in a row.
extern void reach_error(void);

int main(void) {
  unsigned i = 0, a = 0, b = 0;
  while (i < N) {
    if (i % 2)
      a++;
    else
      b += 3;
    i++;
  }
  if (a == N / 2)
    reach_error();
  return 0;
}
