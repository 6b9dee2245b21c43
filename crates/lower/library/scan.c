/* Formatted input. What a stream holds is an input, so each target of scanf gets any value of its type, and as many targets are
   set as the result says. The text of sscanf is read as glibc reads it. */

typedef __typeof__(sizeof(0)) size_t;

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __foldback_havoc(void *p, size_t n);
void __foldback_errno_if(int condition, int value);
double strtod(const char *s, char **end);
float strtof(const char *s, char **end);
void __foldback_unsupported(const char *what);
void __foldback_errno_may_if(int condition);
void __foldback_use(void *stream);
void __foldback_use_input(void);
int __foldback_strspace(char c);
int __foldback_strdigit(char c);

/* Is c in the set that begins after the bracket at `set` (and a ^)? */
static int __foldback_scan_member(const char *set, char c) {
  int first = 1;
  while (first || *set != ']') {
    if (set[1] == '-' && set[2] != ']') {
      if ((unsigned char)c >= (unsigned char)set[0] && (unsigned char)c <= (unsigned char)set[2])
        return 1;
      set += 3;
    } else {
      if (*set == c)
        return 1;
      set++;
    }
    first = 0;
  }
  return 0;
}

/* The set after a bracket: where it begins, and whether it is of the characters that do not match. Returns what is behind it. */
static const char *__foldback_scan_set(const char *format, const char **set, int *excludes) {
  *excludes = *format == '^';
  if (*format == '^')
    format++;
  *set = format;
  /* What a range may begin with: the end of one does not. */
  char start = 0;
  while (format == *set || *format != ']') {
    if (*format == 0)
      __foldback_unsupported("a format string that ends within a conversion");
    if (format != *set && *format == '-' && format[1] != ']') {
      if (start == 0 || (unsigned char)start > (unsigned char)format[1])
        __foldback_unsupported("a range of characters that C leaves to the library");
      start = 0;
      format += 2;
    } else {
      start = *format;
      format++;
    }
  }
  return format + 1;
}

/* What stands between the % and the letter of a conversion, and the letter. Returns what follows it. */
static const char *__foldback_scan_options(const char *format, int *store, int *width, int *size, char *conversion) {
  *store = *format != '*';
  if (*format == '*')
    format++;
  *width = 0;
  while (*format >= '0' && *format <= '9') {
    *width = *width * 10 + (*format - '0');
    format++;
  }
  *size = 0;
  for (;;) {
    if (*format == 'h')
      *size = *size - 1;
    else if (*format == 'l')
      *size = *size + 1;
    else if (*format == 'q' || *format == 'j' || *format == 'L')
      *size = 2;
    else if (*format == 'z' || *format == 't')
      *size = 1;
    else
      break;
    format++;
  }
  if (*format == 0)
    __foldback_unsupported("a format string that ends within a conversion");
  *conversion = *format;
  return format + 1;
}

void __foldback_scan_store(void *target, unsigned long long value, int size) {
  if (size >= 2)
    *(unsigned long long *)target = value;
  else if (size == 1)
    *(unsigned long *)target = (unsigned long)value;
  else if (size == 0)
    *(unsigned *)target = (unsigned)value;
  else if (size == -1)
    *(unsigned short *)target = (unsigned short)value;
  else
    *(unsigned char *)target = (unsigned char)value;
}

/* How many digits it takes to write a number. */
static int __foldback_scan_digits(unsigned long long value, unsigned base) {
  unsigned long long power = base;
  int digits = 1;
  while (value >= power) {
    digits++;
    if (power > 18446744073709551615ULL / base)
      break;
    power = power * base;
  }
  return digits;
}

/* The fewest characters that give these bits. Where they are not those of a signed number as wide as what glibc converts to,
   negative ones may be written without the sign, and others with it. */
static int __foldback_scan_shortest(const void *target, size_t bytes, unsigned base, int is_signed) {
  unsigned long long value = bytes == 8   ? *(const unsigned long long *)target
                             : bytes == 4 ? *(const unsigned *)target
                             : bytes == 2 ? *(const unsigned short *)target
                                          : *(const unsigned char *)target;
  unsigned long long negated = bytes == 8 ? -value : (1ULL << (8 * bytes)) - value;
  int plain = __foldback_scan_digits(value, base), signed_digits = 1 + __foldback_scan_digits(negated, base);
  if (bytes >= sizeof(long) && is_signed)
    return value >> (8 * bytes - 1) ? signed_digits : plain;
  return plain < signed_digits || value == 0 ? plain : signed_digits;
}

/* Whether the characters are counted somewhere in the format. */
static int __foldback_scan_counts(const char *format) {
  while (*format != 0) {
    int store, width, size;
    char conversion = 0;
    if (*format == '%' && format[1] == '%')
      format++;
    else if (*format == '%')
      __foldback_scan_options(format + 1, &store, &width, &size, &conversion);
    if (conversion == 'n')
      return 1;
    format++;
  }
  return 0;
}

/* How many characters are read, where these are the fewest. */
unsigned long long __foldback_scan_more(unsigned long long taken) {
  int others = __VERIFIER_nondet_int();
  __VERIFIER_assume(others >= 0 && taken + (unsigned)others <= 2147483647);
  return taken + (unsigned)others;
}

/* The result where input or matching fails after so many were assigned. */
int __foldback_scan_result(int assigned) { return assigned == 0 && __VERIFIER_nondet_int() ? -1 : assigned; }

/* Any number that may have been read; returns the fewest characters that give it, where that is asked for. */
unsigned __foldback_scan_given(void *target, char conversion, int size, int width, int counts) {
  if (conversion == 'd' || conversion == 'i' || conversion == 'u' || conversion == 'x' || conversion == 'X' ||
      conversion == 'o') {
    size_t bytes = size >= 2 ? 8 : size == 1 ? sizeof(long) : size == 0 ? 4 : size == -1 ? 2 : 1;
    __foldback_havoc(target, bytes);
    if (width == 0 && !counts)
      return 0;
    int is_signed = conversion == 'd' || conversion == 'i';
    unsigned base = conversion == 'o' ? 8 : conversion == 'x' || conversion == 'X' ? 16 : 10;
    int shortest = __foldback_scan_shortest(target, bytes, base, is_signed);
    int with_prefix = conversion == 'i' ? 2 + __foldback_scan_shortest(target, bytes, 16, 1) : shortest;
    if (with_prefix < shortest)
      shortest = with_prefix;
    __VERIFIER_assume(width == 0 || shortest <= width);
    return (unsigned)shortest;
  }
  if (conversion == 'f' || conversion == 'e' || conversion == 'g' || conversion == 'a' || conversion == 'E' ||
      conversion == 'F' || conversion == 'G' || conversion == 'A') {
    if (size >= 2)
      __foldback_unsupported("long double in formatted input");
    if (counts)
      __foldback_unsupported("how many characters a floating number has, in formatted input");
    __foldback_havoc(target, size == 1 ? 8 : 4);
  } else if (conversion == 'p') {
    __foldback_unsupported("a pointer in formatted input");
  } else {
    __foldback_unsupported("a conversion in a format string");
  }
  return 0;
}

/* Any characters of the set (of %s where there is none), and a zero. Returns how many. */
size_t __foldback_scan_given_word(char *s, const char *set, int excludes, int width) {
  size_t length = 0;
  do {
    __foldback_havoc(s + length, 1);
    __VERIFIER_assume(s[length] != 0);
    if (set == 0)
      __VERIFIER_assume(!__foldback_strspace(s[length]));
    else
      __VERIFIER_assume(__foldback_scan_member(set, s[length]) != excludes);
    length++;
  } while ((width == 0 || length < (size_t)width) && __VERIFIER_nondet_int());
  s[length] = 0;
  return length;
}

/* Walks the format; sets targets until input or matching fails, which it may anywhere. `taken` is how many characters are read,
   at least where there may be `more`. As C allows, errno may be set where numbers are converted or streams read. */
static int __foldback_scan(const char *format, __builtin_va_list ap) {
  int assigned = 0;
  int counts = __foldback_scan_counts(format);
  int more = 0;
  int ended = 0;
  unsigned long long taken = 0;
  __foldback_errno_may_if(1);
  while (*format != 0) {
    if (__foldback_strspace(*format)) {
      more = 1;
      format++;
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      more |= *format == '%';
      format += *format == '%' ? 2 : 1;
      taken++;
      if (ended || ((assigned == 0 || counts) && __VERIFIER_nondet_int()))
        return __foldback_scan_result(assigned);
      continue;
    }
    int store, width, size;
    char conversion;
    format = __foldback_scan_options(format + 1, &store, &width, &size, &conversion);
    const char *set = format;
    int excludes = 0;
    if (conversion == '[')
      format = __foldback_scan_set(format, &set, &excludes);
    if (conversion == 'n') {
      if (more) {
        taken = __foldback_scan_more(taken);
        more = 0;
      }
      if (store)
        __foldback_scan_store(__builtin_va_arg(ap, void *), taken, size);
      continue;
    }
    if (ended || __VERIFIER_nondet_int())
      return __foldback_scan_result(assigned);
    more |= conversion != 'c' && conversion != '[';
    /* At the end of the stream there are fewer characters than asked for. glibc takes them; C says that matching fails. */
    unsigned count = width == 0 ? 1 : (unsigned)width;
    if (conversion == 'c' && width > 1) {
      unsigned missing = (unsigned)__VERIFIER_nondet_int();
      __VERIFIER_assume(missing < count);
      count = count - missing;
      ended = missing != 0;
    }
    if (!store) {
      more |= conversion != 'c';
      taken += conversion == 'c' ? count : 1;
      continue;
    }
    void *target = __builtin_va_arg(ap, void *);
    if (conversion == 'c') {
      if (size != 0)
        __foldback_unsupported("a wide character in formatted input");
      __foldback_havoc(target, count);
      taken += count;
      if (ended && __VERIFIER_nondet_int())
        return __foldback_scan_result(assigned);
    } else if (conversion == 's' || conversion == '[') {
      if (size != 0)
        __foldback_unsupported("a wide string in formatted input");
      taken += __foldback_scan_given_word(target, conversion == 's' ? 0 : set, excludes, width);
    } else {
      taken += __foldback_scan_given(target, conversion, size, width, counts);
    }
    assigned++;
  }
  return assigned;
}

/* What stands in a text behind blanks. */
const char *__foldback_scan_blanks(const char *s) {
  while (__foldback_strspace(*s))
    s++;
  return s;
}

/* An integer of a text: what follows it, null where there is none. */
const char *__foldback_scan_integer(const char *s, char conversion, int size, int width, int store, void *target) {
  int most = width == 0 ? 2147483647 : width;
  int is_signed = conversion == 'd' || conversion == 'i';
  int is_open = conversion == 'i';
  unsigned base = conversion == 'o' ? 8 : conversion == 'x' || conversion == 'X' ? 16 : 10;
  int negative = 0;
  int overflow = 0;
  int digits = 0;
  unsigned long long max = size >= 2 ? 18446744073709551615ULL : (unsigned long)-1;
  unsigned long long value = 0;
  if (*s == '-' || *s == '+') {
    negative = *s == '-';
    s++;
    most--;
  }
  if ((is_open || base == 16) && most > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
    if (most < 3 || __foldback_strdigit(s[2]) >= 16)
      __foldback_unsupported("0x without digits in formatted input");
    s += 2;
    most -= 2;
    base = 16;
  } else if (is_open && *s == '0') {
    base = 8;
  }
  unsigned long long limit = is_signed ? (max >> 1) + (unsigned)negative : max;
  int digit = __foldback_strdigit(*s);
  while (most > 0 && digit < (int)base) {
    if (value > (limit - (unsigned)digit) / base)
      overflow = 1;
    if (!overflow)
      value = value * base + (unsigned)digit;
    digits = 1;
    s++;
    most--;
    digit = __foldback_strdigit(*s);
  }
  if (!digits)
    return 0;
  __foldback_errno_if(overflow, 34);
  if (overflow) {
    value = limit;
    negative = negative && is_signed;
  }
  if (store)
    __foldback_scan_store(target, negative ? -value : value, size);
  return s;
}

/* So many characters of a text, or those that are left. */
const char *__foldback_scan_characters(const char *s, int count, int store, char *target) {
  int i = 0;
  while (i < count && s[i] != 0) {
    if (store)
      target[i] = s[i];
    i++;
  }
  return s + i;
}

/* A word of a text, of the set's characters (of %s where there is none): what follows it, null where there is none. */
const char *__foldback_scan_word(const char *s, const char *set, int excludes, int width, int store, char *target) {
  int most = width == 0 ? 2147483647 : width;
  int length = 0;
  while (length < most && s[length] != 0 &&
         (set == 0 ? !__foldback_strspace(s[length]) : __foldback_scan_member(set, s[length]) != excludes)) {
    if (store)
      target[length] = s[length];
    length++;
  }
  if (length == 0)
    return 0;
  if (store)
    target[length] = 0;
  return s + length;
}

/* A floating number of a text: what follows it, null where there is none. */
const char *__foldback_scan_float(const char *s, int size, int width, int store, void *target) {
  if (width != 0 || size >= 2)
    __foldback_unsupported("a floating number of limited width, or a long double, in formatted input");
  char *end;
  double value = strtod(s, &end);
  if (end == s)
    return 0;
  if (*end == 'e' || *end == 'E')
    __foldback_unsupported("an exponent without digits in formatted input");
  if (store && size == 1)
    *(double *)target = value;
  else if (store)
    *(float *)target = strtof(s, 0);
  return end;
}

/* At the end of the text before anything was assigned the result is EOF. */
static int __foldback_scan_text(const char *text, const char *format, __builtin_va_list ap) {
  const char *s = text;
  int assigned = 0;
  while (*format != 0) {
    if (__foldback_strspace(*format)) {
      s = __foldback_scan_blanks(s);
      format++;
      continue;
    }
    if (*format != '%') {
      if (*s == 0)
        return assigned == 0 ? -1 : assigned;
      if (*s != *format)
        return assigned;
      s++;
      format++;
      continue;
    }
    int store, width, size;
    char conversion;
    format = __foldback_scan_options(format + 1, &store, &width, &size, &conversion);
    if (conversion == 'n') {
      if (store)
        __foldback_scan_store(__builtin_va_arg(ap, void *), (unsigned long long)(s - text), size);
      continue;
    }
    if (conversion != 'c' && conversion != '[')
      s = __foldback_scan_blanks(s);
    if (*s == 0)
      return assigned == 0 ? -1 : assigned;
    if (conversion == '%') {
      if (*s != '%')
        return assigned;
      s++;
      continue;
    }
    const char *set = format;
    int excludes = 0;
    if (conversion == '[')
      format = __foldback_scan_set(format, &set, &excludes);
    void *target = store ? __builtin_va_arg(ap, void *) : 0;
    if (conversion == 'd' || conversion == 'i' || conversion == 'u' || conversion == 'x' || conversion == 'X' ||
        conversion == 'o') {
      s = __foldback_scan_integer(s, conversion, size, width, store, target);
    } else if (conversion == 'c') {
      if (size != 0)
        __foldback_unsupported("a wide character in formatted input");
      s = __foldback_scan_characters(s, width == 0 ? 1 : width, store, target);
    } else if (conversion == 's' || conversion == '[') {
      if (size != 0)
        __foldback_unsupported("a wide string in formatted input");
      s = __foldback_scan_word(s, conversion == 's' ? 0 : set, excludes, width, store, target);
    } else if (conversion == 'f' || conversion == 'e' || conversion == 'g' || conversion == 'a' || conversion == 'E' ||
               conversion == 'F' || conversion == 'G' || conversion == 'A') {
      s = __foldback_scan_float(s, size, width, store, target);
    } else {
      __foldback_unsupported("a conversion in a format string");
    }
    if (s == 0)
      return assigned;
    assigned += store;
  }
  return assigned;
}

int vscanf(const char *format, __builtin_va_list ap) {
  __foldback_use_input();
  return __foldback_scan(format, ap);
}

int vfscanf(void *stream, const char *format, __builtin_va_list ap) {
  __foldback_use(stream);
  return __foldback_scan(format, ap);
}

int vsscanf(const char *text, const char *format, __builtin_va_list ap) {
  return __foldback_scan_text(text, format, ap);
}

int scanf(const char *format, ...) {
  __builtin_va_list ap;
  __foldback_use_input();
  __builtin_va_start(ap, format);
  int n = __foldback_scan(format, ap);
  __builtin_va_end(ap);
  return n;
}

int fscanf(void *stream, const char *format, ...) {
  __builtin_va_list ap;
  __foldback_use(stream);
  __builtin_va_start(ap, format);
  int n = __foldback_scan(format, ap);
  __builtin_va_end(ap);
  return n;
}

int sscanf(const char *text, const char *format, ...) {
  __builtin_va_list ap;
  __builtin_va_start(ap, format);
  int n = __foldback_scan_text(text, format, ap);
  __builtin_va_end(ap);
  return n;
}

/* The names that glibc's header gives to the C99 versions in preprocessed files. */
int __isoc99_scanf(const char *format, ...) __attribute__((alias("scanf")));
int __isoc99_fscanf(void *stream, const char *format, ...) __attribute__((alias("fscanf")));
int __isoc99_sscanf(const char *text, const char *format, ...) __attribute__((alias("sscanf")));
