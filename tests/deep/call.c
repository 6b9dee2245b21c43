// Nothing depends on what the loop computes, but it takes its time.
extern void reach_error(void);

static unsigned next(unsigned x) { return x + 1; }

int main(void) {
  unsigned i = 0;
  while (i < N)
    i = next(i);
  reach_error();
  return 0;
}
