extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int main() { unsigned int x = 0, y = __VERIFIER_nondet_uint();
  for (x = 0; x < 5000000; x++) {
    if (x == 4999999) y = 7;
  }
  assert(y != 7);
}
