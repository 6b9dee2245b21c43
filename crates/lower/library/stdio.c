/* stdio.h: streams and characters. What is read from a stream is an input; what is written to standard output and standard
   error is printed when the program runs, and other streams swallow it. Everything that reaches outside may fail, and sets
   errno to any error number then. What is done with a stream may set errno where it succeeds, too, as C allows: glibc asks for
   the position of what has none, flushes other streams before it reads, and fails to learn what it writes to. A stream is a
   part of a static object, of which the first byte says what it is: 0 a file, 1 closed, more in memory (memory_stream.c). */

typedef __typeof__(sizeof(0)) size_t;

int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
size_t __VERIFIER_nondet_size_t(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int condition);
void __foldback_havoc(void *p, size_t n);
int __foldback_unknown_int(void);
void __foldback_unsupported(const char *what);
void __foldback_check_read(const void *p, size_t n);
void __foldback_errno_any_if(int condition);
void __foldback_errno_stream(int condition);
void __foldback_errno_may_if(int condition);
void __foldback_errno_if(int condition, int value);
void __foldback_putchar(int c);
void __foldback_putchar_error(int c);
int __foldback_runs(void);
void *malloc(size_t size);
void *realloc(void *p, size_t size);
void free(void *p);
int __foldback_is_memory(void *stream);
void __foldback_note_end(const char *end);
int __foldback_memory_put(void *stream, int c);
int __foldback_memory_get(void *stream);
int __foldback_memory_flush(void *stream);
int __foldback_memory_flush_all(void);
int __foldback_memory_close(void *stream);
int __foldback_memory_seek(void *stream, long offset, int whence);
long __foldback_memory_tell(void *stream);
int __foldback_memory_ended(void *stream);
int __foldback_memory_failed(void *stream);
void __foldback_memory_clear(void *stream);
char *__foldback_strline(char *line, int size, void *stream);
size_t __foldback_memory_read(void *block, size_t size, size_t count, void *stream);
size_t __foldback_memory_block(const void *block, size_t size, size_t count, void *stream);
int __foldback_memory_string(const char *s, void *stream);
void *__foldback_file_open(const char *path, const char *mode);
int __foldback_file_remove(const char *path);
int __foldback_file_rename(const char *from, const char *to);
char *__foldback_file_temporary(char *name);

static char __foldback_streams[64][256];
static unsigned __foldback_opened = 3;

void *stdin = &__foldback_streams[0][0];
void *stdout = &__foldback_streams[1][0];
void *stderr = &__foldback_streams[2][0];

/* The character that was pushed back and not read again, and the stream that it is in: C promises no more than one. The lines that
   end in `pushed back` are there only in programs that call ungetc. */
static void *__foldback_pushed_into;
static unsigned char __foldback_pushed;

/* As an input it is one more, so that functions whose result is their input are given it. */
static int __foldback_again(int c) {
  if (!__foldback_runs())
    __VERIFIER_assume(c == __foldback_pushed);
  __foldback_pushed_into = 0;
  return __foldback_pushed;
}

/* Whether what comes next in a stream is what was pushed back. */
static int __foldback_is_pushed(void *stream) { return __foldback_pushed_into != 0 && __foldback_pushed_into == stream; }

/* A use of a stream that is not the same where a character was pushed back. */
static void __foldback_expect_none(void *stream) {
  if (__foldback_is_pushed(stream))
    __foldback_unsupported("this use of a stream, in which there is a character that was pushed back");
}

static void __foldback_forget_pushed(void *stream) {
  if (__foldback_is_pushed(stream))
    __foldback_pushed_into = 0;
}

/* Every use of a stream reads it: a null stream is an invalid dereference. Using one that was closed is undefined. */
static void __foldback_use_open(void *stream) {
  __foldback_check_read(stream, 1);
  if (*(char *)stream != 0)
    __foldback_unsupported("a stream that was closed, or what it does in memory");
}

void __foldback_use(void *stream) {
  __foldback_use_open(stream);
  __foldback_expect_none(stream); /* pushed back */
}

/* Formatted input from standard input. */
void __foldback_use_input(void) {
  __foldback_expect_none(stdin); /* pushed back */
}

static void __foldback_close(void *stream) {
  __foldback_forget_pushed(stream); /* pushed back */
  __foldback_use(stream);
  *(char *)stream = 1;
}

static void __foldback_read_string(const char *s) {
  while (*s != 0)
    s++;
}

/* 0 or, with errno set, -1. */
static int __foldback_done(int fails) {
  __foldback_errno_stream(fails != 0);
  return fails != 0 ? -1 : 0;
}

/* The place of one that was closed, or a new one. */
void *__foldback_new_stream(void) {
  unsigned again = (unsigned)__VERIFIER_nondet_int();
  if (again >= 3 && again < __foldback_opened && __foldback_streams[again][0] == 1) {
    __foldback_streams[again][0] = 0;
    return &__foldback_streams[again][0];
  }
  if (__foldback_opened == 64)
    __foldback_unsupported("more than 61 streams opened");
  return &__foldback_streams[__foldback_opened++][0];
}

/* Whether a stream that is opened so is both read and written. */
int __foldback_updates(const char *mode) {
  int updates = 0;
  for (int i = 1; mode[i] != 0; i++) {
    if (mode[i] == '+')
      updates = 1;
    else if (mode[i] != 'b')
      __foldback_unsupported("this mode of a stream");
  }
  return updates;
}

static void *__foldback_opened_or_not(int succeeds) {
  __foldback_errno_stream(succeeds == 0);
  if (succeeds == 0)
    return 0;
  return __foldback_new_stream();
}

/* Whether a stream was opened that cannot be read. */
static int __foldback_is_only_written;

static void __foldback_read_only_written(const char *mode) {
  if (*mode != 'r' && !__foldback_updates(mode))
    __foldback_is_only_written = 1;
}

/* The first letter of a mode; of those behind it glibc ignores what it does not know. */
static void __foldback_read_mode(const char *mode) {
  __foldback_read_only_written(mode); /* pushed back */
  if (*mode != 'r' && *mode != 'w' && *mode != 'a')
    __foldback_unsupported("a mode for a stream that C does not know");
  __foldback_read_string(mode);
}

void *fopen(const char *path, const char *mode) {
  __foldback_read_string(path);
  __foldback_read_mode(mode);
  return __foldback_file_open(path, mode); /* own file */
  return __foldback_opened_or_not(__VERIFIER_nondet_int());
}
void *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));

void *freopen(const char *path, const char *mode, void *stream) {
  __foldback_use(stream);
  if (path != 0)
    __foldback_read_string(path);
  __foldback_read_mode(mode);
  int succeeds = __VERIFIER_nondet_int();
  __foldback_errno_stream(succeeds == 0);
  return succeeds == 0 ? 0 : stream;
}

/* No file has a negative number: EBADF is 9. */
void *fdopen(int descriptor, const char *mode) {
  __foldback_read_mode(mode);
  __foldback_errno_if(descriptor < 0, 9);
  if (descriptor < 0)
    return 0;
  return __foldback_opened_or_not(__VERIFIER_nondet_int());
}

void *popen(const char *command, const char *mode) {
  __foldback_read_only_written(mode); /* pushed back */
  __foldback_read_string(command);
  __foldback_read_string(mode);
  return __foldback_opened_or_not(__VERIFIER_nondet_int());
}

void *tmpfile(void) {
  return __foldback_file_open(0, "w+"); /* own file */
  return __foldback_opened_or_not(__VERIFIER_nondet_int());
}

int fclose(void *stream) {
  if (__foldback_is_memory(stream)) /* memory stream */
    return __foldback_memory_close(stream); /* memory stream */
  __foldback_close(stream);
  return __foldback_done(__VERIFIER_nondet_int());
}

int fcloseall(void) { return __foldback_done(__VERIFIER_nondet_int()); }

int pclose(void *stream) {
  __foldback_close(stream);
  int status = __VERIFIER_nondet_int();
  __VERIFIER_assume(status >= -1 && status <= 65535);
  __foldback_errno_stream(status == -1);
  return status;
}

int fflush(void *stream) {
  if (stream != 0 && __foldback_is_memory(stream)) /* memory stream */
    return __foldback_memory_flush(stream); /* memory stream */
  if (stream == 0 && __foldback_memory_flush_all() != 0) /* memory stream */
    return -1; /* memory stream */
  if (stream != 0)
    __foldback_use(stream);
  return __foldback_done(__VERIFIER_nondet_int());
}
int fflush_unlocked(void *stream) __attribute__((alias("fflush")));

int fpurge(void *stream) {
  __foldback_use(stream);
  return __foldback_done(__VERIFIER_nondet_int());
}

/* A buffer of the caller's must have room; the stream may write to it at any later time, which is not modelled. */
static void __foldback_buffer(void *stream, char *buffer, size_t size) {
  __foldback_use(stream);
  if (buffer != 0) {
    __foldback_check_read(buffer, size);
    __foldback_unsupported("a buffer of the program's own for a stream");
  }
}

int setvbuf(void *stream, char *buffer, int mode, size_t size) {
  if (mode < 0 || mode > 2)
    return -1;
  __foldback_buffer(stream, mode == 2 ? 0 : buffer, size);
  return __VERIFIER_nondet_int() != 0 ? -1 : 0;
}

void setbuf(void *stream, char *buffer) { __foldback_buffer(stream, buffer, 8192); }
void setbuffer(void *stream, char *buffer, size_t size) { __foldback_buffer(stream, buffer, size); }
void setlinebuf(void *stream) { __foldback_use(stream); }

/* What happened to a stream is not kept: the library knows. */
static int __foldback_flag(void *stream) {
  __foldback_use_open(stream);
  return __foldback_unknown_int() != 0;
}

int feof(void *stream) {
  if (__foldback_is_memory(stream)) /* memory stream */
    return __foldback_memory_ended(stream); /* memory stream */
  return __foldback_flag(stream);
}
int feof_unlocked(void *stream) __attribute__((alias("feof")));

int ferror(void *stream) {
  if (__foldback_is_memory(stream)) /* memory stream */
    return __foldback_memory_failed(stream); /* memory stream */
  return __foldback_flag(stream);
}
int ferror_unlocked(void *stream) __attribute__((alias("ferror")));

void clearerr(void *stream) {
  if (__foldback_is_memory(stream)) { /* memory stream */
    __foldback_memory_clear(stream); /* memory stream */
    return; /* memory stream */
  } /* memory stream */
  __foldback_use_open(stream);
}
void clearerr_unlocked(void *stream) __attribute__((alias("clearerr")));

void flockfile(void *stream) { __foldback_check_read(stream, 1); }
void funlockfile(void *stream) { __foldback_check_read(stream, 1); }

int ftrylockfile(void *stream) {
  __foldback_use(stream);
  return 0;
}

static int __foldback_number_of(void *stream) {
  __foldback_use_open(stream);
  if (stream == stdin)
    return 0;
  if (stream == stdout)
    return 1;
  if (stream == stderr)
    return 2;
  int number = __foldback_unknown_int();
  __VERIFIER_assume(number >= -1);
  __foldback_errno_any_if(number == -1);
  return number;
}

int fileno(void *stream) { return __foldback_number_of(stream); }
int fileno_unlocked(void *stream) { return __foldback_number_of(stream); }

/* EINVAL is 22. */
int fseek(void *stream, long offset, int whence) {
  if (__foldback_is_memory(stream)) /* memory stream */
    return __foldback_memory_seek(stream, offset, whence); /* memory stream */
  (void)offset;
  __foldback_use(stream);
  int is_known = whence >= 0 && whence <= 2;
  __foldback_errno_if(!is_known, 22);
  if (!is_known)
    return -1;
  return __foldback_done(__VERIFIER_nondet_int());
}
int fseeko(void *stream, long offset, int whence) __attribute__((alias("fseek")));

long ftell(void *stream) {
  if (__foldback_is_memory(stream)) /* memory stream */
    return __foldback_memory_tell(stream); /* memory stream */
  __foldback_use(stream);
  long position = __VERIFIER_nondet_long();
  __VERIFIER_assume(position >= -1);
  __foldback_errno_stream(position == -1);
  return position;
}
long ftello(void *stream) __attribute__((alias("ftell")));

/* The position is the library's business: its bytes are any. */
int fgetpos(void *stream, void *position) {
  __foldback_use(stream);
  int fails = __VERIFIER_nondet_int();
  if (fails == 0)
    __foldback_havoc(position, 8);
  return __foldback_done(fails);
}

int fsetpos(void *stream, const void *position) {
  __foldback_use(stream);
  __foldback_check_read(position, 8);
  return __foldback_done(__VERIFIER_nondet_int());
}

void rewind(void *stream) {
  if (__foldback_is_memory(stream)) { /* memory stream */
    (void)__foldback_memory_seek(stream, 0, 0); /* memory stream */
    __foldback_memory_clear(stream); /* memory stream */
    return; /* memory stream */
  } /* memory stream */
  __foldback_use(stream);
  __foldback_errno_may_if(1);
}

int remove(const char *path) {
  __foldback_read_string(path);
  return __foldback_file_remove(path); /* own file */
  return __foldback_done(__VERIFIER_nondet_int());
}

int rename(const char *from, const char *to) {
  __foldback_read_string(from);
  __foldback_read_string(to);
  return __foldback_file_rename(from, to); /* own file */
  int fails = __VERIFIER_nondet_int();
  __foldback_errno_any_if(fails != 0);
  return fails != 0 ? -1 : 0;
}

/* A name of its own, or none: any that fits. */
char *tmpnam(char *name) {
  static char own[20];
  char *text = name != 0 ? name : own;
  return __foldback_file_temporary(text); /* own file */
  static int others;
  if (others)
    __foldback_unsupported("a second temporary name, which is not the first");
  if (__VERIFIER_nondet_int() == 0)
    return 0;
  others = 1;
  __foldback_havoc(text, 20);
  __VERIFIER_assume(text[0] != 0);
  text[19] = 0;
  return text;
}

/* A character or EOF: at the end errno may stay, too. */
static int __foldback_character(int c) {
  __VERIFIER_assume(c >= -1 && c <= 255);
  __foldback_errno_may_if(1);
  return c;
}

int getchar(void) {
  if (__foldback_is_pushed(stdin)) /* pushed back */
    return __foldback_again(__VERIFIER_nondet_int()); /* pushed back */
  return __foldback_character(__VERIFIER_nondet_int());
}
int getchar_unlocked(void) __attribute__((alias("getchar")));

int fgetc(void *stream) {
  if (__foldback_is_memory(stream)) /* memory stream */
    return __foldback_memory_get(stream); /* memory stream */
  if (__foldback_is_pushed(stream)) /* pushed back */
    return __foldback_again(__VERIFIER_nondet_int()); /* pushed back */
  __foldback_use(stream);
  return __foldback_character(__VERIFIER_nondet_int());
}
int getc(void *stream) __attribute__((alias("fgetc")));
int _IO_getc(void *stream) __attribute__((alias("fgetc")));
int getc_unlocked(void *stream) __attribute__((alias("fgetc")));
int fgetc_unlocked(void *stream) __attribute__((alias("fgetc")));

int ungetc(int c, void *stream) {
  __foldback_use(stream);
  if (c == -1)
    return -1;
  if (stream == stdout || stream == stderr || (stream != stdin && __foldback_is_only_written)) /* pushed back */
    __foldback_unsupported("a character that is pushed back into a stream that may be for output"); /* pushed back */
  if (__foldback_pushed_into != 0) /* pushed back */
    __foldback_unsupported("characters that are pushed back into two streams"); /* pushed back */
  __foldback_pushed_into = stream; /* pushed back */
  __foldback_pushed = (unsigned char)c; /* pushed back */
  return (unsigned char)c; /* pushed back */
  __foldback_unsupported("a character that is pushed back into a stream");
  return (unsigned char)c;
}

int getw(void *stream) {
  __foldback_use(stream);
  __foldback_errno_may_if(1);
  return __VERIFIER_nondet_int();
}

/* What comes next in a stream: a character or EOF. */
int __foldback_strnext(void *stream) {
  if (__foldback_is_memory(stream)) /* memory stream */
    return __foldback_memory_get(stream); /* memory stream */
  (void)stream;
  if (__foldback_is_pushed(stream)) /* pushed back */
    return __foldback_again(__foldback_pushed); /* pushed back */
  int c = __VERIFIER_nondet_int();
  __VERIFIER_assume(c >= -1 && c <= 255);
  return c;
}

/* Whether a line is read: the stream may be at its end, or fail. After an error, wherever it comes, what is in the line is
   indeterminate. */
static int __foldback_has_line(char *line, int size, void *stream) {
  if (__foldback_is_memory(stream)) /* memory stream */
    return size > 0; /* memory stream */
  __foldback_use_open(stream);
  __foldback_errno_may_if(1);
  if (__foldback_is_pushed(stream)) /* pushed back */
    return size > 0; /* pushed back */
  if (size <= 0)
    return 0;
  if (__VERIFIER_nondet_int() != 0)
    return 1;
  if (__VERIFIER_nondet_int() != 0)
    __foldback_havoc(line, (size_t)size);
  return 0;
}

char *fgets(char *line, int size, void *stream) {
  if (!__foldback_has_line(line, size, stream))
    return 0;
  char *end = __foldback_strline(line, size, stream);
  if (end == 0)
    return 0;
  __foldback_note_end(end);
  return line;
}
char *fgets_unlocked(char *line, int size, void *stream) __attribute__((alias("fgets")));

/* As long a line as the input likes: there is no bound on what it writes. */
char *gets(char *line) {
  __foldback_errno_may_if(1);
  __foldback_use_input();
  if (__VERIFIER_nondet_int() == 0)
    return 0;
  size_t i = 0;
  int c = __foldback_strnext(stdin);
  while (c != -1 && c != '\n') {
    line[i] = (char)c;
    i++;
    c = __foldback_strnext(stdin);
  }
  /* An error in the line. */
  if (c == -1 && __VERIFIER_nondet_int() != 0)
    return 0;
  line[i] = 0;
  return line;
}

/* Where nothing is read there may be a block for it nevertheless. An error in the line gives -1 like the end before it. */
static long __foldback_record(char **line, size_t *size, int delimiter, void *stream) {
  __foldback_use_open(stream);
  __foldback_errno_may_if(1);
  size_t i = 0;
  for (;;) {
    int c = __foldback_strnext(stream);
    if (c == -1 && (i != 0 || *line != 0 || __VERIFIER_nondet_int() == 0))
      break;
    if (*line == 0 || i + 2 > *size) {
      size_t room = i + 2 > 120 ? 2 * (i + 2) : 120;
      char *larger = realloc(*line, room);
      __foldback_errno_if(larger == 0, 12);
      if (larger == 0)
        return -1;
      *line = larger;
      *size = room;
    }
    if (c == -1)
      break;
    (*line)[i] = (char)c;
    i++;
    if (c == delimiter)
      break;
  }
  if (i == 0 || ((*line)[i - 1] != (char)delimiter && __VERIFIER_nondet_int() != 0))
    return -1;
  (*line)[i] = 0;
  return (long)i;
}

long getline(char **line, size_t *size, void *stream) { return __foldback_record(line, size, '\n', stream); }

long getdelim(char **line, size_t *size, int delimiter, void *stream) {
  return __foldback_record(line, size, delimiter, stream);
}

size_t fread(void *buffer, size_t size, size_t count, void *stream) {
  if (__foldback_is_memory(stream)) /* memory stream */
    return __foldback_memory_read(buffer, size, count, stream); /* memory stream */
  __foldback_use(stream);
  size_t bytes = __VERIFIER_nondet_size_t();
  __VERIFIER_assume(bytes <= size * count);
  if (bytes != 0)
    __foldback_havoc(buffer, bytes);
  __foldback_errno_may_if(1);
  return size == 0 ? 0 : bytes / size;
}
size_t fread_unlocked(void *buffer, size_t size, size_t count, void *stream) __attribute__((alias("fread")));

/* One byte to a stream. */
static void __foldback_byte(int c, void *stream) {
  if (stream == stdout)
    __foldback_putchar(c);
  else if (stream == stderr)
    __foldback_putchar_error(c);
}

/* `missing` is how many of the items were not written. */
static size_t __foldback_write_items(const void *buffer, size_t size, size_t count, void *stream, size_t missing) {
  __foldback_use(stream);
  const unsigned char *bytes = buffer;
  if (stream != stdout && stream != stderr && size * count != 0)
    __foldback_check_read(buffer, size * count);
  if (stream == stdout || stream == stderr) {
    size_t i = 0;
    while (i < size * count) {
      __foldback_byte(bytes[i], stream);
      i++;
    }
  }
  if (size == 0)
    return 0;
  __VERIFIER_assume(missing <= count);
  __foldback_errno_stream(missing != 0);
  return count - missing;
}

size_t fwrite(const void *buffer, size_t size, size_t count, void *stream) {
  if (__foldback_is_memory(stream)) /* memory stream */
    return __foldback_memory_block(buffer, size, count, stream); /* memory stream */
  return __foldback_write_items(buffer, size, count, stream, __VERIFIER_nondet_size_t());
}
size_t fwrite_unlocked(const void *buffer, size_t size, size_t count, void *stream) __attribute__((alias("fwrite")));

/* The character, or EOF. */
static int __foldback_written(int c, void *stream, int fails) {
  __foldback_byte((unsigned char)c, stream);
  __foldback_errno_stream(fails != 0);
  return fails != 0 ? -1 : (int)(unsigned char)c;
}

int putchar(int c) { return __foldback_written(c, stdout, __VERIFIER_nondet_int()); }
int putchar_unlocked(int c) __attribute__((alias("putchar")));

int fputc(int c, void *stream) {
  if (__foldback_is_memory(stream)) /* memory stream */
    return __foldback_memory_put(stream, c); /* memory stream */
  __foldback_use(stream);
  return __foldback_written(c, stream, __VERIFIER_nondet_int());
}
int putc(int c, void *stream) __attribute__((alias("fputc")));
int _IO_putc(int c, void *stream) __attribute__((alias("fputc")));
int putc_unlocked(int c, void *stream) __attribute__((alias("fputc")));
int fputc_unlocked(int c, void *stream) __attribute__((alias("fputc")));

int putw(int w, void *stream) {
  (void)w;
  __foldback_use(stream);
  if (stream == stdout || stream == stderr)
    __foldback_unsupported("putw to standard output");
  return __foldback_done(__VERIFIER_nondet_int());
}

int puts(const char *s) {
  while (*s != 0) {
    __foldback_putchar((unsigned char)*s);
    s++;
  }
  __foldback_putchar('\n');
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= -1);
  __foldback_errno_stream(n == -1);
  return n;
}

int fputs(const char *s, void *stream) {
  if (__foldback_is_memory(stream)) /* memory stream */
    return __foldback_memory_string(s, stream); /* memory stream */
  __foldback_use(stream);
  while (*s != 0) {
    __foldback_byte((unsigned char)*s, stream);
    s++;
  }
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= -1);
  __foldback_errno_stream(n == -1);
  return n;
}
int fputs_unlocked(const char *s, void *stream) __attribute__((alias("fputs")));

/* What it says about errno is not shown. */
void perror(const char *s) {
  __foldback_errno_may_if(1);
  if (s != 0)
    __foldback_read_string(s);
}
