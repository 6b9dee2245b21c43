#ifndef _FOLDBACK_SYS_PARAM_H
#define _FOLDBACK_SYS_PARAM_H
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <sys/types.h>
#define MAXPATHLEN 4096
#define MAXHOSTNAMELEN 64
#ifndef MIN
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#endif
#endif
