#ifndef _FOLDBACK_WCHAR_H
#define _FOLDBACK_WCHAR_H
#include <features.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
typedef __WINT_TYPE__ wint_t;
typedef struct { int __count; unsigned int __value; } mbstate_t;
#define WEOF 0xffffffffu
#ifndef WCHAR_MAX
#define WCHAR_MAX __WCHAR_MAX__
#define WCHAR_MIN (-__WCHAR_MAX__ - 1)
#endif
wint_t btowc(int c);
wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from);
wchar_t *wcschr(const wchar_t *text, wchar_t c);
int wcscmp(const wchar_t *a, const wchar_t *b);
wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from);
size_t wcslen(const wchar_t *text);
wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t count);
int wcsncmp(const wchar_t *a, const wchar_t *b, size_t count);
wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count);
wchar_t *wcsrchr(const wchar_t *text, wchar_t c);
wchar_t *wcschrnul(const wchar_t *text, wchar_t c);
wchar_t *wcsstr(const wchar_t *text, const wchar_t *part);
wchar_t *wmemchr(const wchar_t *block, wchar_t c, size_t count);
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t count);
wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count);
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count);
wchar_t *wmemset(wchar_t *block, wchar_t c, size_t count);
int wprintf(const wchar_t *restrict format, ...);
int fwprintf(FILE *restrict stream, const wchar_t *restrict format, ...);
int swprintf(wchar_t *restrict text, size_t size, const wchar_t *restrict format, ...);
wint_t fgetwc(FILE *stream);
wchar_t *fgetws(wchar_t *restrict text, int size, FILE *restrict stream);
wint_t fputwc(wchar_t c, FILE *stream);
int fputws(const wchar_t *restrict text, FILE *restrict stream);
int fwide(FILE *stream, int mode);
int fwscanf(FILE *restrict stream, const wchar_t *restrict format, ...);
wint_t getwc(FILE *stream);
wint_t getwchar(void);
size_t mbrlen(const char *restrict text, size_t count, mbstate_t *restrict state);
size_t mbrtowc(wchar_t *restrict to, const char *restrict from, size_t count, mbstate_t *restrict state);
int mbsinit(const mbstate_t *state);
size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t count, mbstate_t *restrict state);
wint_t putwc(wchar_t c, FILE *stream);
wint_t putwchar(wchar_t c);
int swscanf(const wchar_t *restrict text, const wchar_t *restrict format, ...);
wint_t ungetwc(wint_t c, FILE *stream);
int vfwprintf(FILE *restrict stream, const wchar_t *restrict format, va_list list);
int vswprintf(wchar_t *restrict text, size_t size, const wchar_t *restrict format, va_list list);
int vwprintf(const wchar_t *restrict format, va_list list);
wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from);
wchar_t *wcpncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count);
size_t wcrtomb(char *restrict to, wchar_t c, mbstate_t *restrict state);
int wcscasecmp(const wchar_t *a, const wchar_t *b);
int wcscoll(const wchar_t *a, const wchar_t *b);
size_t wcscspn(const wchar_t *text, const wchar_t *set);
wchar_t *wcsdup(const wchar_t *text);
int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t count);
size_t wcsnlen(const wchar_t *text, size_t count);
wchar_t *wcspbrk(const wchar_t *text, const wchar_t *set);
size_t wcsrtombs(char *restrict to, const wchar_t **restrict from, size_t count, mbstate_t *restrict state);
size_t wcsspn(const wchar_t *text, const wchar_t *set);
double wcstod(const wchar_t *restrict text, wchar_t **restrict end);
float wcstof(const wchar_t *restrict text, wchar_t **restrict end);
wchar_t *wcstok(wchar_t *restrict text, const wchar_t *restrict delimiters, wchar_t **restrict rest);
long wcstol(const wchar_t *restrict text, wchar_t **restrict end, int base);
long double wcstold(const wchar_t *restrict text, wchar_t **restrict end);
long long wcstoll(const wchar_t *restrict text, wchar_t **restrict end, int base);
unsigned long wcstoul(const wchar_t *restrict text, wchar_t **restrict end, int base);
unsigned long long wcstoull(const wchar_t *restrict text, wchar_t **restrict end, int base);
int wcswidth(const wchar_t *text, size_t count);
size_t wcsxfrm(wchar_t *restrict to, const wchar_t *restrict from, size_t count);
int wctob(wint_t c);
int wcwidth(wchar_t c);
int wscanf(const wchar_t *restrict format, ...);
#endif
