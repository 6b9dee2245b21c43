#ifndef _FOLDBACK_SYS_TIME_H
#define _FOLDBACK_SYS_TIME_H
#include <sys/select.h>
struct timezone {
  int tz_minuteswest;
  int tz_dsttime;
};
int gettimeofday(struct timeval *restrict time, void *restrict zone);
struct itimerval {
  struct timeval it_interval;
  struct timeval it_value;
};
#define ITIMER_REAL 0
int getitimer(int which, struct itimerval *value);
int setitimer(int which, const struct itimerval *restrict value, struct itimerval *restrict old);
int settimeofday(const struct timeval *time, const struct timezone *zone);
int utimes(const char *path, const struct timeval times[2]);
#endif
