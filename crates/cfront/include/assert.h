/* As in glibc: with another NDEBUG, another assert. */
#undef assert
#undef assert_perror
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) \
  ((expression) ? (void)0 : __assert_fail(#expression, __FILE__, __LINE__, __func__))
#endif
#ifndef _FOLDBACK_ASSERT_H
#define _FOLDBACK_ASSERT_H
#include <features.h>
extern void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function)
    __attribute__((noreturn));
#define static_assert _Static_assert
#ifdef __USE_GNU
extern void __assert_perror_fail(int number, const char *file, unsigned int line, const char *function)
    __attribute__((noreturn));
#endif

#endif
#ifdef __USE_GNU
#ifdef NDEBUG
#define assert_perror(number) ((void)0)
#else
#define assert_perror(number) \
  (!(number) ? (void)0 : __assert_perror_fail((number), __FILE__, __LINE__, __func__))
#endif
#endif
