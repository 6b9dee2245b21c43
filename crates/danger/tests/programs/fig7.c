extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int main() { int i = 1000011, j = 0;
  while (j <= i) {
    j++;
    i = 0;
    while (i <= 1000010) {
      if (__VERIFIER_nondet_bool()) i = i + 1;
    }
  }
  assert(j == 1000011);
}
