/* string.h: strings and byte arrays. Each function touches exactly the bytes that the original is specified to touch:
   strings up to and with their terminating zero, memcmp all n bytes, memchr and the strn* family no more than needed. */

typedef __typeof__(sizeof(0)) size_t;
typedef __typeof__((char *)0 - (char *)0) ssize_t;

void *malloc(size_t size);
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
int __foldback_unknown_int(void);
char __foldback_unknown_char(void);
void __VERIFIER_assume(int condition);
void __foldback_unsupported(const char *what);
int __foldback_same_object(const void *one, const void *other);

static size_t __foldback_strlen(const char *s) {
  size_t n = 0;
  while (s[n] != 0)
    n++;
  return n;
}

static size_t __foldback_strnlen(const char *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n] != 0)
    n++;
  return n;
}

static int __foldback_lower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

static int __foldback_member(char c, const char *set) {
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
static void __foldback_apart(const char *to, size_t written, const char *from, size_t used) {
  if ((size_t)(to - from) < used || (size_t)(from - to) < written)
    __foldback_unsupported("strings that overlap");
}

char *strcpy(char *to, const char *from) {
  if (__foldback_same_object(to, from)) {
    size_t size = __foldback_strlen(from) + 1;
    __foldback_apart(to, size, from, size);
  }
  size_t i = 0;
  while ((to[i] = from[i]) != 0)
    i++;
  return to;
}

char *stpcpy(char *to, const char *from) {
  if (__foldback_same_object(to, from)) {
    size_t size = __foldback_strlen(from) + 1;
    __foldback_apart(to, size, from, size);
  }
  while ((*to = *from) != 0) {
    to++;
    from++;
  }
  return to;
}

char *strncpy(char *to, const char *from, size_t n) {
  if (n != 0 && __foldback_same_object(to, from))
    __foldback_apart(to, n, from, __foldback_strnlen(from, n - 1) + 1);
  size_t i = 0;
  while (i < n && from[i] != 0) {
    to[i] = from[i];
    i++;
  }
  while (i < n) {
    to[i] = 0;
    i++;
  }
  return to;
}

char *stpncpy(char *to, const char *from, size_t n) {
  if (n != 0 && __foldback_same_object(to, from))
    __foldback_apart(to, n, from, __foldback_strnlen(from, n - 1) + 1);
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

size_t strlcpy(char *to, const char *from, size_t size) {
  size_t length = __foldback_strlen(from);
  if (size > 0) {
    size_t i = 0;
    while (i < size - 1 && i < length) {
      to[i] = from[i];
      i++;
    }
    to[i] = 0;
  }
  return length;
}

size_t strlcat(char *to, const char *from, size_t size) {
  size_t start = __foldback_strnlen(to, size);
  size_t length = __foldback_strlen(from);
  if (start < size) {
    size_t i = 0;
    while (start + i < size - 1 && i < length) {
      to[start + i] = from[i];
      i++;
    }
    to[start + i] = 0;
  }
  return start + length;
}

char *strcat(char *to, const char *from) {
  char *end = to + __foldback_strlen(to);
  if (__foldback_same_object(to, from)) {
    size_t size = __foldback_strlen(from) + 1;
    __foldback_apart(to, (size_t)(end - to) + size, from, size);
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
    __foldback_apart(to, (size_t)(end - to) + length + 1, from, length < n ? length + 1 : n);
  }
  size_t i = 0;
  while (i < n && from[i] != 0) {
    end[i] = from[i];
    i++;
  }
  end[i] = 0;
  return to;
}

int strcmp(const char *a, const char *b) {
  while (*a != 0 && *a == *b) {
    a++;
    b++;
  }
  return (int)(unsigned char)*a - (int)(unsigned char)*b;
}

int strcoll(const char *a, const char *b) {
  while (*a != 0 && *a == *b) {
    a++;
    b++;
  }
  return (int)(unsigned char)*a - (int)(unsigned char)*b;
}

size_t strxfrm(char *to, const char *from, size_t n) {
  if (n != 0 && __foldback_same_object(to, from)) {
    size_t size = __foldback_strlen(from) + 1;
    __foldback_apart(to, size < n ? size : n, from, size);
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
      return (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
    if (a[i] == 0)
      return 0;
    i++;
  }
  return 0;
}

int strcasecmp(const char *a, const char *b) {
  while (*a != 0 && __foldback_lower((unsigned char)*a) == __foldback_lower((unsigned char)*b)) {
    a++;
    b++;
  }
  return __foldback_lower((unsigned char)*a) - __foldback_lower((unsigned char)*b);
}

int strncasecmp(const char *a, const char *b, size_t n) {
  size_t i = 0;
  while (i < n) {
    int difference = __foldback_lower((unsigned char)a[i]) - __foldback_lower((unsigned char)b[i]);
    if (difference != 0)
      return difference;
    if (a[i] == 0)
      return 0;
    i++;
  }
  return 0;
}

char *strchr(const char *s, int c) {
  while (*s != (char)c) {
    if (*s == 0)
      return 0;
    s++;
  }
  return (char *)s;
}

char *strchrnul(const char *s, int c) {
  while (*s != (char)c && *s != 0)
    s++;
  return (char *)s;
}

char *index(const char *s, int c) {
  while (*s != (char)c) {
    if (*s == 0)
      return 0;
    s++;
  }
  return (char *)s;
}

char *strrchr(const char *s, int c) {
  char *last = 0;
  for (;;) {
    if (*s == (char)c)
      last = (char *)s;
    if (*s == 0)
      return last;
    s++;
  }
}

char *rindex(const char *s, int c) {
  char *last = 0;
  for (;;) {
    if (*s == (char)c)
      last = (char *)s;
    if (*s == 0)
      return last;
    s++;
  }
}

char *strstr(const char *text, const char *word) {
  for (;;) {
    size_t i = 0;
    while (word[i] != 0 && text[i] == word[i])
      i++;
    if (word[i] == 0)
      return (char *)text;
    if (text[i] == 0)
      return 0;
    text++;
  }
}

char *strcasestr(const char *text, const char *word) {
  for (;;) {
    size_t i = 0;
    while (word[i] != 0 && __foldback_lower((unsigned char)text[i]) == __foldback_lower((unsigned char)word[i]))
      i++;
    if (word[i] == 0)
      return (char *)text;
    if (text[i] == 0)
      return 0;
    text++;
  }
}

size_t strspn(const char *s, const char *accept) {
  size_t n = 0;
  while (s[n] != 0 && __foldback_member(s[n], accept))
    n++;
  return n;
}

size_t strcspn(const char *s, const char *reject) {
  size_t n = 0;
  while (s[n] != 0 && !__foldback_member(s[n], reject))
    n++;
  return n;
}

char *strpbrk(const char *s, const char *accept) {
  while (*s != 0) {
    if (__foldback_member(*s, accept))
      return (char *)s;
    s++;
  }
  return 0;
}

static char *__foldback_strtok(char *s, const char *delimiters, char **rest) {
  if (s == 0)
    s = *rest;
  if (s == 0)
    return 0;
  while (*s != 0 && __foldback_member(*s, delimiters))
    s++;
  if (*s == 0) {
    *rest = s;
    return 0;
  }
  char *token = s;
  while (*s != 0 && !__foldback_member(*s, delimiters))
    s++;
  if (*s != 0) {
    *s = 0;
    s++;
  }
  *rest = s;
  return token;
}

char *strtok_r(char *s, const char *delimiters, char **rest) { return __foldback_strtok(s, delimiters, rest); }

static char *__foldback_strtok_rest;

char *strtok(char *s, const char *delimiters) { return __foldback_strtok(s, delimiters, &__foldback_strtok_rest); }

char *strsep(char **text, const char *delimiters) {
  char *token = *text;
  if (token == 0)
    return 0;
  char *s = token;
  while (*s != 0 && !__foldback_member(*s, delimiters))
    s++;
  if (*s != 0) {
    *s = 0;
    *text = s + 1;
  } else {
    *text = 0;
  }
  return token;
}

char *strdup(const char *s) {
  size_t size = __foldback_strlen(s) + 1;
  char *copy = malloc(size);
  if (copy != 0)
    memcpy(copy, s, size);
  return copy;
}

char *strndup(const char *s, size_t max) {
  size_t length = __foldback_strnlen(s, max);
  char *copy = malloc(length + 1);
  if (copy != 0) {
    memcpy(copy, s, length);
    copy[length] = 0;
  }
  return copy;
}

int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a;
  const unsigned char *y = b;
  int result = 0;
  size_t i = 0;
  while (i < n) {
    if (result == 0)
      result = (int)x[i] - (int)y[i];
    else
      (void)((int)x[i] - (int)y[i]);
    i++;
  }
  return result;
}

int bcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a;
  const unsigned char *y = b;
  int result = 0;
  size_t i = 0;
  while (i < n) {
    if (x[i] != y[i])
      result = 1;
    i++;
  }
  return result;
}

void *memchr(const void *s, int c, size_t n) {
  const unsigned char *bytes = s;
  size_t i = 0;
  while (i < n) {
    if (bytes[i] == (unsigned char)c)
      return (void *)(bytes + i);
    i++;
  }
  return 0;
}

void *memrchr(const void *s, int c, size_t n) {
  const unsigned char *bytes = s;
  while (n > 0) {
    n--;
    if (bytes[n] == (unsigned char)c)
      return (void *)(bytes + n);
  }
  return 0;
}

void *rawmemchr(const void *s, int c) {
  const unsigned char *bytes = s;
  while (*bytes != (unsigned char)c)
    bytes++;
  return (void *)bytes;
}

void *memccpy(void *to, const void *from, int c, size_t n) {
  unsigned char *x = to;
  const unsigned char *y = from;
  size_t i = 0;
  if (__foldback_same_object(to, from)) {
    size_t size = 0;
    while (size < n && y[size] != (unsigned char)c)
      size++;
    if (size < n)
      size++;
    __foldback_apart(to, size, from, size);
  }
  while (i < n) {
    x[i] = y[i];
    if (y[i] == (unsigned char)c)
      return x + i + 1;
    i++;
  }
  return 0;
}

void *memmem(const void *text, size_t length, const void *word, size_t size) {
  const unsigned char *x = text;
  const unsigned char *y = word;
  size_t start = 0;
  while (size <= length && start <= length - size) {
    size_t i = 0;
    while (i < size && x[start + i] == y[i])
      i++;
    if (i == size)
      return (void *)(x + start);
    start++;
  }
  return 0;
}

/* Some text: which one is the library's business. */
static void __foldback_message(char *text) {
  int i = 0;
  while (i < 63) {
    text[i] = __foldback_unknown_char();
    i++;
  }
  text[63] = 0;
}

static char __foldback_strerror_text[64];

char *strerror(int number) {
  (void)number;
  __foldback_message(__foldback_strerror_text);
  return __foldback_strerror_text;
}

static char __foldback_strsignal_text[64];

char *strsignal(int number) {
  (void)number;
  __foldback_message(__foldback_strsignal_text);
  return __foldback_strsignal_text;
}

void explicit_bzero(void *s, size_t n) { memset(s, 0, n); }

/* The number of the lowest bit that is set, from 1 on. */
static int __foldback_first_bit(unsigned long long x) {
  int bit = 1;
  if (x == 0)
    return 0;
  while ((x & 1) == 0) {
    x >>= 1;
    bit++;
  }
  return bit;
}

int ffs(int x) { return __foldback_first_bit((unsigned)x); }
int ffsl(long x) { return __foldback_first_bit((unsigned long)x); }
int ffsll(long long x) { return __foldback_first_bit((unsigned long long)x); }

/* Neighbours change places; an odd byte at the end stays away. */
void swab(const void *from, void *to, ssize_t n) {
  const char *x = from;
  char *y = to;
  ssize_t i = 0;
  while (i + 1 < n) {
    char c = x[i];
    y[i] = x[i + 1];
    y[i + 1] = c;
    i += 2;
  }
}

void *memfrob(void *s, size_t n) {
  char *bytes = s;
  size_t i = 0;
  while (i < n) {
    bytes[i] = (char)(bytes[i] ^ 42);
    i++;
  }
  return s;
}
