extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int main() { int x = 0, y = 1;
  while (x < 1000000) {
    x++;
    if (__VERIFIER_nondet_bool()) y++;
  }
  assert(x != y);
}
