// property: unreach-call
// expected: false
// A bug after a million iterations.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int start = __VERIFIER_nondet_int(), i = 0;
  while (i < 1000000) i++;
  if (start == 7 && i == 1000000) reach_error();
}
