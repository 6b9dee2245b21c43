extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int main() { unsigned int x = 1, y = 0;
  while (y < 2000000) {
    x = 0;
    y = y + 2;
  }
  assert(x != 0);
}
