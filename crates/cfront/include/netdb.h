#ifndef _FOLDBACK_NETDB_H
#define _FOLDBACK_NETDB_H
#include <netinet/in.h>
struct hostent {
  char *h_name;
  char **h_aliases;
  int h_addrtype;
  int h_length;
  char **h_addr_list;
};
#define h_addr h_addr_list[0]
struct servent {
  char *s_name;
  char **s_aliases;
  int s_port;
  char *s_proto;
};
struct addrinfo {
  int ai_flags;
  int ai_family;
  int ai_socktype;
  int ai_protocol;
  socklen_t ai_addrlen;
  struct sockaddr *ai_addr;
  char *ai_canonname;
  struct addrinfo *ai_next;
};
#define AI_PASSIVE 1
#define AI_CANONNAME 2
#define AI_NUMERICHOST 4
#define NI_NUMERICHOST 1
#define NI_NUMERICSERV 2
#define NI_MAXHOST 1025
#define NI_MAXSERV 32
#define HOST_NOT_FOUND 1
#define TRY_AGAIN 2
extern int h_errno;
void freeaddrinfo(struct addrinfo *list);
const char *gai_strerror(int error);
int getaddrinfo(const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints,
                struct addrinfo **restrict result);
struct hostent *gethostbyname(const char *name);
int getnameinfo(const struct sockaddr *restrict address, socklen_t length, char *restrict node, socklen_t node_size,
                char *restrict service, socklen_t service_size, int flags);
struct servent *getservbyname(const char *name, const char *protocol);
#endif
