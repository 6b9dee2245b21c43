/* string.h: byte arrays, and strings of bytes where wide characters have nothing like it (strings.c has the rest). Each function
   touches exactly the bytes that the original is specified to touch: memcmp all n bytes, memchr no more than needed. */

typedef __typeof__(sizeof(0)) size_t;
typedef __typeof__((char *)0 - (char *)0) ssize_t;

void *malloc(size_t size);
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
int __foldback_unknown_int(void);
char __foldback_unknown_char(void);
void __VERIFIER_assume(int condition);
void __foldback_unsupported(const char *what);
int __foldback_open(void);
int __foldback_same_object(const void *one, const void *other);
size_t __foldback_strlen(const char *s);
size_t __foldback_strnlen(const char *s, size_t max);
void __foldback_strapart(const char *to, size_t written, const char *from, size_t used);
char *__foldback_strfind(const char *text, const char *word, int any_case);
char *__foldback_strfirst(const char *s, char c);
char *__foldback_strlast(const char *s, char c);
size_t __foldback_strwithin(const char *s, const char *set);
size_t __foldback_strwithout(const char *s, const char *set);

/* What comparisons of strings say of two characters. */
int __foldback_strorder(char a, char b) { return (int)(unsigned char)a - (int)(unsigned char)b; }

static int __foldback_lower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

int __foldback_strcaseless(char a, char b) {
  return __foldback_lower((unsigned char)a) - __foldback_lower((unsigned char)b);
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

char *index(const char *s, int c) { return __foldback_strfirst(s, (char)c); }

char *rindex(const char *s, int c) { return __foldback_strlast(s, (char)c); }

char *strcasestr(const char *text, const char *word) { return __foldback_strfind(text, word, 1); }

/* Without a text, and with none before, there is a null pointer to read from. */
static char *__foldback_strtok(char *s, const char *delimiters, char **rest) {
  if (s == 0)
    s = *rest;
  char *token = s + __foldback_strwithin(s, delimiters);
  char *end = token + __foldback_strwithout(token, delimiters);
  *rest = end;
  if (*token == 0)
    return 0;
  if (*end != 0) {
    *end = 0;
    *rest = end + 1;
  }
  return token;
}

char *strtok_r(char *s, const char *delimiters, char **rest) { return __foldback_strtok(s, delimiters, rest); }

static char *__foldback_strtok_rest;

char *strtok(char *s, const char *delimiters) { return __foldback_strtok(s, delimiters, &__foldback_strtok_rest); }

char *strsep(char **text, const char *delimiters) {
  char *token = *text;
  if (token == 0)
    return 0;
  char *end = token + __foldback_strwithout(token, delimiters);
  *text = *end != 0 ? end + 1 : 0;
  if (*end != 0)
    *end = 0;
  return token;
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
  return memcmp(a, b, n) != 0;
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
    __foldback_strapart(to, size, from, size);
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

/* The place of a text: one for each number that is known, or the one that all others share, which each call writes anew. C
   leaves open which of the numbers have their own. */
static char *__foldback_message_of(char (*texts)[64], int number, int known) {
  char *text = texts[number < 0 || number >= known || __foldback_open() ? known : number];
  __foldback_message(text);
  return text;
}

static char __foldback_strerror_texts[135][64];

char *strerror(int number) { return __foldback_message_of(__foldback_strerror_texts, number, 134); }

/* Whether glibc has a message for an error. */
static int __foldback_is_error(int number) { return number >= 0 && number < 134 && number != 41 && number != 58; }

/* As much of "Unknown error" and the number as there is room for. */
static void __foldback_unknown_error(int number, char *buffer, size_t size) {
  static const char start[] = "Unknown error ";
  char digits[12];
  unsigned rest = number < 0 ? 0u - (unsigned)number : (unsigned)number;
  size_t count = 0;
  do {
    digits[count] = (char)('0' + rest % 10);
    count++;
    rest = rest / 10;
  } while (rest != 0);
  if (number < 0) {
    digits[count] = '-';
    count++;
  }
  for (size_t i = 0; i < size; i++) {
    char c = 0;
    if (i < 14)
      c = start[i];
    else if (i < 14 + count)
      c = digits[13 + count - i];
    buffer[i] = i + 1 < size ? c : 0;
    if (c == 0)
      return;
  }
}

/* GNU's: a message of its own, or one that is made in the buffer. */
char *strerror_r(int number, char *buffer, size_t size) {
  if (__foldback_is_error(number))
    return strerror(number);
  __foldback_unknown_error(number, buffer, size);
  return buffer;
}

/* That of POSIX. EINVAL is 22, ERANGE 34; a message has at least one character and less than 64. */
int __xpg_strerror_r(int number, char *buffer, size_t size) {
  if (!__foldback_is_error(number)) {
    __foldback_unknown_error(number, buffer, size);
    return 22;
  }
  char text[64];
  __foldback_message(text);
  __VERIFIER_assume(text[0] != 0);
  size_t length = 0;
  while (text[length] != 0) {
    if (length + 1 < size)
      buffer[length] = text[length];
    length++;
  }
  if (size != 0)
    buffer[length < size ? length : size - 1] = 0;
  return size <= length ? 34 : 0;
}

static char __foldback_strsignal_texts[66][64];

char *strsignal(int number) { return __foldback_message_of(__foldback_strsignal_texts, number, 65); }

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
