#ifndef _FOLDBACK_POLL_H
#define _FOLDBACK_POLL_H
#include <features.h>
typedef unsigned long nfds_t;
struct pollfd {
  int fd;
  short events;
  short revents;
};
#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 0x10
#define POLLNVAL 0x20
int poll(struct pollfd *fds, nfds_t count, int timeout);
#define POLLMSG 0x400
#define POLLRDBAND 0x080
#define POLLRDHUP 0x2000
#define POLLRDNORM 0x040
#define POLLREMOVE 0x1000
#define POLLWRBAND 0x200
#define POLLWRNORM 0x100
#endif
