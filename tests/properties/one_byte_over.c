// property: memsafety
// expect: violates valid-deref at 6
int main(void) {
  char a[7] = {0};
  int *p = (int *)(a + 4);
  return *p;
}
