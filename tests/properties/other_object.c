// property: memsafety
// expect: violates valid-deref at 7
struct two { int a[2]; int b[2]; };
int main(void) {
  struct two s = {{1, 2}, {3, 4}};
  int *p = s.a;
  return p[2] + p[4];
}
