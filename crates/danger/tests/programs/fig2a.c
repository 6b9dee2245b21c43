extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int main() { int i, j, k;
  for (k = 0; k < 100; k++) {
    if (__VERIFIER_nondet_bool()) j++;
  }
  for (i = 0; i < 1000000; i++) {
    if (__VERIFIER_nondet_bool()) j++;
  }
  assert(i != j);
}
