// property: unreach-call
// expected: true
// A machine that cannot get to its last state without its key.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int state = 0, key = 0;
  while (state != 3) {
    int event = __VERIFIER_nondet_int();
    if (state == 0 && event == 1) state = 1, key = 1;
    else if (state == 1 && event == 2) state = 2;
    else if (state == 2 && event == 3) state = 3;
    else if (event == 9) state = 0, key = 0;
  }
  if (!key) reach_error();
}
