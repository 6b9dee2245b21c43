#ifndef _FOLDBACK_MATH_H
#define _FOLDBACK_MATH_H
#include <features.h>
typedef float float_t;
typedef double double_t;
#define HUGE_VAL (__builtin_huge_val())
#define HUGE_VALF (__builtin_huge_valf())
#define HUGE_VALL (__builtin_huge_vall())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling 3
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isnan(x) __builtin_isnan(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)
double acos(double x);
double asin(double x);
double atan(double x);
double cos(double x);
double sin(double x);
double tan(double x);
double cosh(double x);
double sinh(double x);
double tanh(double x);
double acosh(double x);
double asinh(double x);
double atanh(double x);
double exp(double x);
double exp2(double x);
double exp10(double x);
float exp10f(float x);
long double exp10l(long double x);
void sincos(double x, double *sine, double *cosine);
void sincosf(float x, float *sine, float *cosine);
void sincosl(long double x, long double *sine, long double *cosine);
double expm1(double x);
double log(double x);
double log2(double x);
double log10(double x);
double log1p(double x);
double logb(double x);
double sqrt(double x);
double cbrt(double x);
double ceil(double x);
double floor(double x);
double trunc(double x);
double round(double x);
double rint(double x);
double nearbyint(double x);
double fabs(double x);
double erf(double x);
double erfc(double x);
double tgamma(double x);
double lgamma(double x);
double atan2(double x, double y);
double pow(double x, double y);
double hypot(double x, double y);
double fmod(double x, double y);
double remainder(double x, double y);
double fmin(double x, double y);
double fmax(double x, double y);
double fdim(double x, double y);
double copysign(double x, double y);
double nextafter(double x, double y);
double fma(double x, double y, double z);
double frexp(double x, int *exponent);
double ldexp(double x, int exponent);
double modf(double x, double *whole);
double scalbn(double x, int exponent);
double scalbln(double x, long exponent);
int ilogb(double x);
long lrint(double x);
long lround(double x);
long long llrint(double x);
long long llround(double x);
double nan(const char *tag);
double nexttoward(double x, long double y);
double remquo(double x, double y, int *quotient);
int finite(double x);
float acosf(float x);
float asinf(float x);
float atanf(float x);
float cosf(float x);
float sinf(float x);
float tanf(float x);
float coshf(float x);
float sinhf(float x);
float tanhf(float x);
float acoshf(float x);
float asinhf(float x);
float atanhf(float x);
float expf(float x);
float exp2f(float x);
float expm1f(float x);
float logf(float x);
float log2f(float x);
float log10f(float x);
float log1pf(float x);
float logbf(float x);
float sqrtf(float x);
float cbrtf(float x);
float ceilf(float x);
float floorf(float x);
float truncf(float x);
float roundf(float x);
float rintf(float x);
float nearbyintf(float x);
float fabsf(float x);
float erff(float x);
float erfcf(float x);
float tgammaf(float x);
float lgammaf(float x);
float atan2f(float x, float y);
float powf(float x, float y);
float hypotf(float x, float y);
float fmodf(float x, float y);
float remainderf(float x, float y);
float fminf(float x, float y);
float fmaxf(float x, float y);
float fdimf(float x, float y);
float copysignf(float x, float y);
float nextafterf(float x, float y);
float fmaf(float x, float y, float z);
float frexpf(float x, int *exponent);
float ldexpf(float x, int exponent);
float modff(float x, float *whole);
float scalbnf(float x, int exponent);
float scalblnf(float x, long exponent);
int ilogbf(float x);
long lrintf(float x);
long lroundf(float x);
long long llrintf(float x);
long long llroundf(float x);
float nanf(const char *tag);
float nexttowardf(float x, long double y);
float remquof(float x, float y, int *quotient);
int finitef(float x);
long double acosl(long double x);
long double asinl(long double x);
long double atanl(long double x);
long double cosl(long double x);
long double sinl(long double x);
long double tanl(long double x);
long double coshl(long double x);
long double sinhl(long double x);
long double tanhl(long double x);
long double acoshl(long double x);
long double asinhl(long double x);
long double atanhl(long double x);
long double expl(long double x);
long double exp2l(long double x);
long double expm1l(long double x);
long double logl(long double x);
long double log2l(long double x);
long double log10l(long double x);
long double log1pl(long double x);
long double logbl(long double x);
long double sqrtl(long double x);
long double cbrtl(long double x);
long double ceill(long double x);
long double floorl(long double x);
long double truncl(long double x);
long double roundl(long double x);
long double rintl(long double x);
long double nearbyintl(long double x);
long double fabsl(long double x);
long double erfl(long double x);
long double erfcl(long double x);
long double tgammal(long double x);
long double lgammal(long double x);
long double atan2l(long double x, long double y);
long double powl(long double x, long double y);
long double hypotl(long double x, long double y);
long double fmodl(long double x, long double y);
long double remainderl(long double x, long double y);
long double fminl(long double x, long double y);
long double fmaxl(long double x, long double y);
long double fdiml(long double x, long double y);
long double copysignl(long double x, long double y);
long double nextafterl(long double x, long double y);
long double fmal(long double x, long double y, long double z);
long double frexpl(long double x, int *exponent);
long double ldexpl(long double x, int exponent);
long double modfl(long double x, long double *whole);
long double scalbnl(long double x, int exponent);
long double scalblnl(long double x, long exponent);
int ilogbl(long double x);
long lrintl(long double x);
long lroundl(long double x);
long long llrintl(long double x);
long long llroundl(long double x);
long double nanl(const char *tag);
long double nexttowardl(long double x, long double y);
long double remquol(long double x, long double y, int *quotient);
int finitel(long double x);
extern int signgam;
double j0(double x);
double j1(double x);
double y0(double x);
double y1(double x);
double gamma(double x);
double drem(double x, double y);
float dremf(float x, float y);
long double dreml(long double x, long double y);
double roundeven(double x);
float roundevenf(float x);
long double roundevenl(long double x);
#ifdef __USE_GNU
#define FP_INT_UPWARD 0
#define FP_INT_DOWNWARD 1
#define FP_INT_TOWARDZERO 2
#define FP_INT_TONEARESTFROMZERO 3
#define FP_INT_TONEAREST 4
#define M_1_PIf 0.31830988618379067154f
#define M_1_PIf128 0.318309886183790671537767526745028724f128
#define M_1_PIf32 0.318309886183790671537767526745028724f32
#define M_1_PIf32x 0.318309886183790671537767526745028724f32x
#define M_1_PIf64 0.318309886183790671537767526745028724f64
#define M_1_PIf64x 0.318309886183790671537767526745028724f64x
#define M_1_PIl 0.318309886183790671537767526745028724L
#define M_2_PIf 0.63661977236758134308f
#define M_2_PIf128 0.636619772367581343075535053490057448f128
#define M_2_PIf32 0.636619772367581343075535053490057448f32
#define M_2_PIf32x 0.636619772367581343075535053490057448f32x
#define M_2_PIf64 0.636619772367581343075535053490057448f64
#define M_2_PIf64x 0.636619772367581343075535053490057448f64x
#define M_2_PIl 0.636619772367581343075535053490057448L
#define M_2_SQRTPIf 1.12837916709551257390f
#define M_2_SQRTPIf128 1.128379167095512573896158903121545172f128
#define M_2_SQRTPIf32 1.128379167095512573896158903121545172f32
#define M_2_SQRTPIf32x 1.128379167095512573896158903121545172f32x
#define M_2_SQRTPIf64 1.128379167095512573896158903121545172f64
#define M_2_SQRTPIf64x 1.128379167095512573896158903121545172f64x
#define M_2_SQRTPIl 1.128379167095512573896158903121545172L
#define M_Ef 2.7182818284590452354f
#define M_Ef128 2.718281828459045235360287471352662498f128
#define M_Ef32 2.718281828459045235360287471352662498f32
#define M_Ef32x 2.718281828459045235360287471352662498f32x
#define M_Ef64 2.718281828459045235360287471352662498f64
#define M_Ef64x 2.718281828459045235360287471352662498f64x
#define M_El 2.718281828459045235360287471352662498L
#define M_LN10f 2.30258509299404568402f
#define M_LN10f128 2.302585092994045684017991454684364208f128
#define M_LN10f32 2.302585092994045684017991454684364208f32
#define M_LN10f32x 2.302585092994045684017991454684364208f32x
#define M_LN10f64 2.302585092994045684017991454684364208f64
#define M_LN10f64x 2.302585092994045684017991454684364208f64x
#define M_LN10l 2.302585092994045684017991454684364208L
#define M_LN2f 0.69314718055994530942f
#define M_LN2f128 0.693147180559945309417232121458176568f128
#define M_LN2f32x 0.693147180559945309417232121458176568f32x
#define M_LN2f64 0.693147180559945309417232121458176568f64
#define M_LN2f64x 0.693147180559945309417232121458176568f64x
#define M_LN2l 0.693147180559945309417232121458176568L
#define M_LOG10Ef 0.43429448190325182765f
#define M_LOG10Ef128 0.434294481903251827651128918916605082f128
#define M_LOG10Ef32 0.434294481903251827651128918916605082f32
#define M_LOG10Ef32x 0.434294481903251827651128918916605082f32x
#define M_LOG10Ef64 0.434294481903251827651128918916605082f64
#define M_LOG10Ef64x 0.434294481903251827651128918916605082f64x
#define M_LOG10El 0.434294481903251827651128918916605082L
#define M_LOG2Ef 1.4426950408889634074f
#define M_LOG2Ef128 1.442695040888963407359924681001892137f128
#define M_LOG2Ef32 1.442695040888963407359924681001892137f32
#define M_LOG2Ef32x 1.442695040888963407359924681001892137f32x
#define M_LOG2Ef64 1.442695040888963407359924681001892137f64
#define M_LOG2Ef64x 1.442695040888963407359924681001892137f64x
#define M_LOG2El 1.442695040888963407359924681001892137L
#define M_PI_2f 1.57079632679489661923f
#define M_PI_2f128 1.570796326794896619231321691639751442f128
#define M_PI_2f32 1.570796326794896619231321691639751442f32
#define M_PI_2f32x 1.570796326794896619231321691639751442f32x
#define M_PI_2f64 1.570796326794896619231321691639751442f64
#define M_PI_2f64x 1.570796326794896619231321691639751442f64x
#define M_PI_2l 1.570796326794896619231321691639751442L
#define M_PI_4f 0.78539816339744830962f
#define M_PI_4f128 0.785398163397448309615660845819875721f128
#define M_PI_4f32 0.785398163397448309615660845819875721f32
#define M_PI_4f32x 0.785398163397448309615660845819875721f32x
#define M_PI_4f64 0.785398163397448309615660845819875721f64
#define M_PI_4f64x 0.785398163397448309615660845819875721f64x
#define M_PI_4l 0.785398163397448309615660845819875721L
#define M_PIf 3.14159265358979323846f
#define M_PIf128 3.141592653589793238462643383279502884f128
#define M_PIf32 3.141592653589793238462643383279502884f32
#define M_PIf32x 3.141592653589793238462643383279502884f32x
#define M_PIf64 3.141592653589793238462643383279502884f64
#define M_PIf64x 3.141592653589793238462643383279502884f64x
#define M_PIl 3.141592653589793238462643383279502884L
#define M_SQRT1_2f 0.70710678118654752440f
#define M_SQRT1_2f128 0.707106781186547524400844362104849039f128
#define M_SQRT1_2f32 0.707106781186547524400844362104849039f32
#define M_SQRT1_2f32x 0.707106781186547524400844362104849039f32x
#define M_SQRT1_2f64 0.707106781186547524400844362104849039f64
#define M_SQRT1_2f64x 0.707106781186547524400844362104849039f64x
#define M_SQRT1_2l 0.707106781186547524400844362104849039L
#define M_SQRT2f 1.41421356237309504880f
#define M_SQRT2f128 1.414213562373095048801688724209698079f128
#define M_SQRT2f32 1.414213562373095048801688724209698079f32
#define M_SQRT2f32x 1.414213562373095048801688724209698079f32x
#define M_SQRT2f64 1.414213562373095048801688724209698079f64
#define M_SQRT2f64x 1.414213562373095048801688724209698079f64x
#define M_SQRT2l 1.414213562373095048801688724209698079L
#define issubnormal(x) (fpclassify (x) == FP_SUBNORMAL)
#ifdef __LP64__
#define FP_LLOGB0 (-0x7fffffffffffffffL - 1)
#define FP_LLOGBNAN (-0x7fffffffffffffffL - 1)
#else
#define FP_LLOGB0 (-0x7fffffffL - 1)
#define FP_LLOGBNAN (-0x7fffffffL - 1)
#endif
#endif
#ifdef __USE_XOPEN
#define MAXFLOAT 3.40282347e+38F
#endif
#ifdef __USE_GNU
#define iszero(x) (((__typeof(x))(x)) == 0)
#define SNAN (__builtin_nans(""))
#define SNANF (__builtin_nansf(""))
#define SNANL (__builtin_nansl(""))
#endif
#endif
