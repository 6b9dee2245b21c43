#ifndef _FOLDBACK_SYS_RESOURCE_H
#define _FOLDBACK_SYS_RESOURCE_H
#include <features.h>
#include <bits/posix-types.h>
#include <sys/time.h>
#ifdef __USE_FILE_OFFSET64
typedef __UINT64_TYPE__ rlim_t;
#else
typedef unsigned long rlim_t;
#endif
struct rlimit {
  rlim_t rlim_cur;
  rlim_t rlim_max;
};
struct rusage {
  struct timeval ru_utime;
  struct timeval ru_stime;
  long ru_maxrss, ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt, ru_nswap, ru_inblock, ru_oublock, ru_msgsnd;
  long ru_msgrcv, ru_nsignals, ru_nvcsw, ru_nivcsw;
};
#define RLIM_INFINITY ((rlim_t)-1)
#define RLIMIT_CPU 0
#define RLIMIT_FSIZE 1
#define RLIMIT_DATA 2
#define RLIMIT_STACK 3
#define RLIMIT_CORE 4
#define RLIMIT_NPROC 6
#define RLIMIT_NOFILE 7
#define RLIMIT_AS 9
#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN (-1)
#define PRIO_PROCESS 0
#define PRIO_PGRP 1
#define PRIO_USER 2
int getpriority(int which, id_t who);
int getrlimit(int resource, struct rlimit *limit) __FOLDBACK_LARGE(getrlimit64);
int getrusage(int who, struct rusage *usage);
int setpriority(int which, id_t who, int priority);
int setrlimit(int resource, const struct rlimit *limit) __FOLDBACK_LARGE(setrlimit64);
#define PRIO_MIN -20
#define PRIO_MAX 20
#define RLIM_SAVED_CUR RLIM_INFINITY
#define RLIM_SAVED_MAX RLIM_INFINITY
#ifdef __USE_GNU
enum {
  RUSAGE_THREAD = 1
};
#define RUSAGE_THREAD RUSAGE_THREAD
#define RLIM64_INFINITY 0xffffffffffffffffuLL
#define RUSAGE_LWP RUSAGE_THREAD
#endif
enum {
  RLIMIT_RSS = 5, RLIMIT_OFILE = 7, RLIMIT_MEMLOCK = 8, RLIMIT_LOCKS = 10, RLIMIT_SIGPENDING = 11,
  RLIMIT_MSGQUEUE = 12, RLIMIT_NICE = 13, RLIMIT_RTPRIO = 14, RLIMIT_RTTIME = 15, RLIMIT_NLIMITS = 16,
  RLIM_NLIMITS = 16
};
#define RLIMIT_RSS RLIMIT_RSS
#define RLIMIT_OFILE RLIMIT_OFILE
#define RLIMIT_MEMLOCK RLIMIT_MEMLOCK
#define RLIMIT_LOCKS RLIMIT_LOCKS
#define RLIMIT_SIGPENDING RLIMIT_SIGPENDING
#define RLIMIT_MSGQUEUE RLIMIT_MSGQUEUE
#define RLIMIT_NICE RLIMIT_NICE
#define RLIMIT_RTPRIO RLIMIT_RTPRIO
#define RLIMIT_RTTIME RLIMIT_RTTIME
#define RLIMIT_NLIMITS RLIMIT_NLIMITS
#define RLIM_NLIMITS RLIM_NLIMITS
#endif
