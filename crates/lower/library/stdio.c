/* stdio.h: streams and characters. What is read from a stream is an input; what is written to standard output is printed
   when the program runs, and other streams swallow it. Opening may always fail. A stream is one byte of a static object. */

typedef __typeof__(sizeof(0)) size_t;

int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
size_t __VERIFIER_nondet_size_t(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int condition);
void __foldback_havoc(void *p, size_t n);
void __foldback_unsupported(const char *what);
void __foldback_check_read(const void *p, size_t n);
int __foldback_print(const char *format, __builtin_va_list ap);
void __foldback_putchar(int c);
void *malloc(size_t size);
void *realloc(void *p, size_t size);

static char __foldback_streams[64];
static unsigned __foldback_opened = 3;

void *stdin = &__foldback_streams[0];
void *stdout = &__foldback_streams[1];
void *stderr = &__foldback_streams[2];

/* Every use of a stream reads it: a null or closed stream is an invalid dereference. */
static void __foldback_use(void *stream) { __foldback_check_read(stream, 1); }

static void __foldback_read_string(const char *s) {
  while (*s != 0)
    s++;
}

static void *__foldback_open(void) {
  if (__VERIFIER_nondet_int() == 0)
    return 0;
  if (__foldback_opened == sizeof(__foldback_streams))
    __foldback_unsupported("more than 61 streams opened");
  return &__foldback_streams[__foldback_opened++];
}

void *fopen(const char *path, const char *mode) {
  __foldback_read_string(path);
  __foldback_read_string(mode);
  return __foldback_open();
}

void *freopen(const char *path, const char *mode, void *stream) {
  __foldback_use(stream);
  if (path != 0)
    __foldback_read_string(path);
  __foldback_read_string(mode);
  return __VERIFIER_nondet_int() == 0 ? 0 : stream;
}

void *fdopen(int descriptor, const char *mode) {
  (void)descriptor;
  __foldback_read_string(mode);
  return __foldback_open();
}

void *popen(const char *command, const char *mode) {
  __foldback_read_string(command);
  __foldback_read_string(mode);
  return __foldback_open();
}

void *tmpfile(void) { return __foldback_open(); }

int fclose(void *stream) {
  __foldback_use(stream);
  return __VERIFIER_nondet_int() == 0 ? 0 : -1;
}

int pclose(void *stream) {
  __foldback_use(stream);
  return __VERIFIER_nondet_int();
}

int fflush(void *stream) {
  if (stream != 0)
    __foldback_use(stream);
  return __VERIFIER_nondet_int() == 0 ? 0 : -1;
}

int setvbuf(void *stream, char *buffer, int mode, size_t size) {
  (void)buffer;
  (void)mode;
  (void)size;
  __foldback_use(stream);
  return __VERIFIER_nondet_int() == 0 ? 0 : -1;
}

void setbuf(void *stream, char *buffer) {
  (void)buffer;
  __foldback_use(stream);
}

int feof(void *stream) {
  __foldback_use(stream);
  return __VERIFIER_nondet_int();
}

int ferror(void *stream) {
  __foldback_use(stream);
  return __VERIFIER_nondet_int();
}

void clearerr(void *stream) { __foldback_use(stream); }

int fileno(void *stream) {
  __foldback_use(stream);
  if (stream == stdin)
    return 0;
  if (stream == stdout)
    return 1;
  if (stream == stderr)
    return 2;
  int number = __VERIFIER_nondet_int();
  __VERIFIER_assume(number >= -1);
  return number;
}

int fseek(void *stream, long offset, int whence) {
  (void)offset;
  (void)whence;
  __foldback_use(stream);
  return __VERIFIER_nondet_int() == 0 ? 0 : -1;
}

long ftell(void *stream) {
  __foldback_use(stream);
  long position = __VERIFIER_nondet_long();
  __VERIFIER_assume(position >= -1);
  return position;
}

void rewind(void *stream) { __foldback_use(stream); }

int remove(const char *path) {
  __foldback_read_string(path);
  return __VERIFIER_nondet_int() == 0 ? 0 : -1;
}

int rename(const char *from, const char *to) {
  __foldback_read_string(from);
  __foldback_read_string(to);
  return __VERIFIER_nondet_int() == 0 ? 0 : -1;
}

/* A character or EOF. */
static int __foldback_next(void) {
  int c = __VERIFIER_nondet_int();
  __VERIFIER_assume(c >= -1 && c <= 255);
  return c;
}

int getchar(void) { return __foldback_next(); }
int getchar_unlocked(void) { return __foldback_next(); }

int fgetc(void *stream) {
  __foldback_use(stream);
  return __foldback_next();
}

int getc(void *stream) {
  __foldback_use(stream);
  return __foldback_next();
}

int _IO_getc(void *stream) {
  __foldback_use(stream);
  return __foldback_next();
}

int ungetc(int c, void *stream) {
  __foldback_use(stream);
  return c == -1 || __VERIFIER_nondet_int() == 0 ? -1 : (int)(unsigned char)c;
}

char *fgets(char *line, int size, void *stream) {
  __foldback_use(stream);
  if (size <= 0 || __VERIFIER_nondet_int() == 0)
    return 0;
  int i = 0;
  while (i < size - 1) {
    int c = __foldback_next();
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
  return line;
}

/* As long a line as the input likes: there is no bound on what it writes. */
char *gets(char *line) {
  if (__VERIFIER_nondet_int() == 0)
    return 0;
  size_t i = 0;
  for (;;) {
    int c = __foldback_next();
    if (c == -1 || c == '\n')
      break;
    line[i] = (char)c;
    i++;
  }
  line[i] = 0;
  return line;
}

long getline(char **line, size_t *size, void *stream) {
  __foldback_use(stream);
  size_t i = 0;
  for (;;) {
    int c = __foldback_next();
    if (c == -1)
      break;
    if (*line == 0 || i + 2 > *size) {
      *size = i + 2 > 120 ? 2 * (i + 2) : 120;
      *line = realloc(*line, *size);
      if (*line == 0)
        return -1;
    }
    (*line)[i] = (char)c;
    i++;
    if (c == '\n')
      break;
  }
  if (i == 0)
    return -1;
  (*line)[i] = 0;
  return (long)i;
}

size_t fread(void *buffer, size_t size, size_t count, void *stream) {
  __foldback_use(stream);
  size_t bytes = __VERIFIER_nondet_size_t();
  __VERIFIER_assume(bytes <= size * count);
  if (bytes != 0)
    __foldback_havoc(buffer, bytes);
  return size == 0 ? 0 : bytes / size;
}

size_t fwrite(const void *buffer, size_t size, size_t count, void *stream) {
  __foldback_use(stream);
  const unsigned char *bytes = buffer;
  size_t i = 0;
  while (i < size * count) {
    if (stream == stdout)
      __foldback_putchar(bytes[i]);
    else
      __foldback_check_read(bytes + i, 1);
    i++;
  }
  size_t written = __VERIFIER_nondet_size_t();
  __VERIFIER_assume(written <= count);
  return written;
}

int putchar(int c) {
  __foldback_putchar((unsigned char)c);
  return (int)(unsigned char)c;
}

int putchar_unlocked(int c) {
  __foldback_putchar((unsigned char)c);
  return (int)(unsigned char)c;
}

int fputc(int c, void *stream) {
  __foldback_use(stream);
  if (stream == stdout)
    __foldback_putchar((unsigned char)c);
  return (int)(unsigned char)c;
}

int putc(int c, void *stream) {
  __foldback_use(stream);
  if (stream == stdout)
    __foldback_putchar((unsigned char)c);
  return (int)(unsigned char)c;
}

int _IO_putc(int c, void *stream) {
  __foldback_use(stream);
  if (stream == stdout)
    __foldback_putchar((unsigned char)c);
  return (int)(unsigned char)c;
}

int puts(const char *s) {
  int n = 0;
  while (*s != 0) {
    __foldback_putchar((unsigned char)*s);
    s++;
  }
  __foldback_putchar('\n');
  n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0);
  return n;
}

int fputs(const char *s, void *stream) {
  __foldback_use(stream);
  while (*s != 0) {
    if (stream == stdout)
      __foldback_putchar((unsigned char)*s);
    s++;
  }
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0);
  return n;
}

void perror(const char *s) {
  if (s != 0)
    __foldback_read_string(s);
}
