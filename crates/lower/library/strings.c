/* Strings of bytes (string.h, stdlib.h) and of wide characters (wchar.h): what both have. This is the text for char, from which the one
   for wchar_t is made: words that begin with `str` or `stp`, after `__foldback_` or at once, begin with `wcs` or `wcp` there.
   OTHER_CHAR is the type of the other kind.
   Each function touches exactly what the original is specified to touch: strings up to and with their terminating zero, the
   strn* family no more than needed. */

typedef __typeof__(sizeof(0)) size_t;
typedef int wchar_t;

void *malloc(size_t size);
void *memcpy(void *to, const void *from, size_t n);
void __foldback_unsupported(const char *what);
int __foldback_same_object(const void *one, const void *other);
int __foldback_strorder(char a, char b);
int __foldback_strcaseless(char a, char b);
const char *__foldback_strknown_end(const char *s);
void __foldback_errno_if(int condition, int value);
int __foldback_strtranslate(char *to, OTHER_CHAR c);
int __foldback_strnext(void *stream);

size_t __foldback_strlen(const char *s) {
  size_t n = 0;
  while (s[n] != 0)
    n++;
  return n;
}

size_t __foldback_strnlen(const char *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n] != 0)
    n++;
  return n;
}

int __foldback_strmember(char c, const char *set) {
  while (*set != 0) {
    if (*set == c)
      return 1;
    set++;
  }
  return 0;
}

size_t strlen(const char *s) { return __foldback_strlen(s); }

size_t strnlen(const char *s, size_t max) { return __foldback_strnlen(s, max); }

/* What is read and what is written must not overlap. Asked only where both lie in one object. */
void __foldback_strapart(const char *to, size_t written, const char *from, size_t used) {
  if ((size_t)(to - from) < used || (size_t)(from - to) < written)
    __foldback_unsupported("strings that overlap");
}

char *strcpy(char *to, const char *from) {
  if (__foldback_same_object(to, from)) {
    size_t size = __foldback_strlen(from) + 1;
    __foldback_strapart(to, size, from, size);
  }
  size_t i = 0;
  while ((to[i] = from[i]) != 0)
    i++;
  return to;
}

char *stpcpy(char *to, const char *from) {
  if (__foldback_same_object(to, from)) {
    size_t size = __foldback_strlen(from) + 1;
    __foldback_strapart(to, size, from, size);
  }
  while ((*to = *from) != 0) {
    to++;
    from++;
  }
  return to;
}

/* Where the copy ends: at its first zero, if it has one. */
static char *__foldback_strncopy(char *to, const char *from, size_t n) {
  if (n != 0 && __foldback_same_object(to, from))
    __foldback_strapart(to, n, from, __foldback_strnlen(from, n - 1) + 1);
  size_t i = 0;
  while (i < n && from[i] != 0) {
    to[i] = from[i];
    i++;
  }
  char *end = to + i;
  while (i < n) {
    to[i] = 0;
    i++;
  }
  return end;
}

char *strncpy(char *to, const char *from, size_t n) {
  __foldback_strncopy(to, from, n);
  return to;
}

char *stpncpy(char *to, const char *from, size_t n) { return __foldback_strncopy(to, from, n); }

char *strcat(char *to, const char *from) {
  char *end = to + __foldback_strlen(to);
  if (__foldback_same_object(to, from)) {
    size_t size = __foldback_strlen(from) + 1;
    __foldback_strapart(to, (size_t)(end - to) + size, from, size);
  }
  while ((*end = *from) != 0) {
    end++;
    from++;
  }
  return to;
}

char *strncat(char *to, const char *from, size_t n) {
  char *end = to + __foldback_strlen(to);
  if (n != 0 && __foldback_same_object(to, from)) {
    size_t length = __foldback_strnlen(from, n);
    __foldback_strapart(to, (size_t)(end - to) + length + 1, from, length < n ? length + 1 : n);
  }
  size_t i = 0;
  while (i < n && from[i] != 0) {
    end[i] = from[i];
    i++;
  }
  end[i] = 0;
  return to;
}

static int __foldback_strcompare(const char *a, const char *b) {
  while (*a != 0 && *a == *b) {
    a++;
    b++;
  }
  return __foldback_strorder(*a, *b);
}

int strcmp(const char *a, const char *b) { return __foldback_strcompare(a, b); }

int strcoll(const char *a, const char *b) { return __foldback_strcompare(a, b); }

size_t strxfrm(char *to, const char *from, size_t n) {
  if (n != 0 && __foldback_same_object(to, from)) {
    size_t size = __foldback_strlen(from) + 1;
    __foldback_strapart(to, size < n ? size : n, from, size);
  }
  size_t i = 0;
  while (i < n && from[i] != 0) {
    to[i] = from[i];
    i++;
  }
  if (i < n)
    to[i] = 0;
  return i + __foldback_strlen(from + i);
}

int strncmp(const char *a, const char *b, size_t n) {
  size_t i = 0;
  while (i < n) {
    if (a[i] != b[i])
      return __foldback_strorder(a[i], b[i]);
    if (a[i] == 0)
      return 0;
    i++;
  }
  return 0;
}

int strcasecmp(const char *a, const char *b) {
  while (*a != 0 && __foldback_strcaseless(*a, *b) == 0) {
    a++;
    b++;
  }
  return __foldback_strcaseless(*a, *b);
}

int strncasecmp(const char *a, const char *b, size_t n) {
  size_t i = 0;
  while (i < n) {
    int difference = __foldback_strcaseless(a[i], b[i]);
    if (difference != 0)
      return difference;
    if (a[i] == 0)
      return 0;
    i++;
  }
  return 0;
}

char *__foldback_strfirst(const char *s, char c) {
  while (*s != c) {
    if (*s == 0)
      return 0;
    s++;
  }
  return (char *)s;
}

char *__foldback_strlast(const char *s, char c) {
  char *last = 0;
  for (;;) {
    if (*s == c)
      last = (char *)s;
    if (*s == 0)
      return last;
    s++;
  }
}

char *strchr(const char *s, int c) { return __foldback_strfirst(s, (char)c); }

char *strrchr(const char *s, int c) { return __foldback_strlast(s, (char)c); }

char *strchrnul(const char *s, int c) {
  while (*s != (char)c && *s != 0)
    s++;
  return (char *)s;
}

char *__foldback_strfind(const char *text, const char *word, int any_case) {
  for (;;) {
    size_t i = 0;
    while (word[i] != 0 && (any_case ? __foldback_strcaseless(text[i], word[i]) == 0 : text[i] == word[i]))
      i++;
    if (word[i] == 0)
      return (char *)text;
    if (text[i] == 0)
      return 0;
    text++;
  }
}

char *strstr(const char *text, const char *word) { return __foldback_strfind(text, word, 0); }

/* How many characters at the start are in the set, and how many are not. */
size_t __foldback_strwithin(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] != 0 && __foldback_strmember(s[n], set))
    n++;
  return n;
}

size_t __foldback_strwithout(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] != 0 && !__foldback_strmember(s[n], set))
    n++;
  return n;
}

size_t strspn(const char *s, const char *accept) { return __foldback_strwithin(s, accept); }

size_t strcspn(const char *s, const char *reject) { return __foldback_strwithout(s, reject); }

char *strpbrk(const char *s, const char *accept) {
  while (*s != 0) {
    if (__foldback_strmember(*s, accept))
      return (char *)s;
    s++;
  }
  return 0;
}

char *strdup(const char *s) {
  size_t size = (__foldback_strlen(s) + 1) * sizeof(char);
  char *copy = malloc(size);
  if (copy != 0)
    memcpy(copy, s, size);
  return copy;
}

/* The characters of the other kind at *from, up to n of them, as characters of this kind; where there is nowhere to put them,
   how many there are. (size_t)-1 for one that this kind does not have. */
size_t __foldback_strtranslated(char *to, const OTHER_CHAR **from, size_t n) {
  const OTHER_CHAR *s = *from;
  size_t i = 0;
  for (;;) {
    if (to != 0 && i == n) {
      *from = s + i;
      return n;
    }
    char c;
    if (!__foldback_strtranslate(&c, s[i])) {
      if (to != 0)
        *from = s + i;
      return (size_t)-1;
    }
    if (to != 0)
      to[i] = c;
    if (c == 0) {
      if (to != 0)
        *from = 0;
      return i;
    }
    i++;
  }
}

/* Reads a line from a stream, as far as there is room for it: where it ends then, null where the stream had nothing left. */
char *__foldback_strline(char *line, int size, void *stream) {
  int i = 0;
  while (i < size - 1) {
    int c = __foldback_strnext(stream);
    if (c == -1)
      break;
    line[i] = (char)c;
    i++;
    if (c == '\n')
      break;
  }
  if (i == 0 && size > 1)
    return 0;
  line[i] = 0;
  return line + i;
}

/* Numbers: the characters of one are ASCII. */

int __foldback_strspace(char c) { return c == ' ' || (c >= 9 && c <= 13); }

int __foldback_strdigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z')
    return c - 'A' + 10;
  return 99;
}

/* The digits at `s` in `base` as a number up to `limit`; beyond it `limit`, and *overflow is set. *negative tells the
   sign. *end is where the number ends, or `s` if there is none. */
static unsigned long long __foldback_strnumber(const char *s, const char **end, int base, unsigned long long positive_limit,
                                               unsigned long long negative_limit, int *negative, int *overflow) {
  const char *p = s, *last = __foldback_strknown_end(s);
  *end = s;
  *negative = 0;
  *overflow = 0;
  while (p != last && __foldback_strspace(*p))
    p++;
  if (*p == '-') {
    *negative = 1;
    p++;
  } else if (*p == '+') {
    p++;
  }
  if ((base == 0 || base == 16) && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && __foldback_strdigit(p[2]) < 16) {
    p += 2;
    base = 16;
  } else if (base == 0) {
    base = *p == '0' ? 8 : 10;
  }
  unsigned long long limit = *negative ? negative_limit : positive_limit;
  unsigned long long value = 0;
  int digit = __foldback_strdigit(*p);
  while (p != last && digit < base) {
    if (value > (limit - (unsigned)digit) / (unsigned)base) {
      *overflow = 1;
      value = limit;
    }
    if (!*overflow)
      value = value * (unsigned)base + (unsigned)digit;
    p++;
    *end = p;
    digit = __foldback_strdigit(*p);
  }
  return value;
}

/* The number with its sign, errno and *end. Of a base that there is not, glibc leaves *end alone, and sets EINVAL. The largest
   unsigned number has no sign. */
unsigned long long __foldback_strparse(const char *s, char **end, int base, unsigned long long positive_limit,
                                       unsigned long long negative_limit) {
  const char *stop;
  int negative, overflow;
  int bad = base != 0 && (base < 2 || base > 36);
  __foldback_errno_if(bad, 22);
  if (bad)
    return 0;
  unsigned long long value = __foldback_strnumber(s, &stop, base, positive_limit, negative_limit, &negative, &overflow);
  if (end != 0)
    *end = (char *)stop;
  __foldback_errno_if(overflow, 34);
  return negative && !(overflow && positive_limit == negative_limit) ? -value : value;
}

long strtol(const char *s, char **end, int base) {
  unsigned long long max = (unsigned long)-1 >> 1;
  return (long)__foldback_strparse(s, end, base, max, max + 1);
}

long long strtoll(const char *s, char **end, int base) {
  return (long long)__foldback_strparse(s, end, base, 9223372036854775807ULL, 9223372036854775808ULL);
}

unsigned long strtoul(const char *s, char **end, int base) {
  unsigned long long max = (unsigned long)-1;
  return (unsigned long)__foldback_strparse(s, end, base, max, max);
}

unsigned long long strtoull(const char *s, char **end, int base) {
  return __foldback_strparse(s, end, base, 18446744073709551615ULL, 18446744073709551615ULL);
}
