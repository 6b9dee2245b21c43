// A counter that is advanced by two now and then, up to a hundred: it stays even and never passes 100. Safe.
//   foldback verify examples/count.c
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void) {
  int i = 0;
  while (__VERIFIER_nondet_bool()) {
    if (i < 100)
      i += 2;
  }
  if (i > 100 || i % 2 != 0)
    reach_error();
  return 0;
}
