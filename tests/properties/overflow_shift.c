// property: no-overflow
// expect: violates no-overflow at 6
int main(void) {
  int x = 3;
  unsigned u = 1u << 31;
  return (x << 31) + (int)(u >> 31);
}
