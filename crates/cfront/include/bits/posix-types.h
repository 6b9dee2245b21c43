/* What headers share that do not bring all of sys/types.h. */
#ifndef _FOLDBACK_POSIX_TYPES_H
#define _FOLDBACK_POSIX_TYPES_H
#include <features.h>
typedef __INTPTR_TYPE__ ssize_t;
#ifdef __USE_FILE_OFFSET64
typedef __INT64_TYPE__ off_t;
typedef __UINT64_TYPE__ ino_t;
#else
typedef long off_t;
typedef unsigned long ino_t;
#endif
#ifdef __USE_LARGEFILE64
typedef __INT64_TYPE__ off64_t;
typedef __UINT64_TYPE__ ino64_t;
#endif
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef unsigned int useconds_t;
typedef int pid_t;
typedef unsigned int id_t;
typedef unsigned int socklen_t;
#endif
