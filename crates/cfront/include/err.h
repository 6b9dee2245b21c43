#ifndef _FOLDBACK_ERR_H
#define _FOLDBACK_ERR_H
#include <features.h>
#include <stdarg.h>
void err(int status, const char *format, ...) __attribute__((noreturn));
void errx(int status, const char *format, ...) __attribute__((noreturn));
void verr(int status, const char *format, va_list ap) __attribute__((noreturn));
void verrx(int status, const char *format, va_list ap) __attribute__((noreturn));
void vwarn(const char *format, va_list ap);
void vwarnx(const char *format, va_list ap);
void warn(const char *format, ...);
void warnx(const char *format, ...);
#endif
