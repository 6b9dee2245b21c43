/* What differs for long double: its bits do not fit into an integer. */

long double __foldback_unknown_longdouble(void);

/* x * 2^n, for numbers that stay normal. */
long double __foldback_scalel(long double x, int n) {
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

long double fminl(long double x, long double y) {
  if (x != x)
    return y;
  if (y != y)
    return x;
  return x <= y ? x : y;
}
