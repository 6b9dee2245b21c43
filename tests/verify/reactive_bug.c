// property: unreach-call
// expected: false
// A lock that opens after seven right inputs; a wrong one starts it again.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int open = 0, tries = 0;
  while (1) {
    int input = __VERIFIER_nondet_int();
    if (input < 1 || input > 5) return 0;
    if (tries == 3) tries = 0;
    if (open == 0 && input == 4) open = 1;
    else if (open == 1 && input == 2) open = 2;
    else if (open == 2 && input == 5 && tries == 2) open = 3;
    else if (open == 3 && input == 1) open = 4;
    else if (open == 4 && input == 3 && tries == 1) open = 5;
    else if (open == 5 && input == 2) open = 6;
    else if (open == 6 && input == 4) reach_error();
    else open = 0;
    tries++;
  }
}
