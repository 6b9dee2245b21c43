#ifndef _FOLDBACK_SYS_UN_H
#define _FOLDBACK_SYS_UN_H
#include <features.h>
#include <string.h>
#include <sys/socket.h>
struct sockaddr_un {
  sa_family_t sun_family;
  char sun_path[108];
};
#ifdef __USE_MISC
#define SUN_LEN(address) (__builtin_offsetof(struct sockaddr_un, sun_path) + strlen((address)->sun_path))
#endif
#endif
