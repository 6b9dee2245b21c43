extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int main() { unsigned int x = 0;
  unsigned short n = __VERIFIER_nondet_uint();
  unsigned int m = n * 1000u;
  while (x < m) {
    x++;
  }
  assert(x < m);
}
