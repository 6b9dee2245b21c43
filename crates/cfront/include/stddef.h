#ifndef _FOLDBACK_STDDEF_H
#define _FOLDBACK_STDDEF_H
#include <bits/size_t.h>
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#ifndef _FOLDBACK_WCHAR_T
#define _FOLDBACK_WCHAR_T
typedef __WCHAR_TYPE__ wchar_t;
#endif
typedef struct {
  long long __ll __attribute__((aligned(__alignof__(long long))));
  long double __ld __attribute__((aligned(__alignof__(long double))));
#ifdef __i386__
  __float128 __f128 __attribute__((aligned(__alignof__(__float128))));
#endif
} max_align_t;
#undef NULL
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#if __STDC_VERSION__ >= 202311L
typedef __typeof__(nullptr) nullptr_t;
#define unreachable() __builtin_unreachable()
#endif
#endif
