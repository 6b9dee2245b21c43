/* What headers share that do not bring all of sys/types.h. */
#ifndef _FOLDBACK_POSIX_TYPES_H
#define _FOLDBACK_POSIX_TYPES_H
typedef __INTPTR_TYPE__ ssize_t;
typedef long off_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef unsigned int useconds_t;
typedef int pid_t;
typedef unsigned int id_t;
typedef unsigned int socklen_t;
#endif
