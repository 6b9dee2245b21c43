// property: div-by-zero
// expect: ok
int main(void) {
  double y = 0;
  return 1.0 / y > 1.0 ? 0 : 1;
}
