#ifndef _FOLDBACK_UTIME_H
#define _FOLDBACK_UTIME_H
#include <features.h>
#include <sys/types.h>
struct utimbuf {
  time_t actime;
  time_t modtime;
};
int utime(const char *path, const struct utimbuf *times);
#endif
