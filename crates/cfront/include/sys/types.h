#ifndef _FOLDBACK_SYS_TYPES_H
#define _FOLDBACK_SYS_TYPES_H
#include <features.h>
#include <sys/cdefs.h>
#include <bits/posix-types.h>
#include <bits/size_t.h>
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
typedef int key_t;
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
#ifdef __USE_FILE_OFFSET64
typedef __INT64_TYPE__ blkcnt_t;
typedef __UINT64_TYPE__ fsblkcnt_t;
typedef __UINT64_TYPE__ fsfilcnt_t;
#else
typedef long blkcnt_t;
typedef unsigned long fsblkcnt_t;
typedef unsigned long fsfilcnt_t;
#endif
#ifdef __USE_LARGEFILE64
typedef __INT64_TYPE__ blkcnt64_t;
typedef __UINT64_TYPE__ fsblkcnt64_t;
typedef __UINT64_TYPE__ fsfilcnt64_t;
#endif
typedef long blksize_t;
#ifdef __LP64__
typedef unsigned long nlink_t;
#else
typedef unsigned int nlink_t;
#endif
#include <bits/pthreadtypes.h>
#include <bits/stdint-intn.h>
#include <bits/types.h>
#include <endian.h>
#include <sys/select.h>
#endif
