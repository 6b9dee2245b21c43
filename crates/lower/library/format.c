/* Formatted output to streams and strings. Into a string, integers, characters and strings are written exactly as the
   original does; the text of a floating number or a pointer is unknown, of a length that the original could produce. */

typedef __typeof__(sizeof(0)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;

int __VERIFIER_nondet_int(void);
int __foldback_unknown_int(void);
char __foldback_unknown_char(void);
void __VERIFIER_assume(int condition);
void __foldback_unsupported(const char *what);
int __foldback_same_object(const void *one, const void *other);
void __foldback_check_read(const void *p, size_t n);
void __foldback_print(const char *format, __builtin_va_list ap);
void __foldback_print_error(const char *format, __builtin_va_list ap);
void __foldback_errno_stream(int condition);
void __foldback_havoc_unknown(void *p, size_t n);
void __foldback_errno_may_if(int condition);
void __foldback_putchar(int c);
void __foldback_putchar_error(int c);
void *malloc(size_t size);
void __foldback_use(void *stream);
int __foldback_is_memory(void *stream);
int __foldback_memory_put(void *stream, int c);
extern void *stdout;
extern void *stderr;
typedef int wchar_t;

/* Where formatted characters go (those of time.c, too): `at` counts all of them, those below `room` are stored. */
struct __foldback_sink {
  char *out;
  size_t room;
  size_t at;
};

void __foldback_put(struct __foldback_sink *sink, char c) {
  if (sink->at < sink->room)
    sink->out[sink->at] = c;
  sink->at = sink->at + 1;
}

void __foldback_put_text(struct __foldback_sink *sink, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    __foldback_put(sink, text[i]);
}

static void __foldback_pad(struct __foldback_sink *sink, char c, int count) {
  while (count > 0) {
    __foldback_put(sink, c);
    count--;
  }
}

/* One conversion, taken apart. */
struct __foldback_spec {
  int left, plus, space, alternative, zero;
  int width;
  int precision; /* -1: none */
};

static void __foldback_put_number(struct __foldback_sink *sink, const struct __foldback_spec *spec, unsigned long long value,
                                  int negative, int is_signed, unsigned base, int upper) {
  char digits[24];
  int count = 0;
  unsigned long long rest = value;
  while (rest != 0) {
    unsigned digit = (unsigned)(rest % base);
    digits[count] = (char)(digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + (digit - 10));
    count++;
    rest = rest / base;
  }
  int zeros = (spec->precision < 0 ? 1 : spec->precision) - count;
  if (base == 8 && spec->alternative && zeros <= 0 && !(count == 0 && zeros > 0))
    zeros = 1;
  if (zeros < 0)
    zeros = 0;
  char sign = negative ? '-' : is_signed && spec->plus ? '+' : is_signed && spec->space ? ' ' : 0;
  int prefix = base == 16 && spec->alternative && value != 0 ? 2 : 0;
  int length = count + zeros + prefix + (sign != 0);
  if (spec->zero && !spec->left && spec->precision < 0 && spec->width > length) {
    zeros += spec->width - length;
    length = spec->width;
  }
  if (!spec->left)
    __foldback_pad(sink, ' ', spec->width - length);
  if (sign != 0)
    __foldback_put(sink, sign);
  if (prefix) {
    __foldback_put(sink, '0');
    __foldback_put(sink, upper ? 'X' : 'x');
  }
  __foldback_pad(sink, '0', zeros);
  while (count > 0) {
    count--;
    __foldback_put(sink, digits[count]);
  }
  if (spec->left)
    __foldback_pad(sink, ' ', spec->width - length);
}

/* Text of a length that the original could produce. */
void __foldback_put_unknown(struct __foldback_sink *sink, int least, int most) {
  int length = __foldback_unknown_int();
  __VERIFIER_assume(length >= least && length <= most);
  while (length > 0) {
    char c = __foldback_unknown_char();
    __VERIFIER_assume(c >= ' ' && c <= '~');
    __foldback_put(sink, c);
    length--;
  }
}

/* Length and characters of a floating number's text: `run` knows them by the arguments, the verifier leaves them open.
   Flags: 1 left, 2 plus, 4 space, 8 alternative, 16 zero. */
static int __foldback_float_length(int conversion, int flags, int width, int precision, double value) {
  return __foldback_unknown_int();
}

static char __foldback_float_char(int conversion, int flags, int width, int precision, double value, int position) {
  return __foldback_unknown_char();
}

static int __foldback_long_float_length(int conversion, int flags, int width, int precision, long double value) {
  return __foldback_unknown_int();
}

static char __foldback_long_float_char(int conversion, int flags, int width, int precision, long double value,
                                       int position) {
  return __foldback_unknown_char();
}

static int __foldback_flags(const struct __foldback_spec *spec) {
  return spec->left + 2 * spec->plus + 4 * spec->space + 8 * spec->alternative + 16 * spec->zero;
}

void __foldback_put_float(struct __foldback_sink *sink, const struct __foldback_spec *spec, int conversion,
                            double value) {
  int flags = __foldback_flags(spec);
  int most = 320 + (spec->precision > 0 ? spec->precision : 6);
  int length = __foldback_float_length(conversion, flags, spec->width, spec->precision, value);
  __VERIFIER_assume(length >= 1 && length >= spec->width && (length <= most || length <= spec->width));
  int i = 0;
  while (i < length) {
    char c = __foldback_float_char(conversion, flags, spec->width, spec->precision, value, i);
    __VERIFIER_assume(c >= ' ' && c <= '~');
    __foldback_put(sink, c);
    i++;
  }
}

void __foldback_put_long_float(struct __foldback_sink *sink, const struct __foldback_spec *spec, int conversion,
                                 long double value) {
  int flags = __foldback_flags(spec);
  int most = 4960 + (spec->precision > 0 ? spec->precision : 6);
  int length = __foldback_long_float_length(conversion, flags, spec->width, spec->precision, value);
  __VERIFIER_assume(length >= 1 && length >= spec->width && (length <= most || length <= spec->width));
  int i = 0;
  while (i < length) {
    char c = __foldback_long_float_char(conversion, flags, spec->width, spec->precision, value, i);
    __VERIFIER_assume(c >= ' ' && c <= '~');
    __foldback_put(sink, c);
    i++;
  }
}

/* An integer by its conversion. */
void __foldback_put_integer(struct __foldback_sink *sink, const struct __foldback_spec *spec, char conversion,
                            unsigned long long value) {
  if (conversion == 'd' || conversion == 'i')
    __foldback_put_number(sink, spec, (long long)value < 0 ? -value : value, (long long)value < 0, 1, 10, 0);
  else
    __foldback_put_number(sink, spec, value, 0, 0, conversion == 'u' ? 10 : conversion == 'o' ? 8 : 16, conversion == 'X');
}

void __foldback_put_character(struct __foldback_sink *sink, const struct __foldback_spec *spec, int c) {
  if (!spec->left)
    __foldback_pad(sink, ' ', spec->width - 1);
  __foldback_put(sink, (char)c);
  if (spec->left)
    __foldback_pad(sink, ' ', spec->width - 1);
}

void __foldback_put_string(struct __foldback_sink *sink, const struct __foldback_spec *spec, const char *s, int is_wide) {
  const wchar_t *wide = is_wide ? (const wchar_t *)s : 0;
  if (s == 0) {
    s = spec->precision < 0 || spec->precision >= 6 ? "(null)" : ""; /* as glibc does */
    wide = 0;
  }
  int length = 0;
  while ((spec->precision < 0 || length < spec->precision) && (wide != 0 ? wide[length] != 0 : s[length] != 0))
    length++;
  if (__foldback_same_object(sink->out, s) && ((size_t)(sink->out - s) <= (size_t)length ||
                                               (size_t)(s - sink->out) <= sink->at + (size_t)length))
    __foldback_unsupported("output over a string that is printed");
  if (!spec->left)
    __foldback_pad(sink, ' ', spec->width - length);
  int i = 0;
  while (i < length) {
    if (wide != 0 && (wide[i] < 0 || wide[i] > 127))
      __foldback_unsupported("a wide character beyond ASCII in formatted output");
    __foldback_put(sink, wide != 0 ? (char)wide[i] : s[i]);
    i++;
  }
  if (spec->left)
    __foldback_pad(sink, ' ', spec->width - length);
}

/* The text of printf(format, ...) goes to the sink; without `store` only the arguments are read. Returns its length. */
static int __foldback_format(char *out, size_t room, const char *format, __builtin_va_list ap) {
  struct __foldback_sink sink;
  sink.out = out;
  sink.room = room;
  sink.at = 0;
  while (*format != 0) {
    if (*format != '%') {
      __foldback_put(&sink, *format);
      format++;
      continue;
    }
    format++;
    struct __foldback_spec spec;
    spec.left = spec.plus = spec.space = spec.alternative = spec.zero = 0;
    spec.width = 0;
    spec.precision = -1;
    for (;;) {
      if (*format == '-')
        spec.left = 1;
      else if (*format == '+')
        spec.plus = 1;
      else if (*format == ' ')
        spec.space = 1;
      else if (*format == '#')
        spec.alternative = 1;
      else if (*format == '0')
        spec.zero = 1;
      else
        break;
      format++;
    }
    if (*format == '*') {
      spec.width = __builtin_va_arg(ap, int);
      if (spec.width < 0) {
        spec.left = 1;
        spec.width = -spec.width;
      }
      format++;
    } else {
      while (*format >= '0' && *format <= '9') {
        spec.width = spec.width * 10 + (*format - '0');
        format++;
      }
    }
    if (*format == '.') {
      format++;
      spec.precision = 0;
      if (*format == '*') {
        spec.precision = __builtin_va_arg(ap, int);
        format++;
      } else {
        while (*format >= '0' && *format <= '9') {
          spec.precision = spec.precision * 10 + (*format - '0');
          format++;
        }
      }
      if (spec.precision < 0)
        spec.precision = -1;
    }
    /* Size of an integer argument: -2 char, -1 short, 0 int, 1 long, 2 long long, 3 size_t and its like. */
    int size = 0;
    int is_long_double = 0;
    for (;;) {
      if (*format == 'h')
        size--;
      else if (*format == 'l')
        size++;
      else if (*format == 'q' || *format == 'j')
        size = 2;
      else if (*format == 'z' || *format == 't' || *format == 'Z')
        size = 1; /* as wide as long in both data models */
      else if (*format == 'L')
        is_long_double = 1, size = 2;
      else
        break;
      format++;
    }
    char conversion = *format;
    if (conversion == 0)
      __foldback_unsupported("a format string that ends within a conversion");
    format++;
    if (conversion == 'd' || conversion == 'i') {
      long long value;
      if (size >= 2)
        value = __builtin_va_arg(ap, long long);
      else if (size == 1)
        value = __builtin_va_arg(ap, long);
      else {
        int argument = __builtin_va_arg(ap, int);
        value = size == 0 ? argument : size == -1 ? (short)argument : (signed char)argument;
      }
      __foldback_put_integer(&sink, &spec, conversion, (unsigned long long)value);
    } else if (conversion == 'u' || conversion == 'x' || conversion == 'X' || conversion == 'o') {
      unsigned long long value;
      if (size >= 2)
        value = __builtin_va_arg(ap, unsigned long long);
      else if (size == 1)
        value = __builtin_va_arg(ap, unsigned long);
      else {
        unsigned argument = __builtin_va_arg(ap, unsigned);
        value = size == 0 ? argument : size == -1 ? (unsigned short)argument : (unsigned char)argument;
      }
      __foldback_put_integer(&sink, &spec, conversion, value);
    } else if (conversion == 'c') {
      int c = __builtin_va_arg(ap, int);
      if (size == 1 && (c < 0 || c > 127))
        __foldback_unsupported("a wide character beyond ASCII in formatted output");
      __foldback_put_character(&sink, &spec, c);
    } else if (conversion == 's') {
      __foldback_put_string(&sink, &spec, __builtin_va_arg(ap, const char *), size == 1);
    } else if (conversion == 'p') {
      void *p = __builtin_va_arg(ap, void *);
      (void)p;
      __foldback_put_unknown(&sink, 3, spec.width > 18 ? spec.width : 18);
    } else if (conversion == 'n') {
      if (size >= 2)
        *__builtin_va_arg(ap, long long *) = (long long)sink.at;
      else if (size == 1)
        *__builtin_va_arg(ap, long *) = (long)sink.at;
      else if (size == 0)
        *__builtin_va_arg(ap, int *) = (int)sink.at;
      else if (size == -1)
        *__builtin_va_arg(ap, short *) = (short)sink.at;
      else
        *__builtin_va_arg(ap, signed char *) = (signed char)sink.at;
    } else if (conversion == '%') {
      __foldback_put(&sink, '%');
    } else if (conversion == 'e' || conversion == 'E' || conversion == 'f' || conversion == 'F' || conversion == 'g' ||
               conversion == 'G' || conversion == 'a' || conversion == 'A') {
      if (is_long_double)
        __foldback_put_long_float(&sink, &spec, conversion, __builtin_va_arg(ap, long double));
      else
        __foldback_put_float(&sink, &spec, conversion, __builtin_va_arg(ap, double));
    } else {
      __foldback_unsupported("a conversion in a format string");
    }
  }
  return (int)sink.at;
}

int vsnprintf(char *out, size_t size, const char *format, __builtin_va_list ap) {
  int length = __foldback_format(out, size > 0 ? size - 1 : 0, format, ap);
  if (size > 0)
    out[(size_t)length < size ? (size_t)length : size - 1] = 0;
  return length;
}

int vsprintf(char *out, const char *format, __builtin_va_list ap) {
  int length = __foldback_format(out, ~(size_t)0, format, ap);
  out[length] = 0;
  return length;
}

int snprintf(char *out, size_t size, const char *format, ...) {
  __builtin_va_list ap;
  __builtin_va_start(ap, format);
  int length = __foldback_format(out, size > 0 ? size - 1 : 0, format, ap);
  __builtin_va_end(ap);
  if (size > 0)
    out[(size_t)length < size ? (size_t)length : size - 1] = 0;
  return length;
}

int sprintf(char *out, const char *format, ...) {
  __builtin_va_list ap;
  __builtin_va_start(ap, format);
  int length = __foldback_format(out, ~(size_t)0, format, ap);
  __builtin_va_end(ap);
  out[length] = 0;
  return length;
}

/* What is in *out is undefined where there is no memory. */
int vasprintf(char **out, const char *format, __builtin_va_list ap) {
  __builtin_va_list again;
  __builtin_va_copy(again, ap);
  int length = __foldback_format(0, 0, format, ap);
  char *text = malloc((size_t)length + 1);
  if (text != 0) {
    __foldback_format(text, (size_t)length, format, again);
    text[length] = 0;
    *out = text;
  } else {
    __foldback_havoc_unknown(out, sizeof(*out));
  }
  __builtin_va_end(again);
  return text != 0 ? length : -1;
}

int asprintf(char **out, const char *format, ...) {
  __builtin_va_list ap;
  __builtin_va_start(ap, format);
  int length = vasprintf(out, format, ap);
  __builtin_va_end(ap);
  return length;
}

/* To a stream: what is printed is shown when the program runs, to standard output and standard error. The result is the
   number of characters, or negative where writing fails. */
static int __foldback_emit(void *stream, const char *format, __builtin_va_list ap, int fails) {
  __builtin_va_list again;
  __builtin_va_copy(again, ap);
  int length = __foldback_format(0, 0, format, ap);
  if (stream == stdout)
    __foldback_print(format, again);
  else if (stream == stderr)
    __foldback_print_error(format, again);
  __builtin_va_end(again);
  __foldback_errno_stream(fails < 0);
  return fails < 0 ? fails : length;
}

int vprintf(const char *format, __builtin_va_list ap) {
  return __foldback_emit(stdout, format, ap, __VERIFIER_nondet_int());
}

/* Formatted, and written as a string. */
static int __foldback_memory_print(void *stream, const char *format, __builtin_va_list ap) {
  char text[256];
  int length = __foldback_format(text, sizeof(text), format, ap);
  if (length >= 256)
    __foldback_unsupported("more than 255 characters printed to memory");
  int i = 0;
  while (i < length) {
    if (__foldback_memory_put(stream, text[i]) == -1)
      return -1;
    i++;
  }
  return length;
}

int vfprintf(void *stream, const char *format, __builtin_va_list ap) {
  if (__foldback_is_memory(stream)) /* memory stream */
    return __foldback_memory_print(stream, format, ap); /* memory stream */
  __foldback_use(stream);
  return __foldback_emit(stream, format, ap, __VERIFIER_nondet_int());
}

int fprintf(void *stream, const char *format, ...) {
  __builtin_va_list ap;
  if (__foldback_is_memory(stream)) { /* memory stream */
    __builtin_va_start(ap, format); /* memory stream */
    int written = __foldback_memory_print(stream, format, ap); /* memory stream */
    __builtin_va_end(ap); /* memory stream */
    return written; /* memory stream */
  } /* memory stream */
  __foldback_use(stream);
  __builtin_va_start(ap, format);
  int length = __foldback_emit(stream, format, ap, __VERIFIER_nondet_int());
  __builtin_va_end(ap);
  return length;
}

static void *__foldback_descriptor(int descriptor) { return descriptor == 1 ? stdout : descriptor == 2 ? stderr : 0; }

int dprintf(int descriptor, const char *format, ...) {
  __builtin_va_list ap;
  __builtin_va_start(ap, format);
  int length = __foldback_emit(__foldback_descriptor(descriptor), format, ap, __VERIFIER_nondet_int());
  __builtin_va_end(ap);
  return length;
}

int vdprintf(int descriptor, const char *format, __builtin_va_list ap) {
  return __foldback_emit(__foldback_descriptor(descriptor), format, ap, __VERIFIER_nondet_int());
}

/* Messages of <err.h> and <syslog.h>: the arguments are read. */
void vsyslog(int priority, const char *format, __builtin_va_list ap) {
  (void)priority;
  __foldback_format(0, 0, format, ap);
}

void syslog(int priority, const char *format, ...) {
  __builtin_va_list ap;
  (void)priority;
  __builtin_va_start(ap, format);
  __foldback_format(0, 0, format, ap);
  __builtin_va_end(ap);
}

/* Wide formats: a format beyond ASCII is not modelled, and what it makes is one wide character for each byte. */
static const char *__foldback_narrow(const wchar_t *format, char *room, size_t size) {
  size_t i = 0;
  for (;;) {
    if (i == size)
      __foldback_unsupported("a wide format of 512 or more characters");
    if (format[i] < 0 || format[i] > 127)
      __foldback_unsupported("a wide format with characters beyond ASCII");
    room[i] = (char)format[i];
    if (format[i] == 0)
      return room;
    i++;
  }
}

int vswprintf(wchar_t *out, size_t size, const wchar_t *format, __builtin_va_list ap) {
  char narrow[512];
  char text[512];
  int length = __foldback_format(text, 511, __foldback_narrow(format, narrow, 512), ap);
  if (length > 511)
    __foldback_unsupported("more than 511 wide characters");
  size_t i = 0;
  while (i < (size_t)length && i + 1 < size) {
    out[i] = (unsigned char)text[i];
    i++;
  }
  if (size != 0)
    out[i] = 0;
  __foldback_errno_may_if((size_t)length >= size);
  return (size_t)length >= size ? -1 : length;
}

int swprintf(wchar_t *out, size_t size, const wchar_t *format, ...) {
  __builtin_va_list ap;
  __builtin_va_start(ap, format);
  int length = vswprintf(out, size, format, ap);
  __builtin_va_end(ap);
  return length;
}

static int __foldback_wide_emit(void *stream, const wchar_t *format, __builtin_va_list ap, int fails) {
  char narrow[512];
  return __foldback_emit(stream, __foldback_narrow(format, narrow, 512), ap, fails);
}

int vwprintf(const wchar_t *format, __builtin_va_list ap) {
  return __foldback_wide_emit(stdout, format, ap, __VERIFIER_nondet_int());
}

int vfwprintf(void *stream, const wchar_t *format, __builtin_va_list ap) {
  __foldback_use(stream);
  return __foldback_wide_emit(stream, format, ap, __VERIFIER_nondet_int());
}

int wprintf(const wchar_t *format, ...) {
  __builtin_va_list ap;
  __builtin_va_start(ap, format);
  int length = __foldback_wide_emit(stdout, format, ap, __VERIFIER_nondet_int());
  __builtin_va_end(ap);
  return length;
}

int fwprintf(void *stream, const wchar_t *format, ...) {
  __builtin_va_list ap;
  __foldback_use(stream);
  __builtin_va_start(ap, format);
  int length = __foldback_wide_emit(stream, format, ap, __VERIFIER_nondet_int());
  __builtin_va_end(ap);
  return length;
}
