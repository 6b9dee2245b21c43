// property: memsafety
// expect: violates valid-deref at 6
struct s { int a[4]; };
int main(void) {
  struct s x, *p = 0;
  x = *p;
  return x.a[0];
}
