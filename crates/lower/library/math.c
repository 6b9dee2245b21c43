/* math.h. What IEEE 754 defines exactly is exact; functions that are only approximated by any library (sin, exp, pow, ...)
   are unknown values within facts that hold for glibc's results. errno is set as glibc does: EDOM (33) where the function
   is not defined, ERANGE (34) at poles and where the result overflows or underflows to zero. */

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
  if (__builtin_isinf(8 * size) || size < 2.2250738585072014e-308) {
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

union __foldback_bits {
  double value;
  unsigned long long bits;
};

/* 2^n for a normal number. */
static double __foldback_power(int n) {
  union __foldback_bits power;
  power.bits = (unsigned long long)(1023 + n) << 52;
  return power.value;
}

/* x * 2^n, rounded once: the steps before the last are exact. */
static double __foldback_scale(double x, int n) {
  int down = -1022 + 53;
  if (n > 1023) {
    x = x * __foldback_power(1023);
    n -= 1023;
    if (n > 1023) {
      x = x * __foldback_power(1023);
      n -= 1023;
      if (n > 1023)
        n = 1023;
    }
  } else if (n < -1022) {
    x = x * __foldback_power(down);
    n -= down;
    if (n < -1022) {
      x = x * __foldback_power(down);
      n -= down;
      if (n < -1022)
        n = -1022;
    }
  }
  return x * __foldback_power(n);
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

/* The next number after x in the direction of y. */
static double __foldback_next(double x, int up) {
  union __foldback_bits next;
  next.value = x;
  if (x == 0) {
    next.bits = 1;
    next.value = up ? next.value : -next.value;
  } else if ((x > 0) == up) {
    next.bits = next.bits + 1;
  } else {
    next.bits = next.bits - 1;
  }
  __foldback_errno_if((x != 0) & (__builtin_isinf(next.value) | ((next.bits << 1) >> 53 == 0)), 34);
  return next.value;
}

double nextafter(double x, double y) {
  if (x != x || y != y)
    return x + y;
  return x == y ? y : __foldback_next(x, x < y);
}

double nexttoward(double x, long double y) {
  if (x != x || y != y)
    return x + y;
  return x == y ? y : __foldback_next(x, x < y);
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
  __foldback_errno_if(__builtin_isinf(x), 33);
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
  __foldback_errno_if(__builtin_isinf(x), 33);
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
  __foldback_errno_if(__builtin_isinf(x), 33);
  if (__builtin_isinf(x))
    return x - x;
  if (x == 0)
    return x;
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
  __foldback_errno_if((x < -1) | (x > 1), 33);
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
  __foldback_errno_if((x < -1) | (x > 1), 33);
  if (x < -1 || x > 1)
    return (x - x) / (x - x);
  if (x == 1)
    return 0;
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
  if (y == 0 && !__builtin_signbit(x))
    return y;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result >= -3.2 && result <= 3.2);
  __foldback_errno_if((result == 0) & (y != 0) & __builtin_isfinite(x), 34);
  return result;
}

double sinh(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  if (__builtin_isinf(x))
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  __foldback_errno_if(__builtin_isfinite(x) & __builtin_isinf(result), 34);
  return result;
}

double asinh(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  if (__builtin_isinf(x))
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
  if (__builtin_isinf(x))
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
  __VERIFIER_assume(x > 0 ? result >= 0 && result <= 1 : result <= 0 && result >= -1);
  return result;
}

double expm1(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0 && result >= -1);
  __foldback_errno_if(__builtin_isfinite(x) & __builtin_isinf(result), 34);
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

double exp(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  __foldback_range(x, result);
  return result;
}

double exp2(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  __foldback_range(x, result);
  return result;
}

double exp10(double x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  double result = __foldback_unknown_double();
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  __foldback_range(x, result);
  return result;
}

double log(double x) {
  if (x != x)
    return x;
  __foldback_errno_if(x < 0, 33);
  __foldback_errno_if(x == 0, 34);
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
  __foldback_errno_if(x < 0, 33);
  __foldback_errno_if(x == 0, 34);
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
  __foldback_errno_if(x < 0, 33);
  __foldback_errno_if(x == 0, 34);
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
    if (power > 9007199254740992ULL)
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
  int finite = __builtin_isfinite(x) & __builtin_isfinite(y);
  int undefined = finite & (x < 0) & (__foldback_trunc(y) != y);
  __foldback_errno_if(undefined, 33);
  if (undefined)
    return (x - x) / (x - x);
  double result = __foldback_unknown_double();
  __VERIFIER_assume(result == result);
  /* Not of -0.0, whose odd powers are negative. */
  if (x > 0)
    __VERIFIER_assume(result >= 0);
  __foldback_errno_if(finite & ((__builtin_isinf(result) != 0) | ((result == 0) & (x != 0))), 34);
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

/* float */

/* A finite argument whose result overflows, or underflows to zero. */
static void __foldback_rangef(float x, float result) {
  __foldback_errno_if(__builtin_isfinite(x) & (__builtin_isinf(result) | (result == 0)), 34);
}

float fabsf(float x) { return __builtin_fabsf(x); }

float sqrtf(float x) {
  __foldback_errno_if(x < 0, 33);
  return __foldback_sqrtf(x);
}

float rintf(float x) { return __foldback_rintf(x); }
float nearbyintf(float x) { return __foldback_rintf(x); }
float roundevenf(float x) { return __foldback_rintf(x); }
float floorf(float x) { return __foldback_floorf(x); }
float ceilf(float x) { return __foldback_ceilf(x); }
float truncf(float x) { return __foldback_truncf(x); }
float roundf(float x) { return __foldback_roundf(x); }
float fmaf(float x, float y, float z) { return __foldback_fmaf(x, y, z); }
float copysignf(float x, float y) { return __builtin_copysignf(x, y); }

float remainderf(float x, float y) {
  __foldback_errno_if((__builtin_isinf(x) | (y == 0)) & (x == x) & (y == y), 33);
  return __foldback_remainderf(x, y);
}

float dremf(float x, float y) { return remainderf(x, y); }

/* The IEEE remainder is at most |y|/2 away from zero; where it is negative, the next multiple of y down is meant. */
static float __foldback_fmodf(float x, float y) {
  float size = __builtin_fabsf(y);
  float rest = __foldback_remainderf(__builtin_fabsf(x), size);
  if (rest < 0)
    rest = rest + size;
  if (rest != rest)
    return rest;
  return __builtin_copysignf(rest, x);
}

float fmodf(float x, float y) {
  __foldback_errno_if((__builtin_isinf(x) | (y == 0)) & (x == x) & (y == y), 33);
  return __foldback_fmodf(x, y);
}

/* The remainder, and the low three bits of the quotient with its sign. */
float remquof(float x, float y, int *quotient) {
  int negative = __builtin_signbitf(x) != __builtin_signbitf(y);
  float rest = __foldback_fmodf(__builtin_fabsf(x), 8 * __builtin_fabsf(y));
  float size = __builtin_fabsf(y);
  int bits = 0;
  if (x != x || y != y || __builtin_isinf(x) || y == 0) {
    *quotient = 0;
    return __foldback_remainderf(x, y);
  }
  if (__builtin_isinf(8 * size) || size < 1.17549435e-38f) {
    *quotient = __foldback_unknown_int();
    __VERIFIER_assume(*quotient >= -7 && *quotient <= 7);
    return __foldback_remainderf(x, y);
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
  return __foldback_remainderf(x, y);
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
  float result = x > y ? x - y : 0;
  __foldback_errno_if(__builtin_isinf(result) & __builtin_isfinite(x) & __builtin_isfinite(y), 34);
  return result;
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

union __foldback_bitsf {
  float value;
  unsigned int bits;
};

/* 2^n for a normal number. */
static float __foldback_powerf(int n) {
  union __foldback_bitsf power;
  power.bits = (unsigned int)(127 + n) << 23;
  return power.value;
}

/* x * 2^n, rounded once: the steps before the last are exact. */
static float __foldback_scalef(float x, int n) {
  int down = -126 + 24;
  if (n > 127) {
    x = x * __foldback_powerf(127);
    n -= 127;
    if (n > 127) {
      x = x * __foldback_powerf(127);
      n -= 127;
      if (n > 127)
        n = 127;
    }
  } else if (n < -126) {
    x = x * __foldback_powerf(down);
    n -= down;
    if (n < -126) {
      x = x * __foldback_powerf(down);
      n -= down;
      if (n < -126)
        n = -126;
    }
  }
  return x * __foldback_powerf(n);
}

float scalbnf(float x, int n) {
  float result = __foldback_scalef(x, n);
  __foldback_errno_if(__builtin_isfinite(x) & (x != 0) & (__builtin_isinf(result) | (result == 0)), 34);
  return result;
}

float scalblnf(float x, long n) { return scalbnf(x, n > 50000 ? 50000 : n < -50000 ? -50000 : (int)n); }
float ldexpf(float x, int n) { return scalbnf(x, n); }

/* |x| of a finite number as a fraction from [0.5, 1) and an exponent. */
static int __foldback_exponentf(float x, float *fraction) {
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
  *fraction = size;
  return e;
}

float frexpf(float x, int *exponent) {
  float fraction;
  if (x == 0 || x != x || __builtin_isinf(x)) {
    *exponent = 0;
    return x;
  }
  *exponent = __foldback_exponentf(x, &fraction);
  return __builtin_copysignf(fraction, x);
}

float logbf(float x) {
  float fraction;
  if (x == 0)
    return -1 / __builtin_fabsf(x);
  if (x != x || __builtin_isinf(x))
    return x * x;
  return __foldback_exponentf(x, &fraction) - 1;
}

int ilogbf(float x) {
  float fraction;
  __foldback_errno_if((x == 0) | (x != x) | __builtin_isinf(x), 33);
  if (__builtin_isinf(x))
    return 2147483647;
  if (x == 0 || x != x)
    return -2147483647 - 1;
  return __foldback_exponentf(x, &fraction) - 1;
}

/* The next number after x in the direction of y. */
static float __foldback_nextf(float x, int up) {
  union __foldback_bitsf next;
  next.value = x;
  if (x == 0) {
    next.bits = 1;
    next.value = up ? next.value : -next.value;
  } else if ((x > 0) == up) {
    next.bits = next.bits + 1;
  } else {
    next.bits = next.bits - 1;
  }
  __foldback_errno_if((x != 0) & (__builtin_isinf(next.value) | ((next.bits << 1) >> 24 == 0)), 34);
  return next.value;
}

float nextafterf(float x, float y) {
  if (x != x || y != y)
    return x + y;
  return x == y ? y : __foldback_nextf(x, x < y);
}

float nexttowardf(float x, long double y) {
  if (x != x || y != y)
    return x + y;
  return x == y ? y : __foldback_nextf(x, x < y);
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
  __foldback_errno_if(__builtin_isinf(x), 33);
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
  __foldback_errno_if(__builtin_isinf(x), 33);
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
  __foldback_errno_if(__builtin_isinf(x), 33);
  if (__builtin_isinf(x))
    return x - x;
  if (x == 0)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(__builtin_isfinite(result));
  return result;
}

void sincosf(float x, float *sine, float *cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}

float asinf(float x) {
  if (x != x)
    return x;
  __foldback_errno_if((x < -1) | (x > 1), 33);
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
  __foldback_errno_if((x < -1) | (x > 1), 33);
  if (x < -1 || x > 1)
    return (x - x) / (x - x);
  if (x == 1)
    return 0;
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
  if (y == 0 && !__builtin_signbitf(x))
    return y;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(result >= -3.2 && result <= 3.2);
  __foldback_errno_if((result == 0) & (y != 0) & __builtin_isfinite(x), 34);
  return result;
}

float sinhf(float x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  if (__builtin_isinf(x))
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  __foldback_errno_if(__builtin_isfinite(x) & __builtin_isinf(result), 34);
  return result;
}

float asinhf(float x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  if (__builtin_isinf(x))
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
  if (__builtin_isinf(x))
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
  __VERIFIER_assume(x > 0 ? result >= 0 && result <= 1 : result <= 0 && result >= -1);
  return result;
}

float expm1f(float x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0 && result >= -1);
  __foldback_errno_if(__builtin_isfinite(x) & __builtin_isinf(result), 34);
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
  if (x == 0)
    return 1;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(result >= 1);
  __foldback_errno_if(__builtin_isfinite(x) & __builtin_isinf(result), 34);
  return result;
}

float acoshf(float x) {
  if (x != x)
    return x;
  __foldback_errno_if(x < 1, 33);
  if (x < 1)
    return (x - x) / (x - x);
  if (x == 1)
    return 0;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(result >= 0);
  return result;
}

float atanhf(float x) {
  if (x != x)
    return x;
  __foldback_errno_if((x < -1) | (x > 1), 33);
  __foldback_errno_if((x == -1) | (x == 1), 34);
  if (x < -1 || x > 1)
    return (x - x) / (x - x);
  if (x == -1 || x == 1)
    return __builtin_copysignf(__builtin_inff(), x);
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
  __foldback_rangef(x, result);
  return result;
}

float exp2f(float x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  __foldback_rangef(x, result);
  return result;
}

float exp10f(float x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  __foldback_rangef(x, result);
  return result;
}

float logf(float x) {
  if (x != x)
    return x;
  __foldback_errno_if(x < 0, 33);
  __foldback_errno_if(x == 0, 34);
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
  __foldback_errno_if(x < 0, 33);
  __foldback_errno_if(x == 0, 34);
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
  __foldback_errno_if(x < 0, 33);
  __foldback_errno_if(x == 0, 34);
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
  __foldback_errno_if(x < -1, 33);
  __foldback_errno_if(x == -1, 34);
  if (x < -1)
    return (x - x) / (x - x);
  if (x == -1)
    return -1 / (x + 1);
  if (x == 0)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

float erfcf(float x) {
  if (x != x)
    return x;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(result >= 0 && result <= 2);
  __foldback_rangef(x, result);
  return result;
}

float tgammaf(float x) {
  if (x != x)
    return x;
  __foldback_errno_if((x < 0) & (__foldback_floorf(x) == x), 33);
  if (x < 0 && __foldback_floorf(x) == x)
    return (x - x) / (x - x);
  float result = x == 0 ? 1 / x : __foldback_unknown_float();
  __foldback_rangef(x, result);
  return result;
}

/* Sets signgam too, which is not modelled. */
float lgammaf(float x) {
  if (x != x)
    return x;
  float result = x <= 0 && __foldback_floorf(x) == x ? __builtin_inff() : __foldback_unknown_float();
  __foldback_errno_if(__builtin_isfinite(x) & __builtin_isinf(result), 34);
  return result;
}

/* Powers of whole numbers that are exact are what pow gives. */
static float __foldback_whole_powerf(float x, float y) {
  float size = __builtin_fabsf(x);
  if (!(y >= 2 && y <= 52 && size >= 1 && size <= 1000000 && __foldback_truncf(x) == x && __foldback_truncf(y) == y))
    return 0;
  unsigned long long base = (unsigned long long)size;
  unsigned long long power = 1;
  int left = (int)y;
  while (left > 0) {
    power = power * base;
    if (power > 16777216ULL)
      return 0;
    left--;
  }
  return x < 0 && (int)y % 2 != 0 ? -(float)power : (float)power;
}

float powf(float x, float y) {
  if (y == 0 || x == 1)
    return 1;
  if (x != x || y != y)
    return x + y;
  if (y == 1)
    return x;
  float exact = __foldback_whole_powerf(x, y);
  if (exact != 0)
    return exact;
  int finite = __builtin_isfinite(x) & __builtin_isfinite(y);
  int undefined = finite & (x < 0) & (__foldback_truncf(y) != y);
  __foldback_errno_if(undefined, 33);
  if (undefined)
    return (x - x) / (x - x);
  float result = __foldback_unknown_float();
  __VERIFIER_assume(result == result);
  /* Not of -0.0, whose odd powers are negative. */
  if (x > 0)
    __VERIFIER_assume(result >= 0);
  __foldback_errno_if(finite & ((__builtin_isinf(result) != 0) | ((result == 0) & (x != 0))), 34);
  return result;
}

float hypotf(float x, float y) {
  if (__builtin_isinf(x) || __builtin_isinf(y))
    return __builtin_inff();
  if (x != x || y != y)
    return x + y;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(result >= __builtin_fabsf(x) && result >= __builtin_fabsf(y));
  __foldback_errno_if(__builtin_isinf(result), 34);
  return result;
}

/* long double */

/* A finite argument whose result overflows, or underflows to zero. */
static void __foldback_rangel(long double x, long double result) {
  __foldback_errno_if(__builtin_isfinite(x) & (__builtin_isinf(result) | (result == 0)), 34);
}

long double fabsl(long double x) { return __builtin_fabsl(x); }

long double sqrtl(long double x) {
  __foldback_errno_if(x < 0, 33);
  return __foldback_sqrtl(x);
}

long double rintl(long double x) { return __foldback_rintl(x); }
long double nearbyintl(long double x) { return __foldback_rintl(x); }
long double roundevenl(long double x) { return __foldback_rintl(x); }
long double floorl(long double x) { return __foldback_floorl(x); }
long double ceill(long double x) { return __foldback_ceill(x); }
long double truncl(long double x) { return __foldback_truncl(x); }
long double roundl(long double x) { return __foldback_roundl(x); }
long double fmal(long double x, long double y, long double z) { return __foldback_fmal(x, y, z); }
long double copysignl(long double x, long double y) { return __builtin_copysignl(x, y); }

long double remainderl(long double x, long double y) {
  __foldback_errno_if((__builtin_isinf(x) | (y == 0)) & (x == x) & (y == y), 33);
  return __foldback_remainderl(x, y);
}

long double dreml(long double x, long double y) { return remainderl(x, y); }

/* The IEEE remainder is at most |y|/2 away from zero; where it is negative, the next multiple of y down is meant. */
static long double __foldback_fmodl(long double x, long double y) {
  long double size = __builtin_fabsl(y);
  long double rest = __foldback_remainderl(__builtin_fabsl(x), size);
  if (rest < 0)
    rest = rest + size;
  if (rest != rest)
    return rest;
  return __builtin_copysignl(rest, x);
}

long double fmodl(long double x, long double y) {
  __foldback_errno_if((__builtin_isinf(x) | (y == 0)) & (x == x) & (y == y), 33);
  return __foldback_fmodl(x, y);
}

/* The remainder, and the low three bits of the quotient with its sign. */
long double remquol(long double x, long double y, int *quotient) {
  int negative = __builtin_signbitl(x) != __builtin_signbitl(y);
  long double rest = __foldback_fmodl(__builtin_fabsl(x), 8 * __builtin_fabsl(y));
  long double size = __builtin_fabsl(y);
  int bits = 0;
  if (x != x || y != y || __builtin_isinf(x) || y == 0) {
    *quotient = 0;
    return __foldback_remainderl(x, y);
  }
  if (__builtin_isinf(8 * size) || size < 3.3621031431120935063e-4932L) {
    *quotient = __foldback_unknown_int();
    __VERIFIER_assume(*quotient >= -7 && *quotient <= 7);
    return __foldback_remainderl(x, y);
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
  return __foldback_remainderl(x, y);
}

long double fminl(long double x, long double y) {
  if (x != x)
    return y;
  if (y != y)
    return x;
  return x <= y ? x : y;
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
  long double result = x > y ? x - y : 0;
  __foldback_errno_if(__builtin_isinf(result) & __builtin_isfinite(x) & __builtin_isfinite(y), 34);
  return result;
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

/* x * 2^n, for numbers that stay normal. */
static long double __foldback_scalel(long double x, int n) {
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
  return n < 0 ? x / factor : x * factor;
}

long double scalbnl(long double x, int n) {
  long double result = __foldback_scalel(x, n);
  __foldback_errno_if(__builtin_isfinite(x) & (x != 0) & (__builtin_isinf(result) | (result == 0)), 34);
  return result;
}

long double scalblnl(long double x, long n) { return scalbnl(x, n > 50000 ? 50000 : n < -50000 ? -50000 : (int)n); }
long double ldexpl(long double x, int n) { return scalbnl(x, n); }

/* |x| of a finite number as a fraction from [0.5, 1) and an exponent. */
static int __foldback_exponentl(long double x, long double *fraction) {
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
  *fraction = size;
  return e;
}

long double frexpl(long double x, int *exponent) {
  long double fraction;
  if (x == 0 || x != x || __builtin_isinf(x)) {
    *exponent = 0;
    return x;
  }
  *exponent = __foldback_exponentl(x, &fraction);
  return __builtin_copysignl(fraction, x);
}

long double logbl(long double x) {
  long double fraction;
  if (x == 0)
    return -1 / __builtin_fabsl(x);
  if (x != x || __builtin_isinf(x))
    return x * x;
  return __foldback_exponentl(x, &fraction) - 1;
}

int ilogbl(long double x) {
  long double fraction;
  __foldback_errno_if((x == 0) | (x != x) | __builtin_isinf(x), 33);
  if (__builtin_isinf(x))
    return 2147483647;
  if (x == 0 || x != x)
    return -2147483647 - 1;
  return __foldback_exponentl(x, &fraction) - 1;
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
  __foldback_errno_if(__builtin_isinf(x), 33);
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
  __foldback_errno_if(__builtin_isinf(x), 33);
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
  __foldback_errno_if(__builtin_isinf(x), 33);
  if (__builtin_isinf(x))
    return x - x;
  if (x == 0)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(__builtin_isfinite(result));
  return result;
}

void sincosl(long double x, long double *sine, long double *cosine) {
  *sine = sinl(x);
  *cosine = cosl(x);
}

long double asinl(long double x) {
  if (x != x)
    return x;
  __foldback_errno_if((x < -1) | (x > 1), 33);
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
  __foldback_errno_if((x < -1) | (x > 1), 33);
  if (x < -1 || x > 1)
    return (x - x) / (x - x);
  if (x == 1)
    return 0;
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
  if (y == 0 && !__builtin_signbitl(x))
    return y;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(result >= -3.2 && result <= 3.2);
  __foldback_errno_if((result == 0) & (y != 0) & __builtin_isfinite(x), 34);
  return result;
}

long double sinhl(long double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  if (__builtin_isinf(x))
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  __foldback_errno_if(__builtin_isfinite(x) & __builtin_isinf(result), 34);
  return result;
}

long double asinhl(long double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  if (__builtin_isinf(x))
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
  if (__builtin_isinf(x))
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
  __VERIFIER_assume(x > 0 ? result >= 0 && result <= 1 : result <= 0 && result >= -1);
  return result;
}

long double expm1l(long double x) {
  if (x != x)
    return x;
  if (x == 0)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0 && result >= -1);
  __foldback_errno_if(__builtin_isfinite(x) & __builtin_isinf(result), 34);
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
  if (x == 0)
    return 1;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(result >= 1);
  __foldback_errno_if(__builtin_isfinite(x) & __builtin_isinf(result), 34);
  return result;
}

long double acoshl(long double x) {
  if (x != x)
    return x;
  __foldback_errno_if(x < 1, 33);
  if (x < 1)
    return (x - x) / (x - x);
  if (x == 1)
    return 0;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(result >= 0);
  return result;
}

long double atanhl(long double x) {
  if (x != x)
    return x;
  __foldback_errno_if((x < -1) | (x > 1), 33);
  __foldback_errno_if((x == -1) | (x == 1), 34);
  if (x < -1 || x > 1)
    return (x - x) / (x - x);
  if (x == -1 || x == 1)
    return __builtin_copysignl(__builtin_infl(), x);
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
  __foldback_rangel(x, result);
  return result;
}

long double exp2l(long double x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  __foldback_rangel(x, result);
  return result;
}

long double exp10l(long double x) {
  if (x != x)
    return x;
  if (x == 0)
    return 1;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 1 : result >= 0 && result <= 1);
  __foldback_rangel(x, result);
  return result;
}

long double logl(long double x) {
  if (x != x)
    return x;
  __foldback_errno_if(x < 0, 33);
  __foldback_errno_if(x == 0, 34);
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
  __foldback_errno_if(x < 0, 33);
  __foldback_errno_if(x == 0, 34);
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
  __foldback_errno_if(x < 0, 33);
  __foldback_errno_if(x == 0, 34);
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
  __foldback_errno_if(x < -1, 33);
  __foldback_errno_if(x == -1, 34);
  if (x < -1)
    return (x - x) / (x - x);
  if (x == -1)
    return -1 / (x + 1);
  if (x == 0)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(x > 0 ? result >= 0 : result <= 0);
  return result;
}

long double erfcl(long double x) {
  if (x != x)
    return x;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(result >= 0 && result <= 2);
  __foldback_rangel(x, result);
  return result;
}

long double tgammal(long double x) {
  if (x != x)
    return x;
  __foldback_errno_if((x < 0) & (__foldback_floorl(x) == x), 33);
  if (x < 0 && __foldback_floorl(x) == x)
    return (x - x) / (x - x);
  long double result = x == 0 ? 1 / x : __foldback_unknown_longdouble();
  __foldback_rangel(x, result);
  return result;
}

/* Sets signgam too, which is not modelled. */
long double lgammal(long double x) {
  if (x != x)
    return x;
  long double result = x <= 0 && __foldback_floorl(x) == x ? __builtin_infl() : __foldback_unknown_longdouble();
  __foldback_errno_if(__builtin_isfinite(x) & __builtin_isinf(result), 34);
  return result;
}

/* Powers of whole numbers that are exact are what pow gives. */
static long double __foldback_whole_powerl(long double x, long double y) {
  long double size = __builtin_fabsl(x);
  if (!(y >= 2 && y <= 52 && size >= 1 && size <= 1000000 && __foldback_truncl(x) == x && __foldback_truncl(y) == y))
    return 0;
  unsigned long long base = (unsigned long long)size;
  unsigned long long power = 1;
  int left = (int)y;
  while (left > 0) {
    power = power * base;
    if (power > 9007199254740992ULL)
      return 0;
    left--;
  }
  return x < 0 && (int)y % 2 != 0 ? -(long double)power : (long double)power;
}

long double powl(long double x, long double y) {
  if (y == 0 || x == 1)
    return 1;
  if (x != x || y != y)
    return x + y;
  if (y == 1)
    return x;
  long double exact = __foldback_whole_powerl(x, y);
  if (exact != 0)
    return exact;
  int finite = __builtin_isfinite(x) & __builtin_isfinite(y);
  int undefined = finite & (x < 0) & (__foldback_truncl(y) != y);
  __foldback_errno_if(undefined, 33);
  if (undefined)
    return (x - x) / (x - x);
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(result == result);
  /* Not of -0.0, whose odd powers are negative. */
  if (x > 0)
    __VERIFIER_assume(result >= 0);
  __foldback_errno_if(finite & ((__builtin_isinf(result) != 0) | ((result == 0) & (x != 0))), 34);
  return result;
}

long double hypotl(long double x, long double y) {
  if (__builtin_isinf(x) || __builtin_isinf(y))
    return __builtin_infl();
  if (x != x || y != y)
    return x + y;
  long double result = __foldback_unknown_longdouble();
  __VERIFIER_assume(result >= __builtin_fabsl(x) && result >= __builtin_fabsl(y));
  __foldback_errno_if(__builtin_isinf(result), 34);
  return result;
}
