/* Old-style definitions, implicit int, implicit declarations, arguments promoted and not converted. */
#include <stdio.h>

add(a, b)
{
  return a + b;
}

int scale(c, f, s, p)
  char c;
  float f;
  short s;
  int *p;
{
  *p = c + s;
  return (int)(c * f) + s;
}

static later();

main()
{
  int out = 0;
  register r = 3;
  auto k = 4;
  printf("%d %d\n", add(1, 2), scale('a', 2.5, -7, &out));
  printf("%d %d\n", out, later(5));
  printf("%d %d\n", r, k);
  return undeclared(6);
}

static later(x)
{
  return x * x;
}

int undeclared(int x) { return x + 1; }
