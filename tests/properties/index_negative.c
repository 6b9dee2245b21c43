// property: memsafety
// expect: violates valid-deref at 6
int main(void) {
  int a[4] = {0};
  int i = -1;
  a[i] = 1;
  return 0;
}
