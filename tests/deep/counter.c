// A counter, one step at a time.
extern void reach_error(void);

int main(void) {
  unsigned i = 0;
  while (i < N)
    i++;
  if (i == N)
    reach_error();
  return 0;
}
