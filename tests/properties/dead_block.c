// property: memsafety
// expect: violates valid-deref at 9
int main(void) {
  int *p;
  {
    int x = 3;
    p = &x;
  }
  return *p;
}
