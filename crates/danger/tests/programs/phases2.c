extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int main() { unsigned int x = 0, y = 0;
  while (x < 4000000) {
    if (x < 2000000) y++;
    else y--;
    x++;
  }
  assert(y != 0);
}
