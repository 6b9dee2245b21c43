/* Times as sys/types.h, time.h and sys/time.h share them. */
#ifndef _FOLDBACK_TIME_TYPES_H
#define _FOLDBACK_TIME_TYPES_H
#include <features.h>
#ifdef __USE_TIME_BITS64
typedef __INT64_TYPE__ time_t;
typedef __INT64_TYPE__ suseconds_t;
#else
typedef long time_t;
typedef long suseconds_t;
#endif
typedef long clock_t;
typedef int clockid_t;
typedef void *timer_t;
#ifndef _STRUCT_TIMESPEC
#define _STRUCT_TIMESPEC 1
struct timespec {
  time_t tv_sec;
  long tv_nsec;
#ifdef __USE_TIME_BITS64
  int : 32;
#endif
};
#endif
#ifndef __timeval_defined
#define __timeval_defined 1
struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
#endif
#endif
