// A loop inside a loop.
extern void reach_error(void);

int main(void) {
  unsigned s = 0;
  for (unsigned i = 0; i < N / 10; i++)
    for (unsigned j = 0; j < 10; j++)
      s++;
  if (s == N / 10 * 10)
    reach_error();
  return 0;
}
