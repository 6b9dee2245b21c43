#ifndef _FOLDBACK_SYS_TYPES_H
#define _FOLDBACK_SYS_TYPES_H
#include <sys/cdefs.h>
#ifndef _FOLDBACK_SIZE_T
#define _FOLDBACK_SIZE_T
typedef __SIZE_TYPE__ size_t;
#endif
typedef __INTPTR_TYPE__ ssize_t;
typedef signed char __int8_t;
typedef short __int16_t;
typedef int __int32_t;
typedef __INT64_TYPE__ __int64_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned int u_int32_t;
typedef __UINT64_TYPE__ u_int64_t;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef char *caddr_t;
typedef int pid_t;
typedef int key_t;
typedef unsigned int id_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef unsigned int useconds_t;
typedef long suseconds_t;
typedef long off_t;
#if __SIZEOF_LONG__ == 8
typedef long loff_t;
#else
typedef long long loff_t;
#endif
#if __SIZEOF_LONG__ == 8
typedef unsigned long dev_t;
#else
typedef unsigned long long dev_t;
#endif
typedef unsigned long ino_t;
typedef long blkcnt_t;
typedef long blksize_t;
#ifdef __LP64__
typedef unsigned long nlink_t;
#else
typedef unsigned int nlink_t;
#endif
#ifndef _FOLDBACK_TIME_T
#define _FOLDBACK_TIME_T
typedef long time_t;
#endif
#ifndef _FOLDBACK_CLOCK_T
#define _FOLDBACK_CLOCK_T
typedef long clock_t;
typedef int clockid_t;
#endif
#include <stdint.h>
#endif
