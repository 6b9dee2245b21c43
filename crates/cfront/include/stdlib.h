#ifndef _FOLDBACK_STDLIB_H
#define _FOLDBACK_STDLIB_H
#include <features.h>
#include <sys/cdefs.h>
#include <stddef.h>
#include <alloca.h>
#include <bits/waitmacros.h>
/* As with glibc: without -std=c99 and the like, or where a program asks for more than ISO C. */
#if !defined __STRICT_ANSI__ || defined _GNU_SOURCE || defined _DEFAULT_SOURCE || defined _BSD_SOURCE || \
    defined _SVID_SOURCE || (defined _XOPEN_SOURCE && _XOPEN_SOURCE >= 500)
#include <sys/types.h>
#endif
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX ((size_t)1)
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
typedef int (*__compar_fn_t)(const void *, const void *);
void _Exit(int status) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
int abs(int value);
void *aligned_alloc(size_t alignment, size_t size);
int at_quick_exit(void (*function)(void));
int atexit(void (*function)(void));
double atof(const char *text);
int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *));
void *calloc(size_t count, size_t size);
int clearenv(void);
div_t div(int numerator, int denominator);
double drand48(void);
void exit(int status) __attribute__((noreturn));
void free(void *block);
char *getenv(const char *name);
long labs(long value);
ldiv_t ldiv(long numerator, long denominator);
long long llabs(long long value);
lldiv_t lldiv(long long numerator, long long denominator);
long lrand48(void);
void *malloc(size_t size);
int mblen(const char *text, size_t count);
size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t count);
int mbtowc(wchar_t *restrict to, const char *restrict from, size_t count);
char *mktemp(char *pattern);
int mkstemp(char *pattern);
int posix_memalign(void **block, size_t alignment, size_t size);
int putenv(char *text);
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void quick_exit(int status) __attribute__((noreturn));
int rand(void);
int rand_r(unsigned int *seed);
long random(void);
void *realloc(void *block, size_t size);
void *reallocarray(void *block, size_t count, size_t size);
char *realpath(const char *restrict path, char *restrict resolved);
int setenv(const char *name, const char *value, int overwrite);
void srand(unsigned int seed);
void srand48(long seed);
void srandom(unsigned int seed);
double strtod(const char *restrict text, char **restrict end);
float strtof(const char *restrict text, char **restrict end);
long strtol(const char *restrict text, char **restrict end, int base);
long double strtold(const char *restrict text, char **restrict end);
long long strtoll(const char *restrict text, char **restrict end, int base);
long long strtoq(const char *restrict text, char **restrict end, int base);
unsigned long long strtouq(const char *restrict text, char **restrict end, int base);
unsigned long strtoul(const char *restrict text, char **restrict end, int base);
unsigned long long strtoull(const char *restrict text, char **restrict end, int base);
int system(const char *command);
int unsetenv(const char *name);
size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t count);
int wctomb(char *to, wchar_t c);
long a64l(const char *text);
int at_quick_exit(void (*function)(void));
char *l64a(long value);
double erand48(unsigned short state[3]);
char *mkdtemp(char *pattern);
long mrand48(void);
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *context);
char *secure_getenv(const char *name);
#endif
