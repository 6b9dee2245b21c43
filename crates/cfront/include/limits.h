#ifndef _FOLDBACK_LIMITS_H
#define _FOLDBACK_LIMITS_H
#include <features.h>
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define MB_LEN_MAX 16
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-LONG_MAX - 1L)
#define ULONG_MAX (__LONG_MAX__ * 2UL + 1UL)
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define ULLONG_MAX 18446744073709551615ULL
#define LONG_LONG_MAX LLONG_MAX
#define LONG_LONG_MIN LLONG_MIN
#define ULONG_LONG_MAX ULLONG_MAX
#define SSIZE_MAX LONG_MAX
#define PATH_MAX 4096
#define NAME_MAX 255
#define IOV_MAX 1024
#define DELAYTIMER_MAX 2147483647
#define HOST_NAME_MAX 64
#define LOGIN_NAME_MAX 256
#define MAX_CANON 255
#define MAX_INPUT 255
#define MQ_PRIO_MAX 32768
#define NGROUPS_MAX 65536
#define PTHREAD_KEYS_MAX 1024
#define RTSIG_MAX 32
#define SEM_VALUE_MAX (2147483647)
#define TTY_NAME_MAX 32
#define XATTR_NAME_MAX 255
#ifdef __USE_POSIX
#define AIO_PRIO_DELTA_MAX 20
#define BC_BASE_MAX 99
#define BC_SCALE_MAX 99
#define BC_STRING_MAX 1000
#define BC_DIM_MAX 2048
#define CHARCLASS_NAME_MAX 2048
#define COLL_WEIGHTS_MAX 255
#define EXPR_NEST_MAX 32
#define LINE_MAX 2048
#define PIPE_BUF 4096
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#define RE_DUP_MAX (0x7fff)
#define XATTR_LIST_MAX 65536
#define XATTR_SIZE_MAX 65536
#endif
#ifdef __USE_GNU
#define BOOL_MAX 1
#define BOOL_WIDTH 1
#define CHAR_WIDTH 8
#define INT_WIDTH 32
#define LLONG_WIDTH 64
#define NL_NMAX INT_MAX
#define SCHAR_WIDTH 8
#define SHRT_WIDTH 16
#define UCHAR_WIDTH 8
#define UINT_WIDTH 32
#define ULLONG_WIDTH 64
#define USHRT_WIDTH 16
#ifdef __LP64__
#define LONG_WIDTH 64
#else
#define LONG_WIDTH 32
#endif
#endif
#ifdef __USE_XOPEN
#define NL_LANGMAX 2048
#define NL_ARGMAX 4096
#define NL_MSGMAX INT_MAX
#define NL_SETMAX INT_MAX
#define NL_TEXTMAX INT_MAX
#define NZERO 20
#define WORD_BIT 32
#ifdef __LP64__
#define LONG_BIT 64
#else
#define LONG_BIT 32
#endif
#endif
#ifdef __USE_GNU
#define ULONG_WIDTH __WORDSIZE
#define PTHREAD_STACK_MIN sysconf(75)
long sysconf(int name);
#elif defined __USE_POSIX
#define PTHREAD_STACK_MIN 16384
#endif
#endif
