/* Variable-length arrays: sizes, several dimensions, as parameters, in loops, pointers to them; alloca. */
#include <alloca.h>
#include <stdio.h>

static int trace(int n, int m[n][n]) {
  int t = 0;
  for (int i = 0; i < n; i++)
    t += m[i][i];
  return t;
}
static int side = 0;
static int next(void) { return ++side; }

int main(void) {
  int n = 4;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = i * 3;
  printf("%d %d\n", (int)sizeof a, a[3]);
  int m[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = i * 10 + j;
  printf("%d %d %d\n", trace(n, m), (int)sizeof m, (int)sizeof m[0]);
  int(*p)[n] = m;
  p++;
  printf("%d %d\n", (*p)[2], (int)(p - m));
  int total = 0;
  for (int k = 1; k <= 3; k++) {
    char buffer[k * 2];
    for (int i = 0; i < k * 2; i++)
      buffer[i] = (char)k;
    total += (int)sizeof buffer + buffer[k];
  }
  printf("%d\n", total);
  int b[next()][3];
  n = 100;
  printf("%d %d %d\n", (int)sizeof b, (int)sizeof a, side);
  printf("%d\n", (int)sizeof(int[next()]));
  printf("%d\n", side);
  int *q = alloca(5 * sizeof(int));
  for (int i = 0; i < 5; i++)
    q[i] = i;
  printf("%d\n", q[4] + q[1]);
  return 0;
}
