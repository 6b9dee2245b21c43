/* ctype.h in the "C" locale. A class test gives the value that glibc gives (a bit of its table), so that programs that
   print or store it behave as on a Linux machine. Also the tables behind glibc's macros, for preprocessed files. */

static int __foldback_between(int c, int low, int high) { return c >= low && c <= high; }

static unsigned short __foldback_classes(int c) {
  unsigned short bits = 0;
  int upper = __foldback_between(c, 'A', 'Z');
  int lower = __foldback_between(c, 'a', 'z');
  int digit = __foldback_between(c, '0', '9');
  if (upper)
    bits |= 256;
  if (lower)
    bits |= 512;
  if (upper || lower)
    bits |= 1024;
  if (digit)
    bits |= 2048;
  if (digit || __foldback_between(c, 'A', 'F') || __foldback_between(c, 'a', 'f'))
    bits |= 4096;
  if (c == ' ' || __foldback_between(c, 9, 13))
    bits |= 8192;
  if (__foldback_between(c, 32, 126))
    bits |= 16384;
  if (__foldback_between(c, 33, 126))
    bits |= 32768;
  if (c == ' ' || c == 9)
    bits |= 1;
  if (__foldback_between(c, 0, 31) || c == 127)
    bits |= 2;
  if (__foldback_between(c, 33, 126) && !upper && !lower && !digit)
    bits |= 4;
  if (upper || lower || digit)
    bits |= 8;
  return bits;
}

int isupper(int c) { return __foldback_between(c, 'A', 'Z') ? 256 : 0; }
int islower(int c) { return __foldback_between(c, 'a', 'z') ? 512 : 0; }
int isalpha(int c) { return __foldback_between(c, 'A', 'Z') || __foldback_between(c, 'a', 'z') ? 1024 : 0; }
int isdigit(int c) { return __foldback_between(c, '0', '9') ? 2048 : 0; }

int isxdigit(int c) {
  return __foldback_between(c, '0', '9') || __foldback_between(c, 'A', 'F') || __foldback_between(c, 'a', 'f') ? 4096 : 0;
}

int isspace(int c) { return c == ' ' || __foldback_between(c, 9, 13) ? 8192 : 0; }
int isprint(int c) { return __foldback_between(c, 32, 126) ? 16384 : 0; }
int isgraph(int c) { return __foldback_between(c, 33, 126) ? 32768 : 0; }
int isblank(int c) { return c == ' ' || c == 9 ? 1 : 0; }
int iscntrl(int c) { return __foldback_between(c, 0, 31) || c == 127 ? 2 : 0; }

int isalnum(int c) {
  return __foldback_between(c, '0', '9') || __foldback_between(c, 'A', 'Z') || __foldback_between(c, 'a', 'z') ? 8 : 0;
}

int ispunct(int c) {
  int alnum = __foldback_between(c, '0', '9') || __foldback_between(c, 'A', 'Z') || __foldback_between(c, 'a', 'z');
  return __foldback_between(c, 33, 126) && !alnum ? 4 : 0;
}

int isascii(int c) { return (c & ~127) == 0; }
int toascii(int c) { return c & 127; }

/* glibc's tables give the unsigned character for the negative numbers of a signed one; -1 is EOF. */
static int __foldback_tolower(int c) {
  if (__foldback_between(c, -128, -2))
    return c + 256;
  return __foldback_between(c, 'A', 'Z') ? c + 32 : c;
}

static int __foldback_toupper(int c) {
  if (__foldback_between(c, -128, -2))
    return c + 256;
  return __foldback_between(c, 'a', 'z') ? c - 32 : c;
}

int tolower(int c) { return __foldback_tolower(c); }
int toupper(int c) { return __foldback_toupper(c); }

/* glibc's isX macros index a table that may be read from -128 to 255; filled on first use. */
static unsigned short __foldback_class_table[384];
static const unsigned short *__foldback_class_pointer;

const unsigned short **__ctype_b_loc(void) {
  if (__foldback_class_pointer == 0) {
    int c = 0;
    while (c < 128) {
      __foldback_class_table[128 + c] = __foldback_classes(c);
      c++;
    }
    __foldback_class_pointer = __foldback_class_table + 128;
  }
  return &__foldback_class_pointer;
}

static int __foldback_lower_table[384];
static const int *__foldback_lower_pointer;

const int **__ctype_tolower_loc(void) {
  if (__foldback_lower_pointer == 0) {
    int c = -128;
    while (c < 256) {
      __foldback_lower_table[128 + c] = __foldback_tolower(c);
      c++;
    }
    __foldback_lower_pointer = __foldback_lower_table + 128;
  }
  return &__foldback_lower_pointer;
}

static int __foldback_upper_table[384];
static const int *__foldback_upper_pointer;

const int **__ctype_toupper_loc(void) {
  if (__foldback_upper_pointer == 0) {
    int c = -128;
    while (c < 256) {
      __foldback_upper_table[128 + c] = __foldback_toupper(c);
      c++;
    }
    __foldback_upper_pointer = __foldback_upper_table + 128;
  }
  return &__foldback_upper_pointer;
}
