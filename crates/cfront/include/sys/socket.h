#ifndef _FOLDBACK_SYS_SOCKET_H
#define _FOLDBACK_SYS_SOCKET_H
#include <sys/types.h>
#include <sys/uio.h>
typedef unsigned short sa_family_t;
struct sockaddr {
  sa_family_t sa_family;
  char sa_data[14];
};
struct sockaddr_storage {
  sa_family_t ss_family;
  char __padding[128 - sizeof(sa_family_t) - sizeof(unsigned long)];
  unsigned long __align;
};
struct msghdr {
  void *msg_name;
  socklen_t msg_namelen;
  struct iovec *msg_iov;
  size_t msg_iovlen;
  void *msg_control;
  size_t msg_controllen;
  int msg_flags;
};
struct linger {
  int l_onoff;
  int l_linger;
};
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_LOCAL 1
#define AF_INET 2
#define AF_INET6 10
#define PF_UNSPEC 0
#define PF_UNIX 1
#define PF_LOCAL 1
#define PF_INET 2
#define PF_INET6 10
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_RAW 3
#define SOCK_SEQPACKET 5
#define SOL_SOCKET 1
#define SO_DEBUG 1
#define SO_REUSEADDR 2
#define SO_TYPE 3
#define SO_ERROR 4
#define SO_BROADCAST 6
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SO_LINGER 13
#define SO_REUSEPORT 15
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SOMAXCONN 4096
#define MSG_OOB 1
#define MSG_PEEK 2
#define MSG_DONTROUTE 4
#define MSG_TRUNC 0x20
#define MSG_DONTWAIT 0x40
#define MSG_WAITALL 0x100
#define MSG_NOSIGNAL 0x4000
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
int accept(int socket, struct sockaddr *restrict address, socklen_t *restrict length);
int bind(int socket, const struct sockaddr *address, socklen_t length);
int connect(int socket, const struct sockaddr *address, socklen_t length);
int getpeername(int socket, struct sockaddr *restrict address, socklen_t *restrict length);
int getsockname(int socket, struct sockaddr *restrict address, socklen_t *restrict length);
int getsockopt(int socket, int level, int name, void *restrict value, socklen_t *restrict length);
int listen(int socket, int backlog);
ssize_t recv(int socket, void *buffer, size_t size, int flags);
ssize_t recvfrom(int socket, void *restrict buffer, size_t size, int flags, struct sockaddr *restrict address,
                 socklen_t *restrict length);
ssize_t recvmsg(int socket, struct msghdr *message, int flags);
ssize_t send(int socket, const void *buffer, size_t size, int flags);
ssize_t sendmsg(int socket, const struct msghdr *message, int flags);
ssize_t sendto(int socket, const void *buffer, size_t size, int flags, const struct sockaddr *address, socklen_t length);
int setsockopt(int socket, int level, int name, const void *value, socklen_t length);
int shutdown(int socket, int how);
int socket(int domain, int type, int protocol);
int socketpair(int domain, int type, int protocol, int sockets[2]);
#endif
