/* math.h. What IEEE 754 defines exactly is exact; functions that are only approximated by any library (sin, exp, pow, ...)
   are unknown values within facts that hold for glibc's results. */

void __VERIFIER_assume(int condition);

double __foldback_sqrt(double x);
double __foldback_rint(double x);
double __foldback_floor(double x);
double __foldback_ceil(double x);
double __foldback_trunc(double x);
double __foldback_round(double x);
double __foldback_remainder(double x, double y);
double __foldback_fma(double x, double y, double z);
double __foldback_unknown_double(void);
float __foldback_sqrtf(float x);
float __foldback_rintf(float x);
float __foldback_floorf(float x);
float __foldback_ceilf(float x);
float __foldback_truncf(float x);
float __foldback_roundf(float x);
float __foldback_remainderf(float x, float y);
float __foldback_fmaf(float x, float y, float z);
float __foldback_unknown_float(void);
long double __foldback_sqrtl(long double x);
long double __foldback_rintl(long double x);
long double __foldback_floorl(long double x);
long double __foldback_ceill(long double x);
long double __foldback_truncl(long double x);
long double __foldback_roundl(long double x);
long double __foldback_remainderl(long double x, long double y);
long double __foldback_fmal(long double x, long double y, long double z);
long double __foldback_unknown_longdouble(void);
long __foldback_unknown_long(void);
long long __foldback_unknown_longlong(void);
int __foldback_unknown_int(void);

/* double */

double fabs(double x) { return __builtin_fabs(x); }
double sqrt(double x) { return __foldback_sqrt(x); }
double rint(double x) { return __foldback_rint(x); }
double nearbyint(double x) { return __foldback_rint(x); }
double floor(double x) { return __foldback_floor(x); }
double ceil(double x) { return __foldback_ceil(x); }
double trunc(double x) { return __foldback_trunc(x); }
double round(double x) { return __foldback_round(x); }
double remainder(double x, double y) { return __foldback_remainder(x, y); }
double drem(double x, double y) { return __foldback_remainder(x, y); }
double fma(double x, double y, double z) { return __foldback_fma(x, y, z); }
double copysign(double x, double y) { return __builtin_copysign(x, y); }

/* The IEEE remainder is at most |y|/2 away from zero; where it is negative, the next multiple of y down is meant. */
double fmod(double x, double y) {
  double size = __builtin_fabs(y);
  double rest = __foldback_remainder(__builtin_fabs(x), size);
  if (rest < 0)
    rest = rest + size;
  if (rest != rest)
    return rest;
  return __builtin_copysign(rest, x);
}

double fmin(double x, double y) {
  if (x != x)
    return y;
  if (y != y)
    return x;
  return x < y ? x : y;
}

double fmax(double x, double y) {
  if (x != x)
    return y;
  if (y != y)
    return x;
  return x > y ? x : y;
}

double fdim(double x, double y) {
  if (x != x || y != y)
    return x + y;
  return x > y ? x - y : 0;
}

double modf(double x, double *whole) {
  *whole = __foldback_trunc(x);
  if (__builtin_isinf(x))
    return __builtin_copysign(0, x);
  return __builtin_copysign(x - *whole, x);
}

double nan(const char *tag) {
  while (*tag != 0)
    tag++;
  return __builtin_nan("");
}

double scalbn(double x, int n) {
  double result = x;
  if (x == 0 || x != x || __builtin_isinf(x))
    return x;
  if (n > 64 || n < -64 || !__builtin_isnormal(x))
    return __foldback_unknown_double();
  double factor = 1;
  int steps = n < 0 ? -n : n;
  while (steps > 0) {
    factor = factor * 2;
    steps--;
  }
  return n < 0 ? result / factor : result * factor;
}

double ldexp(double x, int n) { return scalbn(x, n); }

double frexp(double x, int *exponent) {
  if (x == 0 || x != x || __builtin_isinf(x)) {
    *exponent = 0;
    return x;
  }
  double size = __builtin_fabs(x);
  int e = 0;
  while (size >= 1) {
    size = size / 2;
    e++;
  }
  while (size < ((double)0.5)) {
    size = size * 2;
    e--;
  }
  *exponent = e;
  return __builtin_copysign(size, x);
}

int __fpclassify(double x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
int __isnan(double x) { return __builtin_isnan(x); }
int __isinf(double x) { return __builtin_isinf_sign(x); }
int __finite(double x) { return __builtin_isfinite(x); }
int __signbit(double x) { return __builtin_signbit(x) != 0; }
int isnan(double x) { return __builtin_isnan(x); }
int isinf(double x) { return __builtin_isinf_sign(x); }
int finite(double x) { return __builtin_isfinite(x); }

/* What does not fit is unspecified. */
long lround(double x) {
  double whole = __foldback_round(x);
  double limit = -(double)(-(long)(~0UL >> 1) - 1);
  if (whole >= -limit && whole < limit)
    return (long)whole;
  return __foldback_unknown_long();
}

/* What does not fit is unspecified. */
long long llround(double x) {
  double whole = __foldback_round(x);
  double limit = -(double)(-9223372036854775807LL - 1);
  if (whole >= -limit && whole < limit)
    return (long long)whole;
  return __foldback_unknown_longlong();
}

/* What does not fit is unspecified. */
long lrint(double x) {
  double whole = __foldback_rint(x);
  double limit = -(double)(-(long)(~0UL >> 1) - 1);
  if (whole >= -limit && whole < limit)
    return (long)whole;
  return __foldback_unknown_long();
}

/* What does not fit is unspecified. */
long long llrint(double x) {
  double whole = __foldback_rint(x);
  double limit = -(double)(-9223372036854775807LL - 1);
  if (whole >= -limit && whole < limit)
    return (long long)whole;
  return __foldback_unknown_longlong();
}

double sin(double x) {
  if (x != x)
    return x;
  if (__builtin_isinf(x))
    return x - x;
  if (x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= -1 && result <= 1);
  return result;
}

double cos(double x) {
  if (x != x)
    return x;
  if (__builtin_isinf(x))
    return x - x;
  if (x == 0)
    return 1;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= -1 && result <= 1);
  return result;
}

double tan(double x) {
  if (x != x)
    return x;
  if (__builtin_isinf(x))
    return x - x;
  if (x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(__builtin_isfinite(result));
  return result;
}

double asin(double x) {
  if (x != x)
    return x;
  if (x < -1 || x > 1)
    return (x - x) / (x - x);
  if (x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= -1.6 && result <= 1.6);
  return result;
}

double acos(double x) {
  if (x != x)
    return x;
  if (x < -1 || x > 1)
    return (x - x) / (x - x);
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= 0 && result <= 3.2);
  return result;
}

double atan(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 && result <= 1.6 : result <= 0 && result >= -1.6);
  return result;
}

double atan2(double y, double x) {
  if (x != x || y != y)
    return x + y;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= -3.2 && result <= 3.2);
  return result;
}

double sinh(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

double asinh(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

double cbrt(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

double erf(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

double expm1(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

double tanh(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 && result <= 1 : result <= 0 && result >= -1);
  return result;
}

double cosh(double x) {
  if (x != x)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= 1);
  return result;
}

double acosh(double x) {
  if (x != x)
    return x;
  if (x < 1)
    return (x - x) / (x - x);
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= 0);
  return result;
}

double atanh(double x) {
  if (x != x)
    return x;
  if (x < -1 || x > 1)
    return (x - x) / (x - x);
  if (x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

double exp(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  return result;
}

double exp2(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  return result;
}

double exp10(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  return result;
}

double log(double x) {
  if (x != x)
    return x;
  if (x < 0)
    return (x - x) / (x - x);
  if (x == 0)
    return -1 / __builtin_fabs(x);
  if (x == 1)
    return 0;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 1 ? result >= 0 : result <= 0);
  return result;
}

double log2(double x) {
  if (x != x)
    return x;
  if (x < 0)
    return (x - x) / (x - x);
  if (x == 0)
    return -1 / __builtin_fabs(x);
  if (x == 1)
    return 0;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 1 ? result >= 0 : result <= 0);
  return result;
}

double log10(double x) {
  if (x != x)
    return x;
  if (x < 0)
    return (x - x) / (x - x);
  if (x == 0)
    return -1 / __builtin_fabs(x);
  if (x == 1)
    return 0;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 1 ? result >= 0 : result <= 0);
  return result;
}

double log1p(double x) {
  if (x != x)
    return x;
  if (x < -1)
    return (x - x) / (x - x);
  if (x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

double erfc(double x) { return x != x ? x : __foldback_unknown_double(); }

double tgamma(double x) { return x != x ? x : __foldback_unknown_double(); }

double lgamma(double x) { return x != x ? x : __foldback_unknown_double(); }

double pow(double x, double y) {
  if (y == 0 || x == 1)
    return 1;
  if (x != x || y != y)
    return x + y;
  if (y == 1)
    return x;
  double result = __foldback_unknown_double();
  /* Not of -0.0, whose odd powers are negative. */
  if (x > 0)
    __VERIFIER_assume(result >= 0);
  return result;
}

double hypot(double x, double y) {
  if (__builtin_isinf(x) || __builtin_isinf(y))
    return __builtin_inf();
  if (x != x || y != y)
    return x + y;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= __builtin_fabs(x) && result >= __builtin_fabs(y));
  return result;
}

/* float */

float fabsf(float x) { return __builtin_fabsf(x); }
float sqrtf(float x) { return __foldback_sqrtf(x); }
float rintf(float x) { return __foldback_rintf(x); }
float nearbyintf(float x) { return __foldback_rintf(x); }
float floorf(float x) { return __foldback_floorf(x); }
float ceilf(float x) { return __foldback_ceilf(x); }
float truncf(float x) { return __foldback_truncf(x); }
float roundf(float x) { return __foldback_roundf(x); }
float remainderf(float x, float y) { return __foldback_remainderf(x, y); }
float dremf(float x, float y) { return __foldback_remainderf(x, y); }
float fmaf(float x, float y, float z) { return __foldback_fmaf(x, y, z); }
float copysignf(float x, float y) { return __builtin_copysignf(x, y); }

/* The IEEE remainder is at most |y|/2 away from zero; where it is negative, the next multiple of y down is meant. */
float fmodf(float x, float y) {
  float size = __builtin_fabsf(y);
  float rest = __foldback_remainderf(__builtin_fabsf(x), size);
  if (rest < 0)
    rest = rest + size;
  if (rest != rest)
    return rest;
  return __builtin_copysignf(rest, x);
}

float fminf(float x, float y) {
  if (x != x)
    return y;
  if (y != y)
    return x;
  return x < y ? x : y;
}

float fmaxf(float x, float y) {
  if (x != x)
    return y;
  if (y != y)
    return x;
  return x > y ? x : y;
}

float fdimf(float x, float y) {
  if (x != x || y != y)
    return x + y;
  return x > y ? x - y : 0;
}

float modff(float x, float *whole) {
  *whole = __foldback_truncf(x);
  if (__builtin_isinf(x))
    return __builtin_copysignf(0, x);
  return __builtin_copysignf(x - *whole, x);
}

float nanf(const char *tag) {
  while (*tag != 0)
    tag++;
  return __builtin_nanf("");
}

float scalbnf(float x, int n) {
  float result = x;
  if (x == 0 || x != x || __builtin_isinf(x))
    return x;
  if (n > 64 || n < -64 || !__builtin_isnormal(x))
    return __foldback_unknown_float();
  float factor = 1;
  int steps = n < 0 ? -n : n;
  while (steps > 0) {
    factor = factor * 2;
    steps--;
  }
  return n < 0 ? result / factor : result * factor;
}

float ldexpf(float x, int n) { return scalbnf(x, n); }

float frexpf(float x, int *exponent) {
  if (x == 0 || x != x || __builtin_isinf(x)) {
    *exponent = 0;
    return x;
  }
  float size = __builtin_fabsf(x);
  int e = 0;
  while (size >= 1) {
    size = size / 2;
    e++;
  }
  while (size < ((float)0.5)) {
    size = size * 2;
    e--;
  }
  *exponent = e;
  return __builtin_copysignf(size, x);
}

int __fpclassifyf(float x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
int __isnanf(float x) { return __builtin_isnan(x); }
int __isinff(float x) { return __builtin_isinf_sign(x); }
int __finitef(float x) { return __builtin_isfinite(x); }
int __signbitf(float x) { return __builtin_signbitf(x) != 0; }
int isnanf(float x) { return __builtin_isnan(x); }
int isinff(float x) { return __builtin_isinf_sign(x); }
int finitef(float x) { return __builtin_isfinite(x); }

/* What does not fit is unspecified. */
long lroundf(float x) {
  float whole = __foldback_roundf(x);
  float limit = -(float)(-(long)(~0UL >> 1) - 1);
  if (whole >= -limit && whole < limit)
    return (long)whole;
  return __foldback_unknown_long();
}

/* What does not fit is unspecified. */
long long llroundf(float x) {
  float whole = __foldback_roundf(x);
  float limit = -(float)(-9223372036854775807LL - 1);
  if (whole >= -limit && whole < limit)
    return (long long)whole;
  return __foldback_unknown_longlong();
}

/* What does not fit is unspecified. */
long lrintf(float x) {
  float whole = __foldback_rintf(x);
  float limit = -(float)(-(long)(~0UL >> 1) - 1);
  if (whole >= -limit && whole < limit)
    return (long)whole;
  return __foldback_unknown_long();
}

/* What does not fit is unspecified. */
long long llrintf(float x) {
  float whole = __foldback_rintf(x);
  float limit = -(float)(-9223372036854775807LL - 1);
  if (whole >= -limit && whole < limit)
    return (long long)whole;
  return __foldback_unknown_longlong();
}

float sinf(float x) {
  if (x != x)
    return x;
  if (__builtin_isinf(x))
    return x - x;
  if (x == 0)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(result >= -1 && result <= 1);
  return result;
}

float cosf(float x) {
  if (x != x)
    return x;
  if (__builtin_isinf(x))
    return x - x;
  if (x == 0)
    return 1;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(result >= -1 && result <= 1);
  return result;
}

float tanf(float x) {
  if (x != x)
    return x;
  if (__builtin_isinf(x))
    return x - x;
  if (x == 0)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(__builtin_isfinite(result));
  return result;
}

float asinf(float x) {
  if (x != x)
    return x;
  if (x < -1 || x > 1)
    return (x - x) / (x - x);
  if (x == 0)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(result >= -1.6 && result <= 1.6);
  return result;
}

float acosf(float x) {
  if (x != x)
    return x;
  if (x < -1 || x > 1)
    return (x - x) / (x - x);
  float result = __foldback_unknown_float();
  __VERIFIER_assume(result >= 0 && result <= 3.2);
  return result;
}

float atanf(float x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 0 && result <= 1.6 : result <= 0 && result >= -1.6);
  return result;
}

float atan2f(float y, float x) {
  if (x != x || y != y)
    return x + y;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(result >= -3.2 && result <= 3.2);
  return result;
}

float sinhf(float x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

float asinhf(float x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

float cbrtf(float x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

float erff(float x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

float expm1f(float x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

float tanhf(float x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 0 && result <= 1 : result <= 0 && result >= -1);
  return result;
}

float coshf(float x) {
  if (x != x)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(result >= 1);
  return result;
}

float acoshf(float x) {
  if (x != x)
    return x;
  if (x < 1)
    return (x - x) / (x - x);
  float result = __foldback_unknown_float();
  __VERIFIER_assume(result >= 0);
  return result;
}

float atanhf(float x) {
  if (x != x)
    return x;
  if (x < -1 || x > 1)
    return (x - x) / (x - x);
  if (x == 0)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

float expf(float x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  return result;
}

float exp2f(float x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  return result;
}

float exp10f(float x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  return result;
}

float logf(float x) {
  if (x != x)
    return x;
  if (x < 0)
    return (x - x) / (x - x);
  if (x == 0)
    return -1 / __builtin_fabsf(x);
  if (x == 1)
    return 0;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 1 ? result >= 0 : result <= 0);
  return result;
}

float log2f(float x) {
  if (x != x)
    return x;
  if (x < 0)
    return (x - x) / (x - x);
  if (x == 0)
    return -1 / __builtin_fabsf(x);
  if (x == 1)
    return 0;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 1 ? result >= 0 : result <= 0);
  return result;
}

float log10f(float x) {
  if (x != x)
    return x;
  if (x < 0)
    return (x - x) / (x - x);
  if (x == 0)
    return -1 / __builtin_fabsf(x);
  if (x == 1)
    return 0;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 1 ? result >= 0 : result <= 0);
  return result;
}

float log1pf(float x) {
  if (x != x)
    return x;
  if (x < -1)
    return (x - x) / (x - x);
  if (x == 0)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

float erfcf(float x) { return x != x ? x : __foldback_unknown_float(); }

float tgammaf(float x) { return x != x ? x : __foldback_unknown_float(); }

float lgammaf(float x) { return x != x ? x : __foldback_unknown_float(); }

float powf(float x, float y) {
  if (y == 0 || x == 1)
    return 1;
  if (x != x || y != y)
    return x + y;
  if (y == 1)
    return x;
  float result = __foldback_unknown_float();
  /* Not of -0.0, whose odd powers are negative. */
  if (x > 0)
    __VERIFIER_assume(result >= 0);
  return result;
}

float hypotf(float x, float y) {
  if (__builtin_isinf(x) || __builtin_isinf(y))
    return __builtin_inff();
  if (x != x || y != y)
    return x + y;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(result >= __builtin_fabsf(x) && result >= __builtin_fabsf(y));
  return result;
}

/* long double */

long double fabsl(long double x) { return __builtin_fabsl(x); }
long double sqrtl(long double x) { return __foldback_sqrtl(x); }
long double rintl(long double x) { return __foldback_rintl(x); }
long double nearbyintl(long double x) { return __foldback_rintl(x); }
long double floorl(long double x) { return __foldback_floorl(x); }
long double ceill(long double x) { return __foldback_ceill(x); }
long double truncl(long double x) { return __foldback_truncl(x); }
long double roundl(long double x) { return __foldback_roundl(x); }
long double remainderl(long double x, long double y) { return __foldback_remainderl(x, y); }
long double dreml(long double x, long double y) { return __foldback_remainderl(x, y); }
long double fmal(long double x, long double y, long double z) { return __foldback_fmal(x, y, z); }
long double copysignl(long double x, long double y) { return __builtin_copysignl(x, y); }

/* The IEEE remainder is at most |y|/2 away from zero; where it is negative, the next multiple of y down is meant. */
long double fmodl(long double x, long double y) {
  long double size = __builtin_fabsl(y);
  long double rest = __foldback_remainderl(__builtin_fabsl(x), size);
  if (rest < 0)
    rest = rest + size;
  if (rest != rest)
    return rest;
  return __builtin_copysignl(rest, x);
}

long double fminl(long double x, long double y) {
  if (x != x)
    return y;
  if (y != y)
    return x;
  return x < y ? x : y;
}

long double fmaxl(long double x, long double y) {
  if (x != x)
    return y;
  if (y != y)
    return x;
  return x > y ? x : y;
}

long double fdiml(long double x, long double y) {
  if (x != x || y != y)
    return x + y;
  return x > y ? x - y : 0;
}

long double modfl(long double x, long double *whole) {
  *whole = __foldback_truncl(x);
  if (__builtin_isinf(x))
    return __builtin_copysignl(0, x);
  return __builtin_copysignl(x - *whole, x);
}

long double nanl(const char *tag) {
  while (*tag != 0)
    tag++;
  return __builtin_nanl("");
}

long double scalbnl(long double x, int n) {
  long double result = x;
  if (x == 0 || x != x || __builtin_isinf(x))
    return x;
  if (n > 64 || n < -64 || !__builtin_isnormal(x))
    return __foldback_unknown_longdouble();
  long double factor = 1;
  int steps = n < 0 ? -n : n;
  while (steps > 0) {
    factor = factor * 2;
    steps--;
  }
  return n < 0 ? result / factor : result * factor;
}

long double ldexpl(long double x, int n) { return scalbnl(x, n); }

long double frexpl(long double x, int *exponent) {
  if (x == 0 || x != x || __builtin_isinf(x)) {
    *exponent = 0;
    return x;
  }
  long double size = __builtin_fabsl(x);
  int e = 0;
  while (size >= 1) {
    size = size / 2;
    e++;
  }
  while (size < ((long double)0.5)) {
    size = size * 2;
    e--;
  }
  *exponent = e;
  return __builtin_copysignl(size, x);
}

int __fpclassifyl(long double x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
int __isnanl(long double x) { return __builtin_isnan(x); }
int __isinfl(long double x) { return __builtin_isinf_sign(x); }
int __finitel(long double x) { return __builtin_isfinite(x); }
int __signbitl(long double x) { return __builtin_signbitl(x) != 0; }
int isnanl(long double x) { return __builtin_isnan(x); }
int isinfl(long double x) { return __builtin_isinf_sign(x); }
int finitel(long double x) { return __builtin_isfinite(x); }

/* What does not fit is unspecified. */
long lroundl(long double x) {
  long double whole = __foldback_roundl(x);
  long double limit = -(long double)(-(long)(~0UL >> 1) - 1);
  if (whole >= -limit && whole < limit)
    return (long)whole;
  return __foldback_unknown_long();
}

/* What does not fit is unspecified. */
long long llroundl(long double x) {
  long double whole = __foldback_roundl(x);
  long double limit = -(long double)(-9223372036854775807LL - 1);
  if (whole >= -limit && whole < limit)
    return (long long)whole;
  return __foldback_unknown_longlong();
}

/* What does not fit is unspecified. */
long lrintl(long double x) {
  long double whole = __foldback_rintl(x);
  long double limit = -(long double)(-(long)(~0UL >> 1) - 1);
  if (whole >= -limit && whole < limit)
    return (long)whole;
  return __foldback_unknown_long();
}

/* What does not fit is unspecified. */
long long llrintl(long double x) {
  long double whole = __foldback_rintl(x);
  long double limit = -(long double)(-9223372036854775807LL - 1);
  if (whole >= -limit && whole < limit)
    return (long long)whole;
  return __foldback_unknown_longlong();
}

long double sinl(long double x) {
  if (x != x)
    return x;
  if (__builtin_isinf(x))
    return x - x;
  if (x == 0)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(result >= -1 && result <= 1);
  return result;
}

long double cosl(long double x) {
  if (x != x)
    return x;
  if (__builtin_isinf(x))
    return x - x;
  if (x == 0)
    return 1;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(result >= -1 && result <= 1);
  return result;
}

long double tanl(long double x) {
  if (x != x)
    return x;
  if (__builtin_isinf(x))
    return x - x;
  if (x == 0)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(__builtin_isfinite(result));
  return result;
}

long double asinl(long double x) {
  if (x != x)
    return x;
  if (x < -1 || x > 1)
    return (x - x) / (x - x);
  if (x == 0)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(result >= -1.6 && result <= 1.6);
  return result;
}

long double acosl(long double x) {
  if (x != x)
    return x;
  if (x < -1 || x > 1)
    return (x - x) / (x - x);
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(result >= 0 && result <= 3.2);
  return result;
}

long double atanl(long double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 0 && result <= 1.6 : result <= 0 && result >= -1.6);
  return result;
}

long double atan2l(long double y, long double x) {
  if (x != x || y != y)
    return x + y;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(result >= -3.2 && result <= 3.2);
  return result;
}

long double sinhl(long double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

long double asinhl(long double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

long double cbrtl(long double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

long double erfl(long double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

long double expm1l(long double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

long double tanhl(long double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 0 && result <= 1 : result <= 0 && result >= -1);
  return result;
}

long double coshl(long double x) {
  if (x != x)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(result >= 1);
  return result;
}

long double acoshl(long double x) {
  if (x != x)
    return x;
  if (x < 1)
    return (x - x) / (x - x);
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(result >= 0);
  return result;
}

long double atanhl(long double x) {
  if (x != x)
    return x;
  if (x < -1 || x > 1)
    return (x - x) / (x - x);
  if (x == 0)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

long double expl(long double x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  return result;
}

long double exp2l(long double x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  return result;
}

long double exp10l(long double x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  return result;
}

long double logl(long double x) {
  if (x != x)
    return x;
  if (x < 0)
    return (x - x) / (x - x);
  if (x == 0)
    return -1 / __builtin_fabsl(x);
  if (x == 1)
    return 0;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 1 ? result >= 0 : result <= 0);
  return result;
}

long double log2l(long double x) {
  if (x != x)
    return x;
  if (x < 0)
    return (x - x) / (x - x);
  if (x == 0)
    return -1 / __builtin_fabsl(x);
  if (x == 1)
    return 0;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 1 ? result >= 0 : result <= 0);
  return result;
}

long double log10l(long double x) {
  if (x != x)
    return x;
  if (x < 0)
    return (x - x) / (x - x);
  if (x == 0)
    return -1 / __builtin_fabsl(x);
  if (x == 1)
    return 0;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 1 ? result >= 0 : result <= 0);
  return result;
}

long double log1pl(long double x) {
  if (x != x)
    return x;
  if (x < -1)
    return (x - x) / (x - x);
  if (x == 0)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

long double erfcl(long double x) { return x != x ? x : __foldback_unknown_longdouble(); }

long double tgammal(long double x) { return x != x ? x : __foldback_unknown_longdouble(); }

long double lgammal(long double x) { return x != x ? x : __foldback_unknown_longdouble(); }

long double powl(long double x, long double y) {
  if (y == 0 || x == 1)
    return 1;
  if (x != x || y != y)
    return x + y;
  if (y == 1)
    return x;
  long double result = __foldback_unknown_longdouble();
  /* Not of -0.0, whose odd powers are negative. */
  if (x > 0)
    __VERIFIER_assume(result >= 0);
  return result;
}

long double hypotl(long double x, long double y) {
  if (__builtin_isinf(x) || __builtin_isinf(y))
    return __builtin_infl();
  if (x != x || y != y)
    return x + y;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(result >= __builtin_fabsl(x) && result >= __builtin_fabsl(y));
  return result;
}
