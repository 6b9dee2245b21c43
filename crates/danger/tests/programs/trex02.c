extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int x;
void foo() { x--; }
int main() { x = __VERIFIER_nondet_int();
  while (x > 0) {
    if (__VERIFIER_nondet_bool()) foo();
    else foo();
    if (x < -1000000) return 0;
  }
  assert(x < -1000);
}
