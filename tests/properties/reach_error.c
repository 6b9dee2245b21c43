// property: unreach-call
// expect: violates unreach-call at 6
extern void abort(void);
void reach_error(void) { abort(); }
static void __VERIFIER_assert(int c) {
  if (!c) { ERROR: { reach_error(); abort(); } }
}
int main(void) {
  __VERIFIER_assert(1);
  __VERIFIER_assert(0);
  return 0;
}
