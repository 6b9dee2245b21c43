/* The names that glibc's headers, and some programs, use for types before sys/types.h gives them their own. */
#ifndef _FOLDBACK_TYPES_H
#define _FOLDBACK_TYPES_H
#include <sys/cdefs.h>
typedef unsigned char __u_char;
typedef unsigned short __u_short;
typedef unsigned int __u_int;
typedef unsigned long __u_long;
typedef signed char __int8_t;
typedef unsigned char __uint8_t;
typedef short __int16_t;
typedef unsigned short __uint16_t;
typedef int __int32_t;
typedef unsigned int __uint32_t;
typedef __INT64_TYPE__ __int64_t;
typedef __UINT64_TYPE__ __uint64_t;
typedef __INTMAX_TYPE__ __intmax_t;
typedef __UINTMAX_TYPE__ __uintmax_t;
typedef __INT64_TYPE__ __quad_t;
typedef __UINT64_TYPE__ __u_quad_t;
typedef unsigned int __uid_t;
typedef unsigned int __gid_t;
typedef unsigned int __id_t;
typedef int __pid_t;
typedef unsigned int __mode_t;
typedef unsigned int __useconds_t;
typedef long __suseconds_t;
typedef __INT64_TYPE__ __suseconds64_t;
typedef unsigned long __ino_t;
typedef __UINT64_TYPE__ __ino64_t;
typedef long __off_t;
typedef __INT64_TYPE__ __off64_t;
typedef __INT64_TYPE__ __loff_t;
typedef __UINT64_TYPE__ __dev_t;
typedef int __daddr_t;
typedef int __key_t;
typedef long __clock_t;
typedef int __clockid_t;
typedef void *__timer_t;
typedef long __time_t;
typedef __INT64_TYPE__ __time64_t;
typedef long __blksize_t;
typedef long __blkcnt_t;
typedef __INT64_TYPE__ __blkcnt64_t;
typedef unsigned long __fsblkcnt_t;
typedef __UINT64_TYPE__ __fsblkcnt64_t;
typedef unsigned long __fsfilcnt_t;
typedef __UINT64_TYPE__ __fsfilcnt64_t;
typedef __INTPTR_TYPE__ __fsword_t;
typedef unsigned long __rlim_t;
typedef __UINT64_TYPE__ __rlim64_t;
typedef __INTPTR_TYPE__ __ssize_t;
typedef __INTPTR_TYPE__ __intptr_t;
typedef unsigned int __socklen_t;
typedef char *__caddr_t;
typedef int __sig_atomic_t;
typedef long __syscall_slong_t;
typedef unsigned long __syscall_ulong_t;
#ifdef __LP64__
typedef unsigned long __nlink_t;
#else
typedef unsigned int __nlink_t;
#endif
typedef struct { int __val[2]; } __fsid_t;
#endif
