extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

struct part { int n, m; } a[10];
int main() {
  int k = __VERIFIER_nondet_int();
  if (k < 0 || k >= 10) return 0;
  for (int i = 0; i < 1000000; i++) {
    a[k].n++;
    a[k].m += 2;
  }
  assert(a[3].m != 2000000);
}
