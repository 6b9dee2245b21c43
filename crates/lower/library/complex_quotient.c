/* Quotients of complex numbers. This is the text for double, from which those for float and long double are made (src/variants.rs). */

static double __foldback_quotient_unit(double x) { return __builtin_copysign(__builtin_isinf(x) ? 1.0 : 0.0, x); }

/* The quotient of a + bi by c + di, which came out as x + yi: where both are no number, annex G may want an infinity or zero. */
_Complex double __foldback_recovered(double a, double b, double c, double d, double x, double y) {
  if (!__builtin_isnan(x) || !__builtin_isnan(y))
    return __builtin_complex(x, y);
  if (c == 0 && d == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) {
    x = __builtin_copysign(__builtin_inf(), c) * a;
    y = __builtin_copysign(__builtin_inf(), c) * b;
  } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
    a = __foldback_quotient_unit(a);
    b = __foldback_quotient_unit(b);
    x = __builtin_inf() * (a * c + b * d);
    y = __builtin_inf() * (b * c - a * d);
  } else if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
    c = __foldback_quotient_unit(c);
    d = __foldback_quotient_unit(d);
    x = 0.0 * (a * c + b * d);
    y = 0.0 * (b * c - a * d);
  }
  return __builtin_complex(x, y);
}

/* What the operands of a quotient are multiplied by: `a` and `b` are those of the dividend, `most` is the larger one of the
   divisor, all without their signs. */
static double __foldback_scaling(double a, double b, double most) {
  double moderate = FORMAT_LARGE * FORMAT_STEP;
  if (most < FORMAT_STEP)
    return FORMAT_STEPS;
  if (most < moderate && ((a < FORMAT_SMALLEST && b < moderate) || (b < FORMAT_SMALLEST && a < moderate)))
    return FORMAT_STEPS;
  return 1.0;
}

/* As libgcc does: Smith's method on scaled operands. */
_Complex double __foldback_divide(double a, double b, double c, double d) {
  int upright = __builtin_fabs(c) < __builtin_fabs(d);
  if (__builtin_fabs(upright ? d : c) >= FORMAT_LARGE) {
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
    int is_normal = __builtin_fabs(ratio) > FORMAT_SMALLEST;
    denominator = c * ratio + d;
    x = ((is_normal ? a * ratio : c * (a / d)) + b) / denominator;
    y = ((is_normal ? b * ratio : c * (b / d)) - a) / denominator;
  } else {
    double ratio = d / c;
    int is_normal = __builtin_fabs(ratio) > FORMAT_SMALLEST;
    denominator = d * ratio + c;
    x = (a + (is_normal ? b * ratio : d * (b / c))) / denominator;
    y = (b - (is_normal ? a * ratio : d * (a / c))) / denominator;
  }
  return __foldback_recovered(a, b, c, d, x, y);
}
