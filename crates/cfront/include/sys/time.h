#ifndef _FOLDBACK_SYS_TIME_H
#define _FOLDBACK_SYS_TIME_H
#include <features.h>
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
enum {
  ITIMER_VIRTUAL = 1, ITIMER_PROF = 2
};
#define ITIMER_VIRTUAL ITIMER_VIRTUAL
#define ITIMER_PROF ITIMER_PROF
#ifdef __USE_MISC
#define timerisset(time) ((time)->tv_sec || (time)->tv_usec)
#define timerclear(time) ((time)->tv_sec = (time)->tv_usec = 0)
#define timercmp(a, b, CMP) \
  (((a)->tv_sec == (b)->tv_sec) ? ((a)->tv_usec CMP(b)->tv_usec) : ((a)->tv_sec CMP(b)->tv_sec))
#define timeradd(a, b, sum) \
  do { \
    (sum)->tv_sec = (a)->tv_sec + (b)->tv_sec; \
    (sum)->tv_usec = (a)->tv_usec + (b)->tv_usec; \
    if ((sum)->tv_usec >= 1000000) { \
      ++(sum)->tv_sec; \
      (sum)->tv_usec -= 1000000; \
    } \
  } while (0)
#define timersub(a, b, difference) \
  do { \
    (difference)->tv_sec = (a)->tv_sec - (b)->tv_sec; \
    (difference)->tv_usec = (a)->tv_usec - (b)->tv_usec; \
    if ((difference)->tv_usec < 0) { \
      --(difference)->tv_sec; \
      (difference)->tv_usec += 1000000; \
    } \
  } while (0)
#endif
#ifdef __USE_GNU
#define TIMEVAL_TO_TIMESPEC(from, to) { (to)->tv_sec = (from)->tv_sec; (to)->tv_nsec = (from)->tv_usec * 1000; }
#define TIMESPEC_TO_TIMEVAL(to, from) { (to)->tv_sec = (from)->tv_sec; (to)->tv_usec = (from)->tv_nsec / 1000; }
#endif
#endif
