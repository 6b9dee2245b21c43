extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int main() { unsigned int x = 7, y = 3, z = 0;
  while (z < 100000000) {
    x = 5;
    y = x;
    z++;
  }
  assert(y == 3);
}
