/* exit inside a call, static and inline functions, forward declarations, void functions, noreturn. */
#include <stdio.h>
#include <stdlib.h>

static inline int twice(int x) { return 2 * x; }
extern int defined_below(int);
_Noreturn static void stop(int code) {
  printf("stop %d\n", code);
  exit(code);
}
void nothing(void) { return; }
const int *constant(void) {
  static const int value = 12;
  return &value;
}
static int array_parameter(int a[static 2], int b[], int n) { return a[1] + b[n - 1] + (int)sizeof(a == b); }
static int row_sum(int (*m)[3], int rows) {
  int s = 0;
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < 3; c++)
      s += m[r][c];
  return s;
}

int main(void) {
  nothing();
  printf("%d %d %d\n", twice(21), defined_below(3), *constant());
  int a[2] = {1, 2}, b[3] = {4, 5, 6}, m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  printf("%d %d\n", array_parameter(a, b, 3), row_sum(m, 2));
  if (defined_below(0) == 7)
    stop(37);
  printf("not reached\n");
  return 0;
}
int defined_below(int x) { return x + 7; }
