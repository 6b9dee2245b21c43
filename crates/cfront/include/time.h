#ifndef _FOLDBACK_TIME_H
#define _FOLDBACK_TIME_H
#include <features.h>
#include <bits/types.h>
#include <bits/size_t.h>
#include <sys/cdefs.h>
#ifndef NULL
#define NULL ((void *)0)
#endif
#include <bits/posix-types.h>
#include <bits/time-types.h>
#define CLOCKS_PER_SEC ((clock_t)1000000)
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define TIME_UTC 1
#ifndef __struct_tm_defined
#define __struct_tm_defined 1
struct tm {
  int tm_sec;
  int tm_min;
  int tm_hour;
  int tm_mday;
  int tm_mon;
  int tm_year;
  int tm_wday;
  int tm_yday;
  int tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};
#endif
char *asctime(const struct tm *time);
clock_t clock(void);
int clock_gettime(clockid_t clock, struct timespec *time);
char *ctime(const time_t *time);
double difftime(time_t end, time_t start);
struct tm *gmtime(const time_t *time);
struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict result);
struct tm *localtime(const time_t *time);
struct tm *localtime_r(const time_t *restrict time, struct tm *restrict result);
time_t mktime(struct tm *time);
int nanosleep(const struct timespec *time, struct timespec *rest);
size_t strftime(char *restrict text, size_t size, const char *restrict format, const struct tm *restrict time);
time_t time(time_t *time);
int timespec_get(struct timespec *time, int base);
#ifndef __itimerspec_defined
#define __itimerspec_defined 1
struct itimerspec {
  struct timespec it_interval;
  struct timespec it_value;
};
#endif
struct sigevent;
#define TIMER_ABSTIME 1
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
extern char *tzname[2];
extern long timezone;
extern int daylight;
char *asctime_r(const struct tm *restrict time, char *restrict text);
int clock_getres(clockid_t clock, struct timespec *step);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest);
int clock_settime(clockid_t clock, const struct timespec *time);
char *ctime_r(const time_t *restrict time, char *restrict text);
char *strptime(const char *restrict text, const char *restrict format, struct tm *restrict time);
time_t timegm(struct tm *time);
struct tm *getdate(const char *text);
extern int getdate_err;
time_t timelocal(struct tm *time);
int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer);
int timer_delete(timer_t timer);
int timer_getoverrun(timer_t timer);
int timer_gettime(timer_t timer, struct itimerspec *time);
int timer_settime(timer_t timer, int flags, const struct itimerspec *restrict time, struct itimerspec *restrict old);
void tzset(void);
#ifdef __USE_POSIX
#define CLOCK_REALTIME_ALARM 8
#define CLOCK_BOOTTIME_ALARM 9
#define CLOCK_TAI 11
#endif
#ifdef __USE_GNU
#define ADJ_OFFSET 0x0001
#define ADJ_FREQUENCY 0x0002
#define ADJ_MAXERROR 0x0004
#define ADJ_ESTERROR 0x0008
#define ADJ_STATUS 0x0010
#define ADJ_TIMECONST 0x0020
#define ADJ_TAI 0x0080
#define ADJ_SETOFFSET 0x0100
#define ADJ_MICRO 0x1000
#define ADJ_NANO 0x2000
#define ADJ_TICK 0x4000
#define ADJ_OFFSET_SINGLESHOT 0x8001
#define ADJ_OFFSET_SS_READ 0xa001
#define MOD_CLKA ADJ_OFFSET_SINGLESHOT
#define MOD_CLKB ADJ_TICK
#define MOD_ESTERROR ADJ_ESTERROR
#define MOD_FREQUENCY ADJ_FREQUENCY
#define MOD_MAXERROR ADJ_MAXERROR
#define MOD_MICRO ADJ_MICRO
#define MOD_NANO ADJ_NANO
#define MOD_OFFSET ADJ_OFFSET
#define MOD_STATUS ADJ_STATUS
#define MOD_TAI ADJ_TAI
#define MOD_TIMECONST ADJ_TIMECONST
#define STA_PLL 0x0001
#define STA_PPSFREQ 0x0002
#define STA_PPSTIME 0x0004
#define STA_FLL 0x0008
#define STA_INS 0x0010
#define STA_DEL 0x0020
#define STA_UNSYNC 0x0040
#define STA_FREQHOLD 0x0080
#define STA_PPSSIGNAL 0x0100
#define STA_PPSJITTER 0x0200
#define STA_PPSWANDER 0x0400
#define STA_PPSERROR 0x0800
#define STA_CLOCKERR 0x1000
#define STA_NANO 0x2000
#define STA_MODE 0x4000
#define STA_CLK 0x8000
#define STA_RONLY (STA_PPSSIGNAL | STA_PPSJITTER | STA_PPSWANDER | STA_PPSERROR | STA_CLOCKERR | STA_NANO | \
    STA_MODE | STA_CLK)
#endif
#endif
