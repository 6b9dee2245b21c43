#ifndef _FOLDBACK_SYS_SELECT_H
#define _FOLDBACK_SYS_SELECT_H
#include <features.h>
#include <bits/types.h>
#include <bits/types/sigset_t.h>
#include <bits/time-types.h>
#define FD_SETSIZE 1024
typedef struct { long fds_bits[FD_SETSIZE / (8 * sizeof(long))]; } fd_set;
#define __FOLDBACK_FD_BITS (8 * (int)sizeof(long))
#define FD_ZERO(set) __builtin_memset((set), 0, sizeof(fd_set))
#define FD_SET(fd, set) ((void)((set)->fds_bits[(fd) / __FOLDBACK_FD_BITS] |= 1L << ((fd) % __FOLDBACK_FD_BITS)))
#define FD_CLR(fd, set) ((void)((set)->fds_bits[(fd) / __FOLDBACK_FD_BITS] &= ~(1L << ((fd) % __FOLDBACK_FD_BITS))))
#define FD_ISSET(fd, set) (((set)->fds_bits[(fd) / __FOLDBACK_FD_BITS] & (1L << ((fd) % __FOLDBACK_FD_BITS))) != 0)
int select(int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict errors,
           struct timeval *restrict timeout);
#ifdef __USE_MISC
typedef long fd_mask;
#define NFDBITS __FOLDBACK_FD_BITS
#endif
#endif
