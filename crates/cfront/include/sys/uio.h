#ifndef _FOLDBACK_SYS_UIO_H
#define _FOLDBACK_SYS_UIO_H
#include <features.h>
#include <sys/types.h>
#ifndef __iovec_defined
#define __iovec_defined 1
struct iovec {
  void *iov_base;
  size_t iov_len;
};
#endif
ssize_t readv(int fd, const struct iovec *parts, int count);
ssize_t writev(int fd, const struct iovec *parts, int count);
#define UIO_MAXIOV 1024
#ifdef __USE_GNU
#define RWF_HIPRI 0x00000001
#define RWF_DSYNC 0x00000002
#define RWF_SYNC 0x00000004
#define RWF_NOWAIT 0x00000008
#define RWF_APPEND 0x00000010
#define RWF_NOAPPEND 0x00000020
#endif
#endif
