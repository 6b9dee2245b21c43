#ifndef _FOLDBACK_ARPA_INET_H
#define _FOLDBACK_ARPA_INET_H
#include <features.h>
#include <netinet/in.h>
in_addr_t inet_addr(const char *text);
int inet_aton(const char *text, struct in_addr *address);
char *inet_ntoa(struct in_addr address);
const char *inet_ntop(int family, const void *restrict address, char *restrict text, socklen_t size);
int inet_pton(int family, const char *restrict text, void *restrict address);
#endif
