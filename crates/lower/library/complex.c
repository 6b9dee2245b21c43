/* Products of complex numbers both of whose parts came out as no number: C11 annex G wants an infinity where an operand
   or a partial product is one. And quotients. */
static double __foldback_unit(double x) { return __builtin_copysign(__builtin_isinf(x) ? 1.0 : 0.0, x); }

static double __foldback_no_nan(double x) { return __builtin_isnan(x) ? __builtin_copysign(0.0, x) : x; }

_Complex double __muldc3(double a, double b, double c, double d) {
  double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  double x = ac - bd, y = ad + bc;
  int again = 0;
  if (__builtin_isinf(a) || __builtin_isinf(b)) {
    a = __foldback_unit(a);
    b = __foldback_unit(b);
    c = __foldback_no_nan(c);
    d = __foldback_no_nan(d);
    again = 1;
  }
  if (__builtin_isinf(c) || __builtin_isinf(d)) {
    c = __foldback_unit(c);
    d = __foldback_unit(d);
    a = __foldback_no_nan(a);
    b = __foldback_no_nan(b);
    again = 1;
  }
  if (!again && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) {
    a = __foldback_no_nan(a);
    b = __foldback_no_nan(b);
    c = __foldback_no_nan(c);
    d = __foldback_no_nan(d);
    again = 1;
  }
  if (again) {
    x = __builtin_inf() * (a * c - b * d);
    y = __builtin_inf() * (a * d + b * c);
  }
  return __builtin_complex(x, y);
}

_Complex float __mulsc3(float a, float b, float c, float d) {
  (void)a, (void)b, (void)c, (void)d;
  __foldback_unsupported("a product of complex floats that is no number");
  return 0;
}

_Complex long double __mulxc3(long double a, long double b, long double c, long double d) {
  (void)a, (void)b, (void)c, (void)d;
  __foldback_unsupported("a product of complex long doubles that is no number");
  return 0;
}

/* What the operands of a quotient are multiplied by: `a` and `b` are those of the dividend, `most` is the larger one of the
   divisor, all without their signs. */
static double __foldback_scaling(double a, double b, double most) {
  double moderate = 0x1.fffffffffffffp1022 * 0x1p-52;
  if (most < 0x1p-52)
    return 0x1p52;
  if (most < moderate && ((a < 0x1p-1022 && b < moderate) || (b < 0x1p-1022 && a < moderate)))
    return 0x1p52;
  return 1.0;
}

/* As libgcc does: Smith's method on scaled operands. */
_Complex double __divdc3(double a, double b, double c, double d) {
  int upright = __builtin_fabs(c) < __builtin_fabs(d);
  if (__builtin_fabs(upright ? d : c) >= 0x1.fffffffffffffp1022) {
    a = a / 2;
    b = b / 2;
    c = c / 2;
    d = d / 2;
  }
  double scale = __foldback_scaling(__builtin_fabs(a), __builtin_fabs(b), __builtin_fabs(upright ? d : c));
  a = a * scale;
  b = b * scale;
  c = c * scale;
  d = d * scale;
  double denominator, x, y;
  if (upright) {
    double ratio = c / d;
    int is_normal = __builtin_fabs(ratio) > 0x1p-1022;
    denominator = c * ratio + d;
    x = ((is_normal ? a * ratio : c * (a / d)) + b) / denominator;
    y = ((is_normal ? b * ratio : c * (b / d)) - a) / denominator;
  } else {
    double ratio = d / c;
    int is_normal = __builtin_fabs(ratio) > 0x1p-1022;
    denominator = d * ratio + c;
    x = (a + (is_normal ? b * ratio : d * (b / c))) / denominator;
    y = (b - (is_normal ? a * ratio : d * (a / c))) / denominator;
  }
  if (!__builtin_isnan(x) || !__builtin_isnan(y))
    return __builtin_complex(x, y);
  if (c == 0 && d == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) {
    x = __builtin_copysign(__builtin_inf(), c) * a;
    y = __builtin_copysign(__builtin_inf(), c) * b;
  } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
    a = __foldback_unit(a);
    b = __foldback_unit(b);
    x = __builtin_inf() * (a * c + b * d);
    y = __builtin_inf() * (b * c - a * d);
  } else if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
    c = __foldback_unit(c);
    d = __foldback_unit(d);
    x = 0.0 * (a * c + b * d);
    y = 0.0 * (b * c - a * d);
  }
  return __builtin_complex(x, y);
}

static long double __foldback_unitl(long double x) { return __builtin_copysignl(__builtin_isinf(x) ? 1.0L : 0.0L, x); }

/* What the operands of a quotient are multiplied by: `a` and `b` are those of the dividend, `most` is the larger one of the
   divisor, all without their signs. */
static long double __foldback_scalingl(long double a, long double b, long double most) {
  long double moderate = 0x1.fffffffffffffffep16382L * 0x1p-63L;
  if (most < 0x1p-63L)
    return 0x1p63L;
  if (most < moderate && ((a < 0x1p-16382L && b < moderate) || (b < 0x1p-16382L && a < moderate)))
    return 0x1p63L;
  return 1.0L;
}

/* As libgcc does: Smith's method on scaled operands. */
_Complex long double __divxc3(long double a, long double b, long double c, long double d) {
  int upright = __builtin_fabsl(c) < __builtin_fabsl(d);
  if (__builtin_fabsl(upright ? d : c) >= 0x1.fffffffffffffffep16382L) {
    a = a / 2;
    b = b / 2;
    c = c / 2;
    d = d / 2;
  }
  long double scale = __foldback_scalingl(__builtin_fabsl(a), __builtin_fabsl(b), __builtin_fabsl(upright ? d : c));
  a = a * scale;
  b = b * scale;
  c = c * scale;
  d = d * scale;
  long double denominator, x, y;
  if (upright) {
    long double ratio = c / d;
    int is_normal = __builtin_fabsl(ratio) > 0x1p-16382L;
    denominator = c * ratio + d;
    x = ((is_normal ? a * ratio : c * (a / d)) + b) / denominator;
    y = ((is_normal ? b * ratio : c * (b / d)) - a) / denominator;
  } else {
    long double ratio = d / c;
    int is_normal = __builtin_fabsl(ratio) > 0x1p-16382L;
    denominator = d * ratio + c;
    x = (a + (is_normal ? b * ratio : d * (b / c))) / denominator;
    y = (b - (is_normal ? a * ratio : d * (a / c))) / denominator;
  }
  if (!__builtin_isnan(x) || !__builtin_isnan(y))
    return __builtin_complex(x, y);
  if (c == 0 && d == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) {
    x = __builtin_copysignl(__builtin_infl(), c) * a;
    y = __builtin_copysignl(__builtin_infl(), c) * b;
  } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
    a = __foldback_unitl(a);
    b = __foldback_unitl(b);
    x = __builtin_infl() * (a * c + b * d);
    y = __builtin_infl() * (b * c - a * d);
  } else if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
    c = __foldback_unitl(c);
    d = __foldback_unitl(d);
    x = 0.0L * (a * c + b * d);
    y = 0.0L * (b * c - a * d);
  }
  return __builtin_complex(x, y);
}

static float __foldback_unitf(float x) { return __builtin_copysignf(__builtin_isinf(x) ? 1.0f : 0.0f, x); }

/* Floats have room in doubles. */
_Complex float __divsc3(float a, float b, float c, float d) {
  double p = a, q = b, r = c, s = d;
  double denominator = r * r + s * s;
  float x = (float)((p * r + q * s) / denominator), y = (float)((q * r - p * s) / denominator);
  if (!__builtin_isnan(x) || !__builtin_isnan(y))
    return __builtin_complex(x, y);
  if (c == 0 && d == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) {
    x = __builtin_copysignf(__builtin_inff(), c) * a;
    y = __builtin_copysignf(__builtin_inff(), c) * b;
  } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
    a = __foldback_unitf(a);
    b = __foldback_unitf(b);
    x = __builtin_inff() * (a * c + b * d);
    y = __builtin_inff() * (b * c - a * d);
  } else if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
    c = __foldback_unitf(c);
    d = __foldback_unitf(d);
    x = 0.0f * (a * c + b * d);
    y = 0.0f * (b * c - a * d);
  }
  return __builtin_complex(x, y);
}

double creal(_Complex double z) { return __real__ z; }

double cimag(_Complex double z) { return __imag__ z; }

_Complex double conj(_Complex double z) { return ~z; }

float crealf(_Complex float z) { return __real__ z; }

float cimagf(_Complex float z) { return __imag__ z; }

_Complex float conjf(_Complex float z) { return ~z; }

long double creall(_Complex long double z) { return __real__ z; }

long double cimagl(_Complex long double z) { return __imag__ z; }

_Complex long double conjl(_Complex long double z) { return ~z; }
