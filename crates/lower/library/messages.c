/* err.h: messages on standard error, after which the program ends or goes on. What stands around a message, the name of the program and
   what errno means, is not shown. */

int vfprintf(void *stream, const char *format, __builtin_va_list ap);
void exit(int status);
extern void *stderr;

void vwarnx(const char *format, __builtin_va_list ap) {
  if (format != 0)
    vfprintf(stderr, format, ap);
}

void vwarn(const char *format, __builtin_va_list ap) { vwarnx(format, ap); }

void warnx(const char *format, ...) {
  __builtin_va_list ap;
  __builtin_va_start(ap, format);
  vwarnx(format, ap);
  __builtin_va_end(ap);
}

void warn(const char *format, ...) {
  __builtin_va_list ap;
  __builtin_va_start(ap, format);
  vwarnx(format, ap);
  __builtin_va_end(ap);
}

void verrx(int status, const char *format, __builtin_va_list ap) {
  vwarnx(format, ap);
  exit(status);
}

void verr(int status, const char *format, __builtin_va_list ap) {
  vwarnx(format, ap);
  exit(status);
}

void errx(int status, const char *format, ...) {
  __builtin_va_list ap;
  __builtin_va_start(ap, format);
  vwarnx(format, ap);
  __builtin_va_end(ap);
  exit(status);
}

void err(int status, const char *format, ...) {
  __builtin_va_list ap;
  __builtin_va_start(ap, format);
  vwarnx(format, ap);
  __builtin_va_end(ap);
  exit(status);
}
