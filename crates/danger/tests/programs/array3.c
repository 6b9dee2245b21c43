extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int a[2000000];
int main() { int i;
  for (i = 0; i < 2000000; i++) a[i] = 5;
  assert(a[1234] != 5);
}
