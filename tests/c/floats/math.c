/* math.h: what IEEE 754 defines exactly. */
#include <math.h>
#include <stdio.h>

static void bits(double d) {
  union { double d; unsigned long long u; } p = {d};
  if (d != d)
    printf("nan ");
  else
    printf("%016llx ", p.u);
}

int main(void) {
  double values[] = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e10 + 0.5, -7.75, 1e300, 3.0};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    double v = values[i];
    bits(fabs(v)); bits(floor(v)); bits(ceil(v)); bits(trunc(v)); bits(round(v)); bits(rint(v)); bits(sqrt(v));
    printf("\n");
    for (unsigned j = 0; j < sizeof values / sizeof *values; j++) {
      bits(fmod(v, values[j])); bits(remainder(v, values[j])); bits(copysign(v, values[j]));
      if (v != values[j]) { bits(fmin(v, values[j])); bits(fmax(v, values[j])); }
      bits(fdim(v, values[j]));
    }
    printf("\n");
  }
  double whole;
  double part = modf(-3.25, &whole);
  bits(part);
  bits(whole);
  int e;
  part = frexp(48.0, &e);
  bits(part);
  printf("%d\n", e);
  bits(ldexp(0.75, 4));
  printf("%ld %ld %lld\n", lround(2.5), lrint(2.5), llround(-3.5));
  printf("%d %d %d\n", fpclassify(1.0) == FP_NORMAL, fpclassify(0.0) == FP_ZERO, fpclassify(INFINITY) == FP_INFINITE);
  printf("%d %d %d\n", isnan(NAN) != 0, isgreater(1.0, 2.0), isunordered(NAN, 1.0));
  bits(sqrtf(2.0f)); bits(floorf(-1.5f)); bits(fmodf(5.5f, 2.0f)); bits((double)sqrtl(2.0L));
  printf("\n");
  bits(pow(2, 0)); bits(sin(0)); bits(cos(0)); bits(exp(0)); bits(log(1));
  printf("\n");
  return 0;
}
