// property: memsafety
// expect: violates valid-deref at 9
static int *escape(void) {
  int x = 3;
  int *p = &x;
  return p;
}
int main(void) {
  return *escape();
}
