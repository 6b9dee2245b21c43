// property: memsafety
// expect: violates valid-deref at 6
static int f(void) { return 1; }
int main(void) {
  char *p = (char *)f;
  *p = 0;
  return f();
}
