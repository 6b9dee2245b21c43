/* wchar.h and wctype.h in the "C" locale: wide characters are the characters of ASCII, one byte each; what lies beyond has no
   multibyte form there. Like string.h, each function touches exactly what the original is specified to touch. What both have
   is in strings.c. */

typedef __typeof__(sizeof(0)) size_t;
typedef int wchar_t;
typedef unsigned wint_t;

void *malloc(size_t size);
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __foldback_unsupported(const char *what);
void __foldback_use(void *stream);
void __foldback_errno_if(int condition, int value);
void __foldback_errno_may_if(int condition);
void __foldback_errno_stream(int condition);
void __foldback_havoc(void *p, size_t n);
void __foldback_putchar(int c);
void __foldback_putchar_error(int c);
extern void *stdout;
extern void *stderr;
wchar_t *__foldback_wcsline(wchar_t *line, int size, void *stream);
size_t __foldback_wcstranslated(wchar_t *to, const char **from, size_t n);
size_t __foldback_strtranslated(char *to, const wchar_t **from, size_t n);
size_t __foldback_wcslen(const wchar_t *s);
wchar_t *__foldback_wcsfind(const wchar_t *text, const wchar_t *word, int any_case);
size_t __foldback_wcswithin(const wchar_t *s, const wchar_t *set);
size_t __foldback_wcswithout(const wchar_t *s, const wchar_t *set);

/* What comparisons of strings say of two characters. */
int __foldback_wcsorder(wchar_t a, wchar_t b) { return a < b ? -1 : a > b; }

static wchar_t __foldback_wide_lower(wchar_t c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

int __foldback_wcscaseless(wchar_t a, wchar_t b) {
  return __foldback_wcsorder(__foldback_wide_lower(a), __foldback_wide_lower(b));
}

/* The older name of wcsstr. */
wchar_t *wcswcs(const wchar_t *text, const wchar_t *word) { return __foldback_wcsfind(text, word, 0); }

wchar_t *wcstok(wchar_t *s, const wchar_t *delimiters, wchar_t **rest) {
  if (s == 0)
    s = *rest;
  if (s == 0)
    return 0;
  wchar_t *token = s + __foldback_wcswithin(s, delimiters);
  wchar_t *end = token + __foldback_wcswithout(token, delimiters);
  *rest = *end != 0 ? end + 1 : 0;
  if (*end != 0)
    *end = 0;
  return *token != 0 ? token : 0;
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n) { return memcpy(to, from, n * sizeof(wchar_t)); }
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) { return memmove(to, from, n * sizeof(wchar_t)); }

wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t n) {
  memcpy(to, from, n * sizeof(wchar_t));
  return to + n;
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n) {
  size_t i = 0;
  while (i < n) {
    to[i] = c;
    i++;
  }
  return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
  int result = 0;
  size_t i = 0;
  while (i < n) {
    int order = __foldback_wcsorder(a[i], b[i]);
    if (result == 0)
      result = order;
    i++;
  }
  return result;
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n) {
  size_t i = 0;
  while (i < n) {
    if (s[i] == c)
      return (wchar_t *)(s + i);
    i++;
  }
  return 0;
}

/* Bytes and wide characters. */

wint_t btowc(int c) { return c >= 0 && c <= 127 ? (wint_t)c : (wint_t)-1; }
int wctob(wint_t c) { return c <= 127 ? (int)c : -1; }

/* Whether there is a character for this byte, and a byte for this character; EILSEQ is 84. */
int __foldback_wcstranslate(wchar_t *to, char c) {
  __foldback_errno_if((unsigned char)c > 127, 84);
  if ((unsigned char)c > 127)
    return 0;
  *to = (unsigned char)c;
  return 1;
}

int __foldback_strtranslate(char *to, wchar_t c) {
  __foldback_errno_if(c < 0 || c > 127, 84);
  if (c < 0 || c > 127)
    return 0;
  *to = (char)c;
  return 1;
}

/* (size_t)-1 for a byte that is no character. */
static size_t __foldback_decode(wchar_t *to, const char *s, size_t n) {
  if (s == 0)
    return 0;
  if (n == 0)
    return (size_t)-2;
  wchar_t c;
  if (!__foldback_wcstranslate(&c, *s))
    return (size_t)-1;
  if (to != 0)
    *to = c;
  return c != 0;
}

static size_t __foldback_encode(char *to, wchar_t c) {
  return to == 0 || __foldback_strtranslate(to, c) ? 1 : (size_t)-1;
}

size_t mbrtowc(wchar_t *to, const char *s, size_t n, void *state) {
  (void)state;
  return __foldback_decode(to, s, n);
}

size_t mbrlen(const char *s, size_t n, void *state) {
  (void)state;
  return __foldback_decode(0, s, n);
}

int mbtowc(wchar_t *to, const char *s, size_t n) {
  size_t length = __foldback_decode(to, s, n);
  return length == (size_t)-2 ? -1 : (int)length;
}

int mblen(const char *s, size_t n) {
  size_t length = __foldback_decode(0, s, n);
  return length == (size_t)-2 ? -1 : (int)length;
}

size_t wcrtomb(char *to, wchar_t c, void *state) {
  (void)state;
  return __foldback_encode(to, c);
}

int wctomb(char *to, wchar_t c) { return to == 0 ? 0 : (int)__foldback_encode(to, c); }
int mbsinit(const void *state) { return state == 0 || *(const int *)state == 0; }

size_t mbsrtowcs(wchar_t *to, const char **from, size_t n, void *state) {
  (void)state;
  return __foldback_wcstranslated(to, from, n);
}

size_t mbstowcs(wchar_t *to, const char *from, size_t n) { return __foldback_wcstranslated(to, &from, n); }

size_t wcsrtombs(char *to, const wchar_t **from, size_t n, void *state) {
  (void)state;
  return __foldback_strtranslated(to, from, n);
}

size_t wcstombs(char *to, const wchar_t *from, size_t n) { return __foldback_strtranslated(to, &from, n); }

/* Classes. */

static int __foldback_wide_between(wint_t c, wint_t low, wint_t high) { return c >= low && c <= high; }

int iswupper(wint_t c) { return __foldback_wide_between(c, 'A', 'Z'); }

int iswlower(wint_t c) { return __foldback_wide_between(c, 'a', 'z'); }

int iswdigit(wint_t c) { return __foldback_wide_between(c, '0', '9'); }

int iswalpha(wint_t c) {
  return __foldback_wide_between(c, 'A', 'Z') || __foldback_wide_between(c, 'a', 'z');
}

int iswalnum(wint_t c) {
  return __foldback_wide_between(c, '0', '9') || __foldback_wide_between(c, 'A', 'Z') || __foldback_wide_between(c, 'a', 'z');
}

int iswxdigit(wint_t c) {
  return __foldback_wide_between(c, '0', '9') || __foldback_wide_between(c, 'A', 'F') || __foldback_wide_between(c, 'a', 'f');
}

int iswspace(wint_t c) { return c == ' ' || __foldback_wide_between(c, 9, 13); }

int iswblank(wint_t c) { return c == ' ' || c == 9; }

int iswprint(wint_t c) { return __foldback_wide_between(c, 32, 126); }

int iswgraph(wint_t c) { return __foldback_wide_between(c, 33, 126); }

int iswcntrl(wint_t c) { return c <= 31 || c == 127; }

int iswpunct(wint_t c) { return iswgraph(c) && !iswalnum(c); }
wint_t towlower(wint_t c) { return __foldback_wide_between(c, 'A', 'Z') ? c + 32 : c; }
wint_t towupper(wint_t c) { return __foldback_wide_between(c, 'a', 'z') ? c - 32 : c; }
int wcwidth(wchar_t c) { return c == 0 ? 0 : c >= 32 && c <= 126 ? 1 : -1; }

int wcswidth(const wchar_t *s, size_t n) {
  int width = 0;
  size_t i = 0;
  while (i < n && s[i] != 0) {
    int one = wcwidth(s[i]);
    if (one < 0)
      return -1;
    width = width + one;
    i++;
  }
  return width;
}

/* Where wide strings end is not noted (terminator.c). */
const wchar_t *__foldback_wcsknown_end(const wchar_t *s) {
  (void)s;
  return 0;
}

/* Output and input, character by character. */

static void __foldback_wide_byte(wchar_t c, void *stream) {
  if (stream == stdout)
    __foldback_putchar(c);
  else if (stream == stderr)
    __foldback_putchar_error(c);
}

/* What has no byte cannot be written. */
static int __foldback_wide_fails(wchar_t c, int fails) {
  __foldback_errno_stream(fails != 0 || c < 0 || c > 127);
  return fails != 0 || c < 0 || c > 127;
}

wint_t putwchar(wchar_t c) {
  if (__foldback_wide_fails(c, __VERIFIER_nondet_int()))
    return (wint_t)-1;
  __foldback_wide_byte(c, stdout);
  return (wint_t)c;
}

wint_t fputwc(wchar_t c, void *stream) {
  __foldback_use(stream);
  if (__foldback_wide_fails(c, __VERIFIER_nondet_int()))
    return (wint_t)-1;
  __foldback_wide_byte(c, stream);
  return (wint_t)c;
}
wint_t putwc(wchar_t c, void *stream) __attribute__((alias("fputwc")));

wint_t getwchar(void) {
  int c = __VERIFIER_nondet_int();
  __VERIFIER_assume(c >= -1 && c <= 127);
  __foldback_errno_may_if(1);
  return (wint_t)c;
}

wint_t fgetwc(void *stream) {
  __foldback_use(stream);
  int c = __VERIFIER_nondet_int();
  __VERIFIER_assume(c >= -1 && c <= 127);
  __foldback_errno_may_if(1);
  return (wint_t)c;
}
wint_t getwc(void *stream) __attribute__((alias("fgetwc")));

wint_t ungetwc(wint_t c, void *stream) {
  __foldback_use(stream);
  if (c > 127)
    return (wint_t)-1;
  __foldback_unsupported("a character that is pushed back into a stream");
  return c;
}

int fputws(const wchar_t *s, void *stream) {
  __foldback_use(stream);
  while (*s != 0) {
    if (__foldback_wide_fails(*s, 0))
      return -1;
    __foldback_wide_byte(*s, stream);
    s++;
  }
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= -1);
  __foldback_errno_stream(n == -1);
  return n;
}

int __foldback_wcsnext(void *stream) {
  (void)stream;
  int c = __VERIFIER_nondet_int();
  __VERIFIER_assume(c >= -1 && c <= 127);
  return c;
}

/* After an error, wherever it comes, what is in the line is indeterminate. */
wchar_t *fgetws(wchar_t *line, int size, void *stream) {
  __foldback_use(stream);
  __foldback_errno_may_if(1);
  if (size <= 0)
    return 0;
  if (__VERIFIER_nondet_int() == 0) {
    if (__VERIFIER_nondet_int() != 0)
      __foldback_havoc(line, (size_t)size * sizeof(wchar_t));
    return 0;
  }
  return __foldback_wcsline(line, size, stream) != 0 ? line : 0;
}
