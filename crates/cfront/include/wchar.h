#ifndef _FOLDBACK_WCHAR_H
#define _FOLDBACK_WCHAR_H
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
wchar_t *wcsstr(const wchar_t *text, const wchar_t *part);
wchar_t *wmemchr(const wchar_t *block, wchar_t c, size_t count);
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t count);
wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count);
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count);
wchar_t *wmemset(wchar_t *block, wchar_t c, size_t count);
int wprintf(const wchar_t *restrict format, ...);
int fwprintf(FILE *restrict stream, const wchar_t *restrict format, ...);
int swprintf(wchar_t *restrict text, size_t size, const wchar_t *restrict format, ...);
#endif
