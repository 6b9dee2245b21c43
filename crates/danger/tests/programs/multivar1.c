extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int main() { unsigned int x = __VERIFIER_nondet_uint();
  unsigned int y = x;
  while (x < 3000000) {
    x++;
    y++;
  }
  assert(x != y);
}
