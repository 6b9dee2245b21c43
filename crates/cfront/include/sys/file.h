#ifndef _FOLDBACK_SYS_FILE_H
#define _FOLDBACK_SYS_FILE_H
#include <features.h>
#include <fcntl.h>
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
int flock(int fd, int operation);
#ifndef L_SET
#define L_SET 0
#define L_INCR 1
#define L_XTND 2
#endif
#endif
