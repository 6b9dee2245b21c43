#ifndef _FOLDBACK_SYS_PARAM_H
#define _FOLDBACK_SYS_PARAM_H
#include <features.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <sys/types.h>
/* The kernel's limits are here under every standard. */
#define PIPE_BUF 4096
#define XATTR_LIST_MAX 65536
#define XATTR_SIZE_MAX 65536
#define MAXPATHLEN 4096
#define MAXHOSTNAMELEN 64
#ifndef MIN
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#endif
#define CANBSIZ MAX_CANON
#define DEV_BSIZE 512
#define EXEC_PAGESIZE 4096
#define HZ 100
#define MAXSYMLINKS 20
#define NBBY CHAR_BIT
#define NCARGS 131072
#define NGROUPS NGROUPS_MAX
#define NOFILE 256
#define NOGROUP (-1)
#define clrbit(a,i) ((a)[(i)/NBBY] &= ~(1<<((i)%NBBY)))
#define howmany(x,y) (((x) + ((y) - 1)) / (y))
#define isclr(a,i) (((a)[(i)/NBBY] & (1<<((i)%NBBY))) == 0)
#define isset(a,i) ((a)[(i)/NBBY] & (1<<((i)%NBBY)))
#define powerof2(x) ((((x) - 1) & (x)) == 0)
#define setbit(a,i) ((a)[(i)/NBBY] |= 1<<((i)%NBBY))
#define NODEV ((dev_t)-1)
#define roundup(x, y) \
  (__builtin_constant_p(y) && powerof2(y) ? (((x) + (y) - 1) & ~((y) - 1)) : ((((x) + ((y) - 1)) / (y)) * (y)))
#endif
