/* Products of complex numbers both of whose parts came out as no number: C11 annex G wants an infinity where an operand
   or a partial product is one. And quotients (complex_quotient.c). */
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

_Complex float __foldback_recoveredf(float a, float b, float c, float d, float x, float y);
_Complex double __foldback_divide(double a, double b, double c, double d);
_Complex long double __foldback_dividel(long double a, long double b, long double c, long double d);

/* Floats have room in doubles. */
_Complex float __divsc3(float a, float b, float c, float d) {
  double p = a, q = b, r = c, s = d;
  double denominator = r * r + s * s;
  float x = (float)((p * r + q * s) / denominator), y = (float)((q * r - p * s) / denominator);
  return __foldback_recoveredf(a, b, c, d, x, y);
}

_Complex double __divdc3(double a, double b, double c, double d) { return __foldback_divide(a, b, c, d); }

_Complex long double __divxc3(long double a, long double b, long double c, long double d) {
  return __foldback_dividel(a, b, c, d);
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
