// property: no-overflow
// expect: violates no-overflow at 5
int main(void) {
  int x = 65536;
  return x * x;
}
