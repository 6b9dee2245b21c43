// The loop ends when the counter is met exactly.
extern void reach_error(void);

int main(void) {
  int i = 0;
  unsigned k = 0;
  while (i != N) {
    i++;
    k += 5;
  }
  if (k == 5u * N)
    reach_error();
  return 0;
}
