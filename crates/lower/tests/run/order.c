/* Orders that C leaves open, as gcc takes them: the place of an assignment and its value. */
#include <stdio.h>

static int x, a[4], *p = a;
static int f(void) {
  x++;
  return 0;
}
static int g(void) {
  p++;
  return 5;
}

int main(void) {
  a[f()] = x;
  printf("%d\n", a[0]);
  a[f()] = x + 1;
  printf("%d\n", a[0]);
  a[f()] = -x;
  printf("%d\n", a[0]);
  a[f()] += x + 1;
  printf("%d %d\n", a[0], x);
  *p = g();
  printf("%d %d\n", a[0], a[1]);
  *p = g() + 1;
  printf("%d %d\n", a[1], a[2]);
  *p += g();
  printf("%d %d\n", a[2], a[3]);
  return 0;
}
