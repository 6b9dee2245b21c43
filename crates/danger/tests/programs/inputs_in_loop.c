extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int main() { int s = 0, i;
  for (i = 0; i < 5000000; i++) {
    int v = __VERIFIER_nondet_int();
    if (v < 0 || v > 10) return 0;
    s = s + v;
  }
  assert(s != 15000000);
}
