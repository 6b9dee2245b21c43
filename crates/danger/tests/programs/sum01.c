extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int main() { int i, n = __VERIFIER_nondet_int(), sn = 0;
  for (i = 1; i <= n && i <= 1000000; i++) {
    if (i < 10) sn = sn + 2;
  }
  assert(sn == n * 2 || sn == 0);
}
