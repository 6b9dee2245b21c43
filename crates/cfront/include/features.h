/* Which names the program asks for, and which library it meets: glibc 2.36, with the names by which its own headers ask. */
#ifndef _FEATURES_H
#define _FEATURES_H 1
#define __KERNEL_STRICT_NAMES
#define __GNUC_PREREQ(major, minor) ((__GNUC__ << 16) + __GNUC_MINOR__ >= ((major) << 16) + (minor))
#define __GLIBC_PREREQ(major, minor) ((__GLIBC__ << 16) + __GLIBC_MINOR__ >= ((major) << 16) + (minor))
#define __glibc_clang_prereq(major, minor) 0
#define __GLIBC_USE(feature) __GLIBC_USE_##feature
#define __GNU_LIBRARY__ 6
#define __GLIBC__ 2
#define __GLIBC_MINOR__ 36

/* What the program defined stands for more. */
#if defined _BSD_SOURCE || defined _SVID_SOURCE
#undef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#ifdef _GNU_SOURCE
#undef _ISOC95_SOURCE
#undef _ISOC99_SOURCE
#undef _ISOC11_SOURCE
#undef _ISOC2X_SOURCE
#undef _POSIX_SOURCE
#undef _POSIX_C_SOURCE
#undef _XOPEN_SOURCE
#undef _XOPEN_SOURCE_EXTENDED
#undef _LARGEFILE64_SOURCE
#undef _DEFAULT_SOURCE
#undef _ATFILE_SOURCE
#undef _DYNAMIC_STACK_SIZE_SOURCE
#define _ISOC95_SOURCE 1
#define _ISOC99_SOURCE 1
#define _ISOC11_SOURCE 1
#define _ISOC2X_SOURCE 1
#define _POSIX_SOURCE 1
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700
#define _XOPEN_SOURCE_EXTENDED 1
#define _LARGEFILE64_SOURCE 1
#define _DEFAULT_SOURCE 1
#define _ATFILE_SOURCE 1
#define _DYNAMIC_STACK_SIZE_SOURCE 1
#endif
#if !(defined __STRICT_ANSI__ || defined _ISOC99_SOURCE || defined _ISOC11_SOURCE || defined _ISOC2X_SOURCE || \
      defined _POSIX_SOURCE || defined _POSIX_C_SOURCE || defined _XOPEN_SOURCE)
#undef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#ifdef _DEFAULT_SOURCE
#if !defined _POSIX_SOURCE && !defined _POSIX_C_SOURCE
#define __USE_POSIX_IMPLICITLY 1
#endif
#undef _DEFAULT_SOURCE
#undef _POSIX_SOURCE
#undef _POSIX_C_SOURCE
#define _DEFAULT_SOURCE 1
#define _POSIX_SOURCE 1
#define _POSIX_C_SOURCE 200809L
#endif
#if (!defined __STRICT_ANSI__ || (defined _XOPEN_SOURCE && _XOPEN_SOURCE - 0 >= 500)) && !defined _POSIX_SOURCE && \
    !defined _POSIX_C_SOURCE
#define __USE_POSIX_IMPLICITLY 1
#define _POSIX_SOURCE 1
#if defined _XOPEN_SOURCE && _XOPEN_SOURCE - 0 < 500
#define _POSIX_C_SOURCE 2
#elif defined _XOPEN_SOURCE && _XOPEN_SOURCE - 0 < 600
#define _POSIX_C_SOURCE 199506L
#elif defined _XOPEN_SOURCE && _XOPEN_SOURCE - 0 < 700
#define _POSIX_C_SOURCE 200112L
#else
#define _POSIX_C_SOURCE 200809L
#endif
#endif
#if (defined _REENTRANT || defined _THREAD_SAFE) && (!defined _POSIX_C_SOURCE || _POSIX_C_SOURCE - 0 < 199506L)
#undef _POSIX_SOURCE
#undef _POSIX_C_SOURCE
#define _POSIX_SOURCE 1
#define _POSIX_C_SOURCE 199506L
#endif
#if defined _POSIX_C_SOURCE && _POSIX_C_SOURCE - 0 >= 200809L
#undef _ATFILE_SOURCE
#define _ATFILE_SOURCE 1
#endif
#if defined _XOPEN_SOURCE && _XOPEN_SOURCE - 0 >= 500
#undef _LARGEFILE_SOURCE
#define _LARGEFILE_SOURCE 1
#endif

/* How glibc's headers ask for it. */
#if defined _ISOC2X_SOURCE || __STDC_VERSION__ > 201710L
#define __GLIBC_USE_ISOC2X 1
#else
#define __GLIBC_USE_ISOC2X 0
#endif
#if defined _ISOC11_SOURCE || defined _ISOC2X_SOURCE || __STDC_VERSION__ >= 201112L
#define __USE_ISOC11 1
#endif
#if defined __USE_ISOC11 || defined _ISOC99_SOURCE || __STDC_VERSION__ >= 199901L || \
    (defined _POSIX_C_SOURCE && _POSIX_C_SOURCE - 0 >= 200112L) || (defined _XOPEN_SOURCE && _XOPEN_SOURCE - 0 >= 600)
#define __USE_ISOC99 1
#endif
#if defined __USE_ISOC99 || __STDC_VERSION__ >= 199409L
#define __USE_ISOC95 1
#endif
#if defined _POSIX_SOURCE || (defined _POSIX_C_SOURCE && _POSIX_C_SOURCE - 0 >= 1) || defined _XOPEN_SOURCE
#define __USE_POSIX 1
#endif
#if (defined _POSIX_C_SOURCE && _POSIX_C_SOURCE - 0 >= 2) || defined _XOPEN_SOURCE
#define __USE_POSIX2 1
#endif
#if defined _POSIX_C_SOURCE && _POSIX_C_SOURCE - 0 >= 199309L
#define __USE_POSIX199309 1
#endif
#if defined _POSIX_C_SOURCE && _POSIX_C_SOURCE - 0 >= 199506L
#define __USE_POSIX199506 1
#endif
#if (defined _POSIX_C_SOURCE && _POSIX_C_SOURCE - 0 >= 200112L) || (defined _XOPEN_SOURCE && _XOPEN_SOURCE - 0 >= 600)
#define __USE_XOPEN2K 1
#endif
#if (defined _POSIX_C_SOURCE && _POSIX_C_SOURCE - 0 >= 200809L) || (defined _XOPEN_SOURCE && _XOPEN_SOURCE - 0 >= 700)
#define __USE_XOPEN2K8 1
#endif
#ifdef _XOPEN_SOURCE
#define __USE_XOPEN 1
#if _XOPEN_SOURCE - 0 >= 500
#define __USE_XOPEN_EXTENDED 1
#define __USE_UNIX98 1
#elif defined _XOPEN_SOURCE_EXTENDED
#define __USE_XOPEN_EXTENDED 1
#endif
#if _XOPEN_SOURCE - 0 >= 600
#define __USE_XOPEN2KXSI 1
#endif
#if _XOPEN_SOURCE - 0 >= 700
#define __USE_XOPEN2K8XSI 1
#endif
#endif
#ifdef _LARGEFILE_SOURCE
#define __USE_LARGEFILE 1
#endif
#ifdef _LARGEFILE64_SOURCE
#define __USE_LARGEFILE64 1
#endif
#if defined _FILE_OFFSET_BITS && _FILE_OFFSET_BITS == 64
#define __USE_FILE_OFFSET64 1
#endif
#ifdef __LP64__
#define __WORDSIZE 64
#define __WORDSIZE_TIME64_COMPAT32 1
#define __SYSCALL_WORDSIZE 64
#define __TIMESIZE 64
#else
#define __WORDSIZE 32
#define __WORDSIZE32_SIZE_ULONG 0
#define __WORDSIZE32_PTRDIFF_LONG 0
#define __WORDSIZE_TIME64_COMPAT32 0
#define __TIMESIZE 32
#endif
/* Where `off_t` is larger than `long`, its functions are others. */
#if defined __USE_FILE_OFFSET64 && !defined __LP64__
#define __FOLDBACK_LARGE(name) __asm__(#name)
#else
#define __FOLDBACK_LARGE(name)
#endif
#ifdef _TIME_BITS
#if _TIME_BITS == 64
#ifndef __USE_FILE_OFFSET64
#error "_TIME_BITS=64 is allowed only with _FILE_OFFSET_BITS=64"
#elif __TIMESIZE == 32
#define __USE_TIME_BITS64 1
#ifdef __FOLDBACK__
#error "_TIME_BITS=64 is not modelled where long has 32 bits: the functions of time.h would be others"
#endif
#endif
#elif _TIME_BITS != 32 || __TIMESIZE > 32
#error "_TIME_BITS is not a size that time_t may have"
#endif
#endif
#ifdef _DEFAULT_SOURCE
#define __USE_MISC 1
#endif
#ifdef _ATFILE_SOURCE
#define __USE_ATFILE 1
#endif
#ifdef _DYNAMIC_STACK_SIZE_SOURCE
#define __USE_DYNAMIC_STACK_SIZE 1
#endif
#ifdef _GNU_SOURCE
#define __USE_GNU 1
#endif
/* Nothing is compiled with optimisation here, and so nothing is fortified. */
#define __USE_FORTIFY_LEVEL 0
#ifdef __USE_ISOC11
#define __GLIBC_USE_DEPRECATED_GETS 0
#else
#define __GLIBC_USE_DEPRECATED_GETS 1
#endif
#if defined __USE_GNU && (!defined __STDC_VERSION__ || __STDC_VERSION__ < 199901L)
#define __GLIBC_USE_DEPRECATED_SCANF 1
#else
#define __GLIBC_USE_DEPRECATED_SCANF 0
#endif
#include <sys/cdefs.h>
#endif
