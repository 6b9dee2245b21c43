/* Variadic functions: every promoted kind of argument, va_copy, passing a va_list on. */
#include <stdarg.h>
#include <stdio.h>

struct pair { int a; long b; };

static double sum(const char *kinds, ...) {
  va_list ap;
  va_start(ap, kinds);
  double total = 0;
  for (; *kinds; kinds++)
    switch (*kinds) {
    case 'i': total += va_arg(ap, int); break;
    case 'u': total += va_arg(ap, unsigned); break;
    case 'l': total += (double)va_arg(ap, long long); break;
    case 'd': total += va_arg(ap, double); break;
    case 's': total += va_arg(ap, char *)[0]; break;
    case 'p': total += *va_arg(ap, int *); break;
    case 'S': { struct pair p = va_arg(ap, struct pair); total += p.a + (double)p.b; break; }
    }
  va_end(ap);
  return total;
}

static int inner(int n, va_list ap) {
  int total = 0;
  while (n-- > 0)
    total = total * 10 + va_arg(ap, int);
  return total;
}

static int outer(int n, ...) {
  va_list ap, again;
  va_start(ap, n);
  va_copy(again, ap);
  int a = inner(n, ap), b = inner(n, again);
  va_end(again);
  va_end(ap);
  return a == b ? a : -1;
}

static int print(const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  int n = vprintf(format, ap);
  va_end(ap);
  return n;
}

int main(void) {
  int x = 5;
  struct pair p = {6, 7};
  char c = 'c';
  short s = -3;
  float f = 0.5f;
  printf("%.2f\n", sum("iuldspS", -1, 2u, 3LL, 4.25, "A", &x, p));
  printf("%.2f\n", sum("iid", c, s, f));
  printf("%d\n", outer(4, 1, 2, 3, 4));
  printf("%.1f\n", sum(""));
  print("%s %d %c %5.2f %%\n", "text", 42, 'z', 3.14159);
  return outer(1, 7);
}
