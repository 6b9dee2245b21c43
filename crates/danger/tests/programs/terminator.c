extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int main() { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (y > 0) {
    while (x < 10000000) {
      x = x + y;
    }
  }
  assert(y <= 0 || x > 10000000);
}
