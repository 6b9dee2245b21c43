/* long double: the 80-bit format, mixed with the others. */
#include <stdio.h>
#include <string.h>

static void show(long double x) {
  unsigned char b[sizeof x];
  memset(b, 0, sizeof b);
  memcpy(b, &x, 10);
  for (int i = 9; i >= 0; i--)
    printf("%02x", b[i]);
  printf("\n");
}

static long double twice(long double x) { return x + x; }

int main(void) {
  volatile long double a = 0.1L, b = 3, z = 0;
  show(a);
  show(a * b);
  show(a / b);
  show(1 / b);
  show(a - 0.1);
  show(1 / z);
  show(-z);
  show(twice(a));
  show((long double)0xffffffffffffffffULL);
  show((long double)(long long)-1);
  show((double)a);
  show((float)a);
  printf("%d %d\n", a == 0.1, (double)a == 0.1);
  printf("%lld %d\n", (long long)(b * 1e15L), (int)-b);
  printf("%.5Lf\n", a + b);
  printf("%d\n", (int)(sizeof(long double) >= 12));
  long double sum = 0;
  for (int i = 1; i < 100; i++)
    sum += 1.0L / i;
  show(sum);
  return 0;
}
