// The counter stays even however often the loop runs: that the property holds follows from `i % 2 == 0`, not from less.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void) {
  unsigned int i = 0, steps = 0;
  while (__VERIFIER_nondet_bool()) {
    i += 2;
    if (__VERIFIER_nondet_bool())
      steps++;
  }
  if (i == 1001)
    reach_error();
  return 0;
}
