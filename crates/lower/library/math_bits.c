/* The part of math.h that looks at the bits of a number: for double, and made from it for float. */

void __foldback_errno_if(int condition, int value);

union __foldback_bits {
  double value;
  FORMAT_WORD bits;
};

/* 2^n for a normal number. */
static double __foldback_power(int n) {
  union __foldback_bits power;
  power.bits = (FORMAT_WORD)(FORMAT_MOST + n) << (FORMAT_DIGITS - 1);
  return power.value;
}

/* x * 2^n, rounded once: the steps before the last are exact. */
double __foldback_scale(double x, int n) {
  int down = FORMAT_LEAST + FORMAT_DIGITS;
  if (n > FORMAT_MOST) {
    x = x * __foldback_power(FORMAT_MOST);
    n -= FORMAT_MOST;
    if (n > FORMAT_MOST) {
      x = x * __foldback_power(FORMAT_MOST);
      n -= FORMAT_MOST;
      if (n > FORMAT_MOST)
        n = FORMAT_MOST;
    }
  } else if (n < FORMAT_LEAST) {
    x = x * __foldback_power(down);
    n -= down;
    if (n < FORMAT_LEAST) {
      x = x * __foldback_power(down);
      n -= down;
      if (n < FORMAT_LEAST)
        n = FORMAT_LEAST;
    }
  }
  return x * __foldback_power(n);
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
  __foldback_errno_if((x != 0) & (__builtin_isinf(next.value) | ((next.bits << 1) >> FORMAT_DIGITS == 0)), 34);
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

/* Of a positive and a negative zero glibc gives the second one here, and the first one for long double. */
double fmin(double x, double y) {
  if (x != x)
    return y;
  if (y != y)
    return x;
  return x < y ? x : y;
}
