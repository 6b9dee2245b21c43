/* float, double: arithmetic, comparison, conversions, NaN and infinities, hexadecimal constants. */
#include <float.h>
#include <math.h>
#include <stdio.h>

static void bits(double d) {
  union { double d; unsigned long long u; } p = {d};
  printf("%016llx ", p.u);
}
static void fbits(float f) {
  union { float f; unsigned u; } p = {f};
  printf("%08x ", p.u);
}

int main(void) {
  volatile double a = 0.1, b = 0.2, z = 0.0;
  volatile float f = 0.1f, g = 16777216.0f;
  bits(a + b); bits(a * b); bits(a / b); bits(a - b); bits(-z); bits(1 / z); bits(-1 / z);
  printf("\n");
  fbits(f + f); fbits(f * 3.0f); fbits(g + 1.0f); fbits((float)a); fbits((float)1e-40); fbits((float)1e40);
  printf("\n");
  printf("%d %d %d %d\n", a + b == 0.3, f == 0.1, (float)0.1 == f, z == -z);
  volatile double nan = z / z;
  printf("%d %d %d %d %d\n", nan == nan, nan != nan, nan < 1, nan > 1, !(nan <= 1));
  printf("%d %d %d %d\n", isnan(nan) != 0, isinf(1 / z) != 0, isfinite(a) != 0, signbit(-z) != 0);
  printf("%d %d %d\n", (int)3.99, (int)-3.99, (unsigned char)200.7);
  printf("%lld %llu\n", (long long)1e18, (unsigned long long)1.8e19);
  printf("%u %ld\n", (unsigned)4e9, (long)-2e9);
  bits((double)0x7fffffffffffffffLL); bits((double)0xffffffffffffffffULL); bits((double)-1); fbits((float)16777217);
  printf("\n");
  bits(0x1.8p3); bits(0x.1p-4); bits(DBL_MAX); bits(DBL_MIN); bits(DBL_EPSILON); bits(5e-324);
  printf("\n");
  fbits(FLT_MAX); fbits(FLT_MIN); fbits(1e-45f); fbits(3.4028236e38f);
  printf("\n");
  printf("%f %e %g %.3f %10.2f|%-10.1f|%+.0f\n", 3.14159, 12345.678, 0.0001, 2.0 / 3, 1.5, 2.25, 2.5);
  printf("%g %g %g %g\n", 1e100, 1e-5, 123456789.0, 100000.0);
  printf("%f %f\n", (double)f, 1e15);
  double sum = 0;
  for (int i = 1; i <= 1000; i++)
    sum += 1.0 / i;
  bits(sum);
  printf("%.10f\n", sum);
  float fs = 0;
  for (int i = 1; i <= 1000; i++)
    fs += 1.0f / (float)i;
  fbits(fs);
  printf("\n");
  int n = 7;
  n *= 1.5;
  printf("%d\n", n);
  n += 0.9;
  printf("%d\n", n);
  double d = 10;
  printf("%.1f ", d++);
  printf("%.1f ", d);
  printf("%.1f\n", --d);
  if (a) printf("true\n");
  if (!z) printf("false\n");
  printf("%d\n", (a && z) + (a || z));
  return (int)(a * 100);
}
