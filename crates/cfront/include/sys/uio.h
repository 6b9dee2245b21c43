#ifndef _FOLDBACK_SYS_UIO_H
#define _FOLDBACK_SYS_UIO_H
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
#endif
