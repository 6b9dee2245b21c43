/* Formatted input. What a stream holds is an input, so each target of scanf gets any value of its type; sscanf's values
   are determined by its text, which we do not take apart: they are unknown. As many targets are set as the result says. */

typedef __typeof__(sizeof(0)) size_t;

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __foldback_havoc(void *p, size_t n);
void __foldback_havoc_unknown(void *p, size_t n);
int __foldback_unknown_int(void);
void __foldback_unsupported(const char *what);
void __foldback_errno_may_if(int condition);
void __foldback_check_read(const void *p, size_t n);

static void __foldback_fill(void *p, size_t n, int from_text) {
  if (from_text)
    __foldback_havoc_unknown(p, n);
  else
    __foldback_havoc(p, n);
}

/* Walks the format; sets targets until input or matching fails, which it may anywhere. */
static int __foldback_scan(const char *format, __builtin_va_list ap, int from_text) {
  int assigned = 0;
  while (*format != 0) {
    if (*format != '%') {
      format++;
      continue;
    }
    format++;
    if (*format == '%') {
      format++;
      continue;
    }
    int store = 1;
    if (*format == '*') {
      store = 0;
      format++;
    }
    int width = 0;
    while (*format >= '0' && *format <= '9') {
      width = width * 10 + (*format - '0');
      format++;
    }
    int size = 0;
    for (;;) {
      if (*format == 'h')
        size--;
      else if (*format == 'l')
        size++;
      else if (*format == 'q' || *format == 'j' || *format == 'L')
        size = 2;
      else if (*format == 'z' || *format == 't')
        size = 1;
      else
        break;
      format++;
    }
    char conversion = *format;
    if (conversion == 0)
      __foldback_unsupported("a format string that ends within a conversion");
    format++;
    if (conversion == '[') {
      if (*format == '^')
        format++;
      if (*format == ']')
        format++;
      while (*format != ']') {
        if (*format == 0)
          __foldback_unsupported("a format string that ends within a conversion");
        format++;
      }
      format++;
    }
    int stops = from_text ? __foldback_unknown_int() : __VERIFIER_nondet_int();
    if (!from_text)
      __foldback_errno_may_if(stops != 0);
    if (stops)
      return assigned == 0 && (from_text ? __foldback_unknown_int() : __VERIFIER_nondet_int()) ? -1 : assigned;
    if (!store)
      continue;
    void *target = __builtin_va_arg(ap, void *);
    if (conversion == 'd' || conversion == 'i' || conversion == 'u' || conversion == 'x' || conversion == 'X' ||
        conversion == 'o' || conversion == 'n') {
      size_t bytes = size >= 2 ? 8 : size == 1 ? sizeof(long) : size == 0 ? 4 : size == -1 ? 2 : 1;
      __foldback_fill(target, bytes, from_text);
    } else if (conversion == 'f' || conversion == 'e' || conversion == 'g' || conversion == 'a' || conversion == 'E' ||
               conversion == 'F' || conversion == 'G' || conversion == 'A') {
      if (size >= 2)
        __foldback_unsupported("long double in formatted input");
      __foldback_fill(target, size == 1 ? 8 : 4, from_text);
    } else if (conversion == 'p') {
      __foldback_unsupported("a pointer in formatted input");
    } else if (conversion == 'c') {
      __foldback_fill(target, width == 0 ? 1 : (size_t)width, from_text);
    } else if (conversion == 's' || conversion == '[') {
      if (size != 0)
        __foldback_unsupported("a wide string in formatted input");
      char *s = target;
      size_t length = 0;
      do {
        __foldback_fill(s + length, 1, from_text);
        __VERIFIER_assume(s[length] != 0 && (conversion == '[' || s[length] != ' '));
        length++;
      } while ((width == 0 || length < (size_t)width) && (from_text ? __foldback_unknown_int() : __VERIFIER_nondet_int()));
      s[length] = 0;
    } else {
      __foldback_unsupported("a conversion in a format string");
    }
    if (conversion != 'n')
      assigned++;
  }
  return assigned;
}

int vscanf(const char *format, __builtin_va_list ap) { return __foldback_scan(format, ap, 0); }

int vfscanf(void *stream, const char *format, __builtin_va_list ap) {
  __foldback_check_read(stream, 1);
  return __foldback_scan(format, ap, 0);
}

int vsscanf(const char *text, const char *format, __builtin_va_list ap) {
  while (*text != 0)
    text++;
  return __foldback_scan(format, ap, 1);
}

int scanf(const char *format, ...) {
  __builtin_va_list ap;
  __builtin_va_start(ap, format);
  int n = __foldback_scan(format, ap, 0);
  __builtin_va_end(ap);
  return n;
}

int fscanf(void *stream, const char *format, ...) {
  __builtin_va_list ap;
  __foldback_check_read(stream, 1);
  __builtin_va_start(ap, format);
  int n = __foldback_scan(format, ap, 0);
  __builtin_va_end(ap);
  return n;
}

int sscanf(const char *text, const char *format, ...) {
  __builtin_va_list ap;
  while (*text != 0)
    text++;
  __builtin_va_start(ap, format);
  int n = __foldback_scan(format, ap, 1);
  __builtin_va_end(ap);
  return n;
}

/* The names that glibc's header gives to the C99 versions in preprocessed files. */
int __isoc99_scanf(const char *format, ...) {
  __builtin_va_list ap;
  __builtin_va_start(ap, format);
  int n = __foldback_scan(format, ap, 0);
  __builtin_va_end(ap);
  return n;
}

int __isoc99_fscanf(void *stream, const char *format, ...) {
  __builtin_va_list ap;
  __foldback_check_read(stream, 1);
  __builtin_va_start(ap, format);
  int n = __foldback_scan(format, ap, 0);
  __builtin_va_end(ap);
  return n;
}

int __isoc99_sscanf(const char *text, const char *format, ...) {
  __builtin_va_list ap;
  while (*text != 0)
    text++;
  __builtin_va_start(ap, format);
  int n = __foldback_scan(format, ap, 1);
  __builtin_va_end(ap);
  return n;
}
