#ifndef _FOLDBACK_NETDB_H
#define _FOLDBACK_NETDB_H
#include <features.h>
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
#ifdef __USE_POSIX
#define AI_V4MAPPED 0x0008
#define AI_ALL 0x0010
#define AI_ADDRCONFIG 0x0020
#define AI_NUMERICSERV 0x0400
#define EAI_OVERFLOW -12
#define EAI_SYSTEM -11
#define EAI_MEMORY -10
#define EAI_SERVICE -8
#define EAI_SOCKTYPE -7
#define EAI_FAMILY -6
#define EAI_FAIL -4
#define EAI_AGAIN -3
#define EAI_NONAME -2
#define EAI_BADFLAGS -1
#define IPPORT_RESERVED 1024
#define NI_NOFQDN 4
#define NI_NAMEREQD 8
#define NI_DGRAM 16
#endif
#ifdef __USE_MISC
#define NETDB_INTERNAL -1
#define NETDB_SUCCESS 0
#define NO_ADDRESS NO_DATA
#endif
#ifdef __USE_GNU
#define AI_IDN 0x0040
#define AI_CANONIDN 0x0080
#define AI_IDN_ALLOW_UNASSIGNED 0x0100
#define AI_IDN_USE_STD3_ASCII_RULES 0x0200
#define EAI_IDN_ENCODE -105
#define EAI_INTR -104
#define EAI_ALLDONE -103
#define EAI_NOTCANCELED -102
#define EAI_CANCELED -101
#define EAI_INPROGRESS -100
#define EAI_ADDRFAMILY -9
#define EAI_NODATA -5
#define GAI_WAIT 0
#define GAI_NOWAIT 1
#define NI_IDN 32
#define NI_IDN_ALLOW_UNASSIGNED 64
#define NI_IDN_USE_STD3_ASCII_RULES 128
#define SCOPE_DELIMITER '%'
#endif
#if defined __USE_MISC || !defined __USE_XOPEN2K8
int *__h_errno_location(void);
#define h_errno (*__h_errno_location())
#define NO_RECOVERY 3
#define NO_DATA 4
#endif
#endif
