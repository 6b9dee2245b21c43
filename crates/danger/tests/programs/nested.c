extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int main() { int i, j, c = 0;
  for (i = 0; i < 3000; i++)
    for (j = 0; j < 3000; j++) c++;
  assert(i != 3000);
}
