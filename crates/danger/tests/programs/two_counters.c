extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int main() { int a = 0, b = 0;
  while (a + b < 2000000) {
    if (__VERIFIER_nondet_bool()) a++;
    else b++;
  }
  assert(a != 1000000);
}
