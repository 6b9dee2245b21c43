/* Quotients of complex numbers, with what annex G says of infinities and of what is no number. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

#define SHOW(T, F, a, b, c, d)                                                                                                       \
  {                                                                                                                                  \
    volatile T p = a, q = b, r = c, s = d;                                                                                           \
    _Complex T z = __builtin_complex((T)p, (T)q) / __builtin_complex((T)r, (T)s);                                                    \
    printf("%s " F " " F "\n", #T, shown(__real__ z), shown(__imag__ z));                                                            \
  }
#define ALL(a, b, c, d) SHOW(float, "%Lg", a, b, c, d) SHOW(double, "%Lg", a, b, c, d) SHOW(long double, "%Lg", a, b, c, d)

/* Without the sign of what is no number. */
static long double shown(long double x) { return x != x ? 12345 : x; }

int main(void) {
  ALL(1, 2, 3, 4)
  ALL(1, 2, 0, 0)
  ALL(INFINITY, 2, 3, 4)
  ALL(1, -INFINITY, 3, -4)
  ALL(1, 2, INFINITY, 4)
  ALL(1, 2, -3, INFINITY)
  ALL(NAN, 2, 0, 0)
  ALL(NAN, 2, 3, 4)
  ALL(FLT_MAX, FLT_MAX, FLT_MAX, FLT_MIN)
  SHOW(double, "%Lg", DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX / 2)
  SHOW(double, "%Lg", DBL_MIN, DBL_MIN, DBL_MIN, DBL_MIN / 4)
  SHOW(long double, "%Lg", LDBL_MAX, LDBL_MIN, LDBL_MAX, LDBL_MAX / 2)
  SHOW(long double, "%Lg", LDBL_MIN, LDBL_MIN, LDBL_MIN / 4, LDBL_MIN)
  return 0;
}
