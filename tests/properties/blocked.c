// property: unreach-call
// expect: ok
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);
int main(void) {
  __VERIFIER_assume(0);
  __VERIFIER_error();
  return 0;
}
