extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int main() { unsigned int x1 = 1000000, x2 = 2000000, x3 = 3000000;
  while (x1 > 0 && x2 > 0 && x3 > 0) {
    if (__VERIFIER_nondet_bool()) x1 = x1 - 1;
    else if (__VERIFIER_nondet_bool()) x2 = x2 - 1;
    else x3 = x3 - 1;
  }
  assert(x1 == 0 && x2 == 0);
}
