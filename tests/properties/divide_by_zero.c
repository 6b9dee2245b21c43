// property: div-by-zero
// expect: violates div-by-zero at 5
int main(void) {
  int x = 3, y = 0;
  return x % y;
}
