// property: memsafety
// expect: violates valid-deref at 8
int main(void) {
  int a[4];
  int i;
  for (i = 0; i < 4; i++)
    a[i] = i;
  return a[i];
}
