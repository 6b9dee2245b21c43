#ifndef _FOLDBACK_GRP_H
#define _FOLDBACK_GRP_H
#include <features.h>
#include <sys/types.h>
struct group {
  char *gr_name;
  char *gr_passwd;
  gid_t gr_gid;
  char **gr_mem;
};
struct group *getgrgid(gid_t group);
struct group *getgrnam(const char *name);
#ifdef __USE_MISC
#define NSS_BUFLEN_GROUP 1024
#endif
#endif
