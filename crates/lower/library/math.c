/* math.h. What IEEE 754 defines exactly is exact; functions that are only approximated by any library (sin, exp, pow, ...)
   are unknown values within facts that hold for glibc's results. errno is set as glibc does: EDOM (33) where the function
   is not defined, ERANGE (34) at poles and where the result overflows or underflows to zero. This is the text for double, from
   which those for float and long double are made; FORMAT_ words stand for what differs (src/variants.rs). */

void __VERIFIER_assume(int condition);
void __foldback_errno_if(int condition, int value);

double __foldback_sqrt(double x);
double __foldback_rint(double x);
double __foldback_floor(double x);
double __foldback_ceil(double x);
double __foldback_trunc(double x);
double __foldback_round(double x);
double __foldback_remainder(double x, double y);
double __foldback_fma(double x, double y, double z);
double __foldback_unknown_double(void);
long __foldback_unknown_long(void);
long long __foldback_unknown_longlong(void);
int __foldback_unknown_int(void);
double __foldback_scale(double x, int n);

/* A finite argument whose result overflows, or underflows to zero. */
static void __foldback_range(double x, double result) {
  __foldback_errno_if(__builtin_isfinite(x) & (__builtin_isinf(result) | (result == 0)), 34);
}

double fabs(double x) { return __builtin_fabs(x); }

double sqrt(double x) {
  __foldback_errno_if(x < 0, 33);
  return __foldback_sqrt(x);
}

double rint(double x) { return __foldback_rint(x); }
double nearbyint(double x) { return __foldback_rint(x); }
double roundeven(double x) { return __foldback_rint(x); }
double floor(double x) { return __foldback_floor(x); }
double ceil(double x) { return __foldback_ceil(x); }
double trunc(double x) { return __foldback_trunc(x); }
double round(double x) { return __foldback_round(x); }
double fma(double x, double y, double z) { return __foldback_fma(x, y, z); }
double copysign(double x, double y) { return __builtin_copysign(x, y); }

double remainder(double x, double y) {
  __foldback_errno_if((__builtin_isinf(x) | (y == 0)) & (x == x) & (y == y), 33);
  return __foldback_remainder(x, y);
}

double drem(double x, double y) { return remainder(x, y); }

/* The IEEE remainder is at most |y|/2 away from zero; where it is negative, the next multiple of y down is meant. */
static double __foldback_fmod(double x, double y) {
  double size = __builtin_fabs(y);
  double rest = __foldback_remainder(__builtin_fabs(x), size);
  if (rest < 0)
    rest = rest + size;
  if (rest != rest)
    return rest;
  return __builtin_copysign(rest, x);
}

double fmod(double x, double y) {
  __foldback_errno_if((__builtin_isinf(x) | (y == 0)) & (x == x) & (y == y), 33);
  return __foldback_fmod(x, y);
}

/* The remainder, and the low three bits of the quotient with its sign. */
double remquo(double x, double y, int *quotient) {
  int negative = __builtin_signbit(x) != __builtin_signbit(y);
  double rest = __foldback_fmod(__builtin_fabs(x), 8 * __builtin_fabs(y));
  double size = __builtin_fabs(y);
  int bits = 0;
  if (x != x || y != y || __builtin_isinf(x) || y == 0) {
    *quotient = 0;
    return __foldback_remainder(x, y);
  }
  if (__builtin_isinf(8 * size) || size < FORMAT_SMALLEST) {
    *quotient = __foldback_unknown_int();
    __VERIFIER_assume(*quotient >= -7 && *quotient <= 7);
    return __foldback_remainder(x, y);
  }
  if (rest >= 4 * size) {
    rest = rest - 4 * size;
    bits = 4;
  }
  if (rest >= 2 * size) {
    rest = rest - 2 * size;
    bits = bits + 2;
  }
  if (rest > size / 2) {
    rest = rest - size;
    bits = bits + 1;
    if (rest >= size / 2)
      bits = bits + 1;
  }
  bits = bits & 7;
  *quotient = negative ? -bits : bits;
  return __foldback_remainder(x, y);
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
  double result = x > y ? x - y : 0;
  __foldback_errno_if(__builtin_isinf(result) & __builtin_isfinite(x) & __builtin_isfinite(y), 34);
  return result;
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
  double result = __foldback_scale(x, n);
  __foldback_errno_if(__builtin_isfinite(x) & (x != 0) & (__builtin_isinf(result) | (result == 0)), 34);
  return result;
}

double scalbln(double x, long n) { return scalbn(x, n > 50000 ? 50000 : n < -50000 ? -50000 : (int)n); }
double ldexp(double x, int n) { return scalbn(x, n); }

/* |x| of a finite number as a fraction from [0.5, 1) and an exponent. */
static int __foldback_exponent(double x, double *fraction) {
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
  *fraction = size;
  return e;
}

double frexp(double x, int *exponent) {
  double fraction;
  if (x == 0 || x != x || __builtin_isinf(x)) {
    *exponent = 0;
    return x;
  }
  *exponent = __foldback_exponent(x, &fraction);
  return __builtin_copysign(fraction, x);
}

double logb(double x) {
  double fraction;
  if (x == 0)
    return -1 / __builtin_fabs(x);
  if (x != x || __builtin_isinf(x))
    return x * x;
  return __foldback_exponent(x, &fraction) - 1;
}

int ilogb(double x) {
  double fraction;
  __foldback_errno_if((x == 0) | (x != x) | __builtin_isinf(x), 33);
  if (__builtin_isinf(x))
    return 2147483647;
  if (x == 0 || x != x)
    return -2147483647 - 1;
  return __foldback_exponent(x, &fraction) - 1;
}

int __fpclassify(double x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
int __isnan(double x) { return __builtin_isnan(x); }
int __isinf(double x) { return __builtin_isinf_sign(x); }
int __finite(double x) { return __builtin_isfinite(x); }
int __signbit(double x) { return __builtin_signbit(x) != 0; }
int isnan(double x) { return __builtin_isnan(x); }
int isinf(double x) { return __builtin_isinf_sign(x); }
int finite(double x) { return __builtin_isfinite(x); }

static int __foldback_fits_long(double whole) {
  double limit = -(double)(-(long)(~0UL >> 1) - 1);
  return whole >= -limit && whole < limit;
}

static int __foldback_fits_longlong(double whole) {
  double limit = -(double)(-9223372036854775807LL - 1);
  return whole >= -limit && whole < limit;
}

/* What does not fit is unspecified. */
long lround(double x) {
  double whole = __foldback_round(x);
  return __foldback_fits_long(whole) ? (long)whole : __foldback_unknown_long();
}

/* What does not fit is unspecified. */
long long llround(double x) {
  double whole = __foldback_round(x);
  return __foldback_fits_longlong(whole) ? (long long)whole : __foldback_unknown_longlong();
}

/* What does not fit is unspecified. */
long lrint(double x) {
  double whole = __foldback_rint(x);
  return __foldback_fits_long(whole) ? (long)whole : __foldback_unknown_long();
}

/* What does not fit is unspecified. */
long long llrint(double x) {
  double whole = __foldback_rint(x);
  return __foldback_fits_longlong(whole) ? (long long)whole : __foldback_unknown_longlong();
}

/* Angles are finite, sines within one; EDOM is 33. */

static int __foldback_no_angle(double x) {
  __foldback_errno_if(__builtin_isinf(x), 33);
  return __builtin_isinf(x);
}

static int __foldback_no_sine(double x) {
  __foldback_errno_if((x < -1) | (x > 1), 33);
  return x < -1 || x > 1;
}

double sin(double x) {
  if (x != x || x == 0)
    return x;
  if (__foldback_no_angle(x))
    return x - x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= -1 && result <= 1);
  return result;
}

double cos(double x) {
  if (x != x)
    return x;
  if (__foldback_no_angle(x))
    return x - x;
  if (x == 0)
    return 1;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= -1 && result <= 1);
  return result;
}

double tan(double x) {
  if (x != x || x == 0)
    return x;
  if (__foldback_no_angle(x))
    return x - x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(__builtin_isfinite(result));
  return result;
}

void sincos(double x, double *sine, double *cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}

double asin(double x) {
  if (x != x)
    return x;
  if (__foldback_no_sine(x))
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
  if (__foldback_no_sine(x))
    return (x - x) / (x - x);
  if (x == 1)
    return 0;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= 0 && result <= 3.2);
  return result;
}

double atan(double x) {
  if (x != x || x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 && result <= 1.6 : result <= 0 && result >= -1.6);
  return result;
}

double atan2(double y, double x) {
  if (x != x || y != y)
    return x + y;
  if (y == 0 && !__builtin_signbit(x))
    return y;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= -3.2 && result <= 3.2);
  __foldback_errno_if((result == 0) & (y != 0) & __builtin_isfinite(x), 34);
  return result;
}

double sinh(double x) {
  if (x != x || x == 0 || __builtin_isinf(x))
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  __foldback_errno_if(__builtin_isfinite(x) & __builtin_isinf(result), 34);
  return result;
}

double asinh(double x) {
  if (x != x || x == 0 || __builtin_isinf(x))
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

double cbrt(double x) {
  if (x != x || x == 0 || __builtin_isinf(x))
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

double erf(double x) {
  if (x != x || x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 && result <= 1 : result <= 0 && result >= -1);
  return result;
}

double expm1(double x) {
  if (x != x || x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0 && result >= -1);
  __foldback_errno_if(__builtin_isfinite(x) & __builtin_isinf(result), 34);
  return result;
}

double tanh(double x) {
  if (x != x || x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 && result <= 1 : result <= 0 && result >= -1);
  return result;
}

double cosh(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= 1);
  __foldback_errno_if(__builtin_isfinite(x) & __builtin_isinf(result), 34);
  return result;
}

double acosh(double x) {
  if (x != x)
    return x;
  __foldback_errno_if(x < 1, 33);
  if (x < 1)
    return (x - x) / (x - x);
  if (x == 1)
    return 0;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= 0);
  return result;
}

double atanh(double x) {
  if (x != x)
    return x;
  __foldback_errno_if((x < -1) | (x > 1), 33);
  __foldback_errno_if((x == -1) | (x == 1), 34);
  if (x < -1 || x > 1)
    return (x - x) / (x - x);
  if (x == -1 || x == 1)
    return __builtin_copysign(__builtin_inf(), x);
  if (x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

/* What is known of powers of a base above one. */
static double __foldback_exponential(double x, double result) {
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  __foldback_range(x, result);
  return result;
}

double exp(double x) {
  if (x != x)
    return x;
  return x == 0 ? 1 : __foldback_exponential(x, __foldback_unknown_double());
}

double exp2(double x) {
  if (x != x)
    return x;
  return x == 0 ? 1 : __foldback_exponential(x, __foldback_unknown_double());
}

double exp10(double x) {
  if (x != x)
    return x;
  return x == 0 ? 1 : __foldback_exponential(x, __foldback_unknown_double());
}

/* The logarithm of zero, of a negative number or of NaN. */
static double __foldback_no_logarithm(double x) {
  __foldback_errno_if(x < 0, 33);
  __foldback_errno_if(x == 0, 34);
  if (x == 0)
    return -1 / __builtin_fabs(x);
  return x != x ? x : (x - x) / (x - x);
}

/* What is known of logarithms for a base above one. */
static double __foldback_logarithm(double x, double result) {
  __VERIFIER_assume(x > 1 ? result >= 0 : result <= 0);
  return result;
}

double log(double x) {
  if (!(x > 0))
    return __foldback_no_logarithm(x);
  return x == 1 ? 0 : __foldback_logarithm(x, __foldback_unknown_double());
}

double log2(double x) {
  if (!(x > 0))
    return __foldback_no_logarithm(x);
  return x == 1 ? 0 : __foldback_logarithm(x, __foldback_unknown_double());
}

double log10(double x) {
  if (!(x > 0))
    return __foldback_no_logarithm(x);
  return x == 1 ? 0 : __foldback_logarithm(x, __foldback_unknown_double());
}

double log1p(double x) {
  if (x != x)
    return x;
  __foldback_errno_if(x < -1, 33);
  __foldback_errno_if(x == -1, 34);
  if (x < -1)
    return (x - x) / (x - x);
  if (x == -1)
    return -1 / (x + 1);
  if (x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

double erfc(double x) {
  if (x != x)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= 0 && result <= 2);
  __foldback_range(x, result);
  return result;
}

double tgamma(double x) {
  if (x != x)
    return x;
  __foldback_errno_if((x < 0) & (__foldback_floor(x) == x), 33);
  if (x < 0 && __foldback_floor(x) == x)
    return (x - x) / (x - x);
  double result = x == 0 ? 1 / x : __foldback_unknown_double();
  __foldback_range(x, result);
  return result;
}

/* Sets signgam too, which is not modelled. */
double lgamma(double x) {
  if (x != x)
    return x;
  double result = x <= 0 && __foldback_floor(x) == x ? __builtin_inf() : __foldback_unknown_double();
  __foldback_errno_if(__builtin_isfinite(x) & __builtin_isinf(result), 34);
  return result;
}

/* Powers of whole numbers that are exact are what pow gives. */
static double __foldback_whole_power(double x, double y) {
  double size = __builtin_fabs(x);
  if (!(y >= 2 && y <= 52 && size >= 1 && size <= 1000000 && __foldback_trunc(x) == x && __foldback_trunc(y) == y))
    return 0;
  unsigned long long base = (unsigned long long)size;
  unsigned long long power = 1;
  int left = (int)y;
  while (left > 0) {
    power = power * base;
    if (power > FORMAT_EXACT)
      return 0;
    left--;
  }
  return x < 0 && (int)y % 2 != 0 ? -(double)power : (double)power;
}

double pow(double x, double y) {
  if (y == 0 || x == 1)
    return 1;
  if (x != x || y != y)
    return x + y;
  if (y == 1)
    return x;
  double exact = __foldback_whole_power(x, y);
  if (exact != 0)
    return exact;
  int proper = __builtin_isfinite(x) & __builtin_isfinite(y);
  int undefined = proper & (x < 0) & (__foldback_trunc(y) != y);
  __foldback_errno_if(undefined, 33);
  if (undefined)
    return (x - x) / (x - x);
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result == result);
  /* Not of -0.0, whose odd powers are negative. */
  if (x > 0)
    __VERIFIER_assume(result >= 0);
  __foldback_errno_if(proper & ((__builtin_isinf(result) != 0) | ((result == 0) & (x != 0))), 34);
  return result;
}

double hypot(double x, double y) {
  if (__builtin_isinf(x) || __builtin_isinf(y))
    return __builtin_inf();
  if (x != x || y != y)
    return x + y;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= __builtin_fabs(x) && result >= __builtin_fabs(y));
  __foldback_errno_if(__builtin_isinf(result), 34);
  return result;
}
