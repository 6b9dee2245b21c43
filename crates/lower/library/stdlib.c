/* stdlib.h: numbers from text, integer arithmetic, sorting and searching, pseudo-random numbers, the environment.
   Random numbers and environment variables are inputs: any value that the original may give. */

typedef __typeof__(sizeof(0)) size_t;

typedef struct {
  int quot;
  int rem;
} div_t;

typedef struct {
  long quot;
  long rem;
} ldiv_t;

typedef struct {
  long long quot;
  long long rem;
} lldiv_t;

void *malloc(size_t size);
void *memalign(size_t alignment, size_t size);
void *realloc(void *p, size_t size);
void free(void *p);
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
char __VERIFIER_nondet_char(void);
double __VERIFIER_nondet_double(void);
void __VERIFIER_assume(int condition);
double __foldback_unknown_double(void);
int __foldback_unknown_int(void);
size_t __foldback_unknown_size_t(void);
int __foldback_open(void);
float __foldback_unknown_float(void);
long double __foldback_unknown_longdouble(void);
void __foldback_errno_if(int condition, int value);
void __foldback_errno_any_if(int condition);
void __foldback_errno_may_if(int condition);
void __foldback_check_read(const void *p, size_t n);
void __foldback_unsupported(const char *what);
int __foldback_runs(void);

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }
long long imaxabs(long long x) { return x < 0 ? -x : x; }

div_t div(int a, int b) {
  div_t result;
  result.quot = a / b;
  result.rem = a % b;
  return result;
}

ldiv_t ldiv(long a, long b) {
  ldiv_t result;
  result.quot = a / b;
  result.rem = a % b;
  return result;
}

lldiv_t lldiv(long long a, long long b) {
  lldiv_t result;
  result.quot = a / b;
  result.rem = a % b;
  return result;
}

typedef struct {
  long long quot;
  long long rem;
} imaxdiv_t;

imaxdiv_t imaxdiv(long long a, long long b) {
  imaxdiv_t result;
  result.quot = a / b;
  result.rem = a % b;
  return result;
}

int __foldback_strspace(char c);
int __foldback_strdigit(char c);
unsigned long long __foldback_strparse(const char *s, char **end, int base, unsigned long long positive_limit,
                                       unsigned long long negative_limit);

long long strtoimax(const char *s, char **end, int base) {
  return (long long)__foldback_strparse(s, end, base, 9223372036854775807ULL, 9223372036854775808ULL);
}

long long strtoq(const char *s, char **end, int base) {
  return (long long)__foldback_strparse(s, end, base, 9223372036854775807ULL, 9223372036854775808ULL);
}

unsigned long long strtoumax(const char *s, char **end, int base) {
  return __foldback_strparse(s, end, base, 18446744073709551615ULL, 18446744073709551615ULL);
}

unsigned long long strtouq(const char *s, char **end, int base) {
  return __foldback_strparse(s, end, base, 18446744073709551615ULL, 18446744073709551615ULL);
}

/* glibc: (int)strtol(s, NULL, 10). */
int atoi(const char *s) {
  unsigned long long max = (unsigned long)-1 >> 1;
  return (int)__foldback_strparse(s, 0, 10, max, max + 1);
}

long atol(const char *s) {
  unsigned long long max = (unsigned long)-1 >> 1;
  return (long)__foldback_strparse(s, 0, 10, max, max + 1);
}

long long atoll(const char *s) {
  return (long long)__foldback_strparse(s, 0, 10, 9223372036854775807ULL, 9223372036854775808ULL);
}

/* Does the word at `s` begin with `word` (lower case), whatever its case? */
static int __foldback_begins(const char *s, const char *word) {
  while (*word != 0) {
    char c = *s >= 'A' && *s <= 'Z' ? (char)(*s + 32) : *s;
    if (c != *word)
      return 0;
    s++;
    word++;
  }
  return 1;
}

/* The exponent at `p`, after its letter. Where there are digits, `end` is set behind them. */
static int __foldback_exponent(const char *p, const char **end) {
  int negative = *p == '-';
  int power = 0;
  if (*p == '-' || *p == '+')
    p++;
  if (*p < '0' || *p > '9')
    return 0;
  while (*p >= '0' && *p <= '9') {
    if (power < 10000)
      power = power * 10 + (*p - '0');
    p++;
  }
  *end = p;
  return negative ? -power : power;
}

/* The hexadecimal floating number whose digits begin at `p`. Exact where they fit a double and the power of two is moderate;
   unknown otherwise. */
static double __foldback_hexadecimal(const char *p, const char **end) {
  unsigned long long mantissa = 0;
  int exponent = 0, exact = 1, after_point = 0;
  while (__foldback_strdigit(*p) < 16 || (*p == '.' && !after_point)) {
    if (*p == '.') {
      after_point = 1;
    } else {
      int digit = __foldback_strdigit(*p);
      if (mantissa < 1ULL << 49) {
        mantissa = mantissa * 16 + (unsigned)digit;
        exponent -= after_point ? 4 : 0;
      } else {
        exact &= digit == 0;
        exponent += after_point ? 0 : 4;
      }
    }
    p++;
  }
  *end = p;
  if (*p == 'p' || *p == 'P')
    exponent += __foldback_exponent(p + 1, end);
  if (mantissa == 0)
    return 0;
  if (!exact || exponent > 900 || exponent < -900)
    __foldback_unsupported("a hexadecimal number in strtod that has many digits, or is very large or small");
  double value = (double)mantissa;
  while (exponent > 0) {
    value = value * 2;
    exponent--;
  }
  while (exponent < 0) {
    value = value * 0.5;
    exponent++;
  }
  return value;
}

/* A decimal floating number. Exact where its digits and its power of ten are numbers that a double holds exactly (then
   one division or multiplication rounds once, correctly); unknown otherwise. */
static double __foldback_decimal(const char *s, const char **end) {
  const char *p = s;
  int negative = 0;
  *end = s;
  while (__foldback_strspace(*p))
    p++;
  if (*p == '-') {
    negative = 1;
    p++;
  } else if (*p == '+') {
    p++;
  }
  if (__foldback_begins(p, "inf")) {
    *end = __foldback_begins(p, "infinity") ? p + 8 : p + 3;
    return negative ? -__builtin_inf() : __builtin_inf();
  }
  if (__foldback_begins(p, "nan")) {
    *end = p + 3;
    if (p[3] == '(')
      __foldback_unsupported("a NaN with payload in strtod");
    return __builtin_nan("");
  }
  if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') &&
      (__foldback_strdigit(p[2]) < 16 || (p[2] == '.' && __foldback_strdigit(p[3]) < 16))) {
    double value = __foldback_hexadecimal(p + 2, end);
    return negative ? -value : value;
  }
  unsigned long long mantissa = 0;
  int exponent = 0;
  int digits = 0;
  int exact = 1;
  const char *first = p;
  while (*p >= '0' && *p <= '9') {
    if (mantissa > 900719925474098ULL)
      exact = 0;
    else
      mantissa = mantissa * 10 + (unsigned)(*p - '0');
    digits = 1;
    p++;
  }
  if (*p == '.') {
    const char *point = p;
    p++;
    while (*p >= '0' && *p <= '9') {
      if (mantissa > 900719925474098ULL) {
        exact = 0;
      } else {
        mantissa = mantissa * 10 + (unsigned)(*p - '0');
        if (exponent > -1000000)
          exponent--;
      }
      digits = 1;
      p++;
    }
    if (!digits)
      p = point;
  }
  if (!digits)
    return 0;
  *end = p;
  if (*p == 'e' || *p == 'E')
    exponent += __foldback_exponent(p + 1, end);
  double value;
  if (mantissa == 0 && exact) {
    value = 0;
  } else if (!exact || exponent > 22 || exponent < -22) {
    value = __foldback_unknown_double();
    __VERIFIER_assume(value >= 0);
    /* Too large for a double, or too small even for the least one. */
    if (exponent > 309)
      value = __builtin_inf();
    if (exact && exponent < -345)
      value = 0;
    /* Below the normal numbers glibc says ERANGE where the number was rounded: a decimal fraction that small which no
       rounding changes is a multiple of 5^308, and that has 216 digits. */
    int is_small = (value != 0) & (value < 2.2250738585072014e-308), is_rounded = *end - first < 200;
    __foldback_errno_if(__builtin_isinf(value) | (value == 0) | (is_small & is_rounded), 34);
    __foldback_errno_may_if(is_small & !is_rounded);
  } else {
    double scale = 1;
    int steps = exponent < 0 ? -exponent : exponent;
    while (steps > 0) {
      scale = scale * 10;
      steps--;
    }
    value = exponent < 0 ? (double)mantissa / scale : (double)mantissa * scale;
  }
  return negative ? -value : value;
}

double strtod(const char *s, char **end) {
  const char *stop;
  double value = __foldback_decimal(s, &stop);
  if (end != 0)
    *end = (char *)stop;
  return value;
}

double atof(const char *s) {
  const char *stop;
  return __foldback_decimal(s, &stop);
}

/* Rounding twice (to double, then to float) may differ from the original in the last bit: unknown unless exact. */
float strtof(const char *s, char **end) {
  const char *stop;
  double value = __foldback_decimal(s, &stop);
  if (end != 0)
    *end = (char *)stop;
  if ((double)(float)value == value || value != value)
    return (float)value;
  float result = __foldback_unknown_float();
  __VERIFIER_assume(result >= -__builtin_inff() && (value > 0 ? result >= 0 : result <= 0));
  __foldback_errno_if(__builtin_isinf(result) | (__builtin_fabsf(result) < 1.17549435e-38f), 34);
  return result;
}

long double strtold(const char *s, char **end) {
  const char *stop;
  double value = __foldback_decimal(s, &stop);
  if (end != 0)
    *end = (char *)stop;
  /* A whole number of at most 53 bits was not rounded. */
  if (value == 0 || value != value ||
      (value > -9007199254740992.0 && value < 9007199254740992.0 && (double)(long long)value == value))
    return value;
  if (__foldback_runs())
    __foldback_unsupported("strtold of a number that is not whole");
  return __foldback_unknown_longdouble();
}

/* Words as a whole: they may be pointers. */
static void __foldback_swap(char *a, char *b, size_t size) {
  size_t i = 0;
  while (size - i >= sizeof(void *)) {
    char word[sizeof(void *)];
    memmove(word, a + i, sizeof word);
    memmove(a + i, b + i, sizeof word);
    memmove(b + i, word, sizeof word);
    i += sizeof word;
  }
  while (i < size) {
    char byte = a[i];
    a[i] = b[i];
    b[i] = byte;
    i++;
  }
}

/* The position of any item of so many. */
static size_t __foldback_any_item(size_t count) {
  size_t i = __foldback_unknown_size_t();
  return i < count ? i : 0;
}

/* Whether a comparison that says this of the items a, b and c is no order, so that sorting by it may give anything. */
static int __foldback_no_order(int ab, int ba, int bc, int ac) {
  return (ab <= 0) != (ba >= 0) || (ab <= 0 && bc <= 0 && ac > 0);
}

/* What the comparison says, which qsort_r gives a context, too. */
static int __foldback_compare(int (*compare)(const void *, const void *), int (*compare_r)(const void *, const void *, void *),
                              void *context, const void *a, const void *b) {
  return compare_r == 0 ? compare(a, b) : compare_r(a, b, context);
}

/* Insertion sort. Where items that compare equal end up is open, and which items are compared: any two, in either order. */
static void __foldback_sort(char *items, size_t count, size_t size, int (*compare)(const void *, const void *),
                            int (*compare_r)(const void *, const void *, void *), void *context) {
  size_t i = 1;
  int any = 0;
  /* All items are looked at and moved, whatever the comparison says. */
  if (count != 0 && size != 0)
    __foldback_check_read(items, count > (size_t)-1 / size ? (size_t)-1 : count * size);
  if (count > 1 && __foldback_open()) {
    const char *a = items + __foldback_any_item(count) * size;
    const char *b = items + __foldback_any_item(count) * size;
    const char *c = items + __foldback_any_item(count) * size;
    any = __foldback_no_order(
        __foldback_compare(compare, compare_r, context, a, b), __foldback_compare(compare, compare_r, context, b, a),
        __foldback_compare(compare, compare_r, context, b, c), __foldback_compare(compare, compare_r, context, a, c));
  }
  while (i < count) {
    size_t j = i;
    while (j > 0) {
      int order = __foldback_compare(compare, compare_r, context, items + (j - 1) * size, items + j * size);
      if (any ? __foldback_open() : order < 0 || (order == 0 && !__foldback_open()))
        break;
      __foldback_swap(items + (j - 1) * size, items + j * size, size);
      j--;
    }
    i++;
  }
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  __foldback_sort(base, count, size, compare, 0, 0);
}

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *context) {
  __foldback_sort(base, count, size, 0, compare, context);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  const char *items = base;
  size_t low = 0;
  size_t high = count;
  /* Which items are looked at is open. */
  if (count != 0 && __foldback_open())
    compare(key, items + __foldback_any_item(count) * size);
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *item = items + middle * size;
    int order = compare(key, item);
    if (order == 0) {
      /* Any of those that match. */
      if (__foldback_open()) {
        size_t other = __foldback_unknown_size_t();
        if (other < count && compare(key, items + other * size) == 0)
          return (void *)(items + other * size);
      }
      return (void *)item;
    }
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}

/* Pseudo-random numbers are inputs. The same seed gives the same numbers again, which inputs do not: a seed that numbers were
   drawn with before is not modelled. A program starts with the seed 1, for which 0 stands, too. */
struct __foldback_seeds {
  unsigned now;
  int drawn;
  unsigned count;
  unsigned used[4];
};

static struct __foldback_seeds __foldback_random = {1};
static struct __foldback_seeds __foldback_random48;

static void __foldback_seed(struct __foldback_seeds *seeds, unsigned seed) {
  if (seeds->drawn) {
    if (seeds->count == 4 && __foldback_runs())
      seeds->count = 0;
    if (seeds->count == 4)
      __foldback_unsupported("more than 4 seeds of pseudo-random numbers");
    seeds->used[seeds->count] = seeds->now;
    seeds->count = seeds->count + 1;
    seeds->drawn = 0;
  }
  unsigned i = 0;
  while (i < seeds->count) {
    if (seeds->used[i] == seed && !__foldback_runs())
      __foldback_unsupported("pseudo-random numbers from a seed that was used before");
    i++;
  }
  seeds->now = seed;
}

int rand(void) {
  __foldback_random.drawn = 1;
  int value = __VERIFIER_nondet_int();
  __VERIFIER_assume(value >= 0);
  return value;
}

/* As glibc computes it: three steps of a linear congruence, of which the upper bits count. */
int rand_r(unsigned *seed) {
  unsigned next = *seed * 1103515245u + 12345u;
  unsigned value = next / 65536 % 2048;
  next = next * 1103515245u + 12345u;
  value = value << 10 ^ next / 65536 % 1024;
  next = next * 1103515245u + 12345u;
  value = value << 10 ^ next / 65536 % 1024;
  *seed = next;
  return (int)value;
}

/* `run` hands the seed on to the machine's library. */
void srand(unsigned seed) {
  __foldback_seed(&__foldback_random, seed == 0 ? 1 : seed);
  (void)__foldback_unknown_int();
}

void srandom(unsigned seed) {
  __foldback_seed(&__foldback_random, seed == 0 ? 1 : seed);
  (void)__foldback_unknown_int();
}

/* Its start without a seed is no seed's. */
void srand48(long seed) {
  __foldback_seed(&__foldback_random48, (unsigned)seed);
  (void)__foldback_unknown_int();
}

long random(void) {
  __foldback_random.drawn = 1;
  long value = __VERIFIER_nondet_long();
  __VERIFIER_assume(value >= 0 && value <= 2147483647);
  return value;
}

long lrand48(void) {
  __foldback_random48.drawn = 1;
  long value = __VERIFIER_nondet_long();
  __VERIFIER_assume(value >= 0 && value <= 2147483647);
  return value;
}

long mrand48(void) {
  __foldback_random48.drawn = 1;
  long value = __VERIFIER_nondet_long();
  __VERIFIER_assume(value >= -2147483647 - 1 && value <= 2147483647);
  return value;
}

double drand48(void) {
  __foldback_random48.drawn = 1;
  double value = __VERIFIER_nondet_double();
  __VERIFIER_assume(value >= 0 && value < 1);
  return value;
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
    return 22;
  void *block = memalign(alignment, size);
  if (block == 0)
    return 12;
  *result = block;
  return 0;
}

void *reallocarray(void *p, size_t count, size_t size) {
  int overflow = size != 0 && count > (size_t)-1 / size;
  __foldback_errno_if(overflow, 12);
  return overflow ? 0 : realloc(p, count * size);
}

/* Six bits a character, least significant first: "./0-9A-Za-z". */
static int __foldback_base64(char c) {
  if (c == '.')
    return 0;
  if (c == '/')
    return 1;
  if (c >= '0' && c <= '9')
    return c - '0' + 2;
  if (c >= 'A' && c <= 'Z')
    return c - 'A' + 12;
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 38;
  return -1;
}

long a64l(const char *s) {
  unsigned value = 0;
  int i = 0;
  while (i < 6 && s[i] != 0) {
    int digit = __foldback_base64(s[i]);
    if (digit < 0)
      break;
    value |= (unsigned)digit << (6 * i);
    i++;
  }
  return (int)value;
}

static char __foldback_l64a[7];

char *l64a(long value) {
  unsigned rest = (unsigned)value;
  int i = 0;
  while (rest != 0) {
    __foldback_l64a[i] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[rest & 63];
    rest >>= 6;
    i++;
  }
  __foldback_l64a[i] = 0;
  return __foldback_l64a;
}

void *lfind(const void *key, const void *base, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
  const char *items = base;
  size_t i = 0;
  while (i < *count) {
    if (compare(key, items + i * size) == 0)
      return (void *)(items + i * size);
    i++;
  }
  return 0;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
  char *items = base;
  size_t i = 0;
  while (i < *count) {
    if (compare(key, items + i * size) == 0)
      return items + i * size;
    i++;
  }
  memcpy(items + i * size, key, size);
  *count = *count + 1;
  return items + i * size;
}

/* A new file, whose name takes the place of the six X at the end; without them there is none. EINVAL is 22. */
int mkstemp(char *pattern) {
  size_t n = 0;
  while (pattern[n] != 0)
    n++;
  int is_pattern = n >= 6;
  for (size_t i = n; is_pattern && i > n - 6; i--)
    is_pattern = pattern[i - 1] == 'X';
  __foldback_errno_if(!is_pattern, 22);
  if (!is_pattern)
    return -1;
  int descriptor = __VERIFIER_nondet_int();
  __VERIFIER_assume(descriptor >= -1);
  __foldback_errno_any_if(descriptor == -1);
  if (descriptor != -1) {
    size_t i = n - 6;
    while (i < n) {
      char c = __VERIFIER_nondet_char();
      __VERIFIER_assume(c >= 0);
      pattern[i] = c == 0 ? 'X' : c;
      i++;
    }
  }
  return descriptor;
}
