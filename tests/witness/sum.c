// Only the inputs 3, 4, 5, in this order, lead to the error.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int check(int last, int x) {
  return x == last + 1;
}

int main(void) {
  int last = 2;
  for (int i = 0; i < 3; i++) {
    int x = __VERIFIER_nondet_int();
    if (!check(last, x))
      return 0;
    last = x;
  }
  reach_error();
  return 0;
}
