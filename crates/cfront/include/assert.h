/* As in glibc: with another NDEBUG, another assert. */
#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) \
  ((expression) ? (void)0 : __assert_fail(#expression, __FILE__, __LINE__, __func__))
#endif
#ifndef _FOLDBACK_ASSERT_H
#define _FOLDBACK_ASSERT_H
extern void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function)
    __attribute__((noreturn));
#define static_assert _Static_assert
#endif
