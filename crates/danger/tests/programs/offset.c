extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

/* The input that matters is no number of the program: it is 123456789 - 3 * 5000000. */
int main() { int x = __VERIFIER_nondet_int(), i;
  if (x < 0 || x > 1000000000) return 0;
  for (i = 0; i < 5000000; i++) x = x + 3;
  assert(x != 123456789);
}
