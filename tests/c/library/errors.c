/* errno, where it is determined. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static volatile double zero, one = 1, large = 1e308;

#define TRY(e) (errno = 0, (void)(e), printf("%s: %d\n", #e, errno))

int main(void) {
  TRY(sqrt(-one));
  TRY(sqrt(one));
  TRY(log(-one));
  TRY(log(zero));
  TRY(log1p(-one));
  TRY(acos(2 * one));
  TRY(asin(one));
  TRY(atanh(one));
  TRY(acosh(zero));
  TRY(fmod(one, zero));
  TRY(remainder(one, zero));
  TRY(pow(-one, 0.5));
  TRY(fdim(large, -large));
  TRY(ldexp(one, 5000));
  TRY(ldexp(one, -5000));
  TRY(scalbn(one, 10));
  TRY(nextafter(large * 1.7976931348623157, HUGE_VAL));
  TRY(nextafter(one, 2));
  TRY(ilogb(zero));
  TRY(exp(1000 * one));
  TRY(exp(-1000 * one));
  TRY(cosh(1000 * one));
  TRY(strtol("99999999999999999999999", 0, 10));
  TRY(strtol("5", 0, 10));
  TRY(strtoul("99999999999999999999999", 0, 10));
  TRY(strtoll("-99999999999999999999999", 0, 10));
  TRY(strtod("1e999", 0));
  TRY(strtod("1e-999", 0));
  TRY(strtod("1.5", 0));
  TRY(strtol("5", 0, 77));
  TRY(wcstol(L"99999999999999999999999", 0, 10));
  TRY(mbtowc(0, "\xff", 1));
  return errno != 0;
}
