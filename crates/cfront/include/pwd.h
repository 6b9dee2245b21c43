#ifndef _FOLDBACK_PWD_H
#define _FOLDBACK_PWD_H
#include <features.h>
#include <sys/types.h>
struct passwd {
  char *pw_name;
  char *pw_passwd;
  uid_t pw_uid;
  gid_t pw_gid;
  char *pw_gecos;
  char *pw_dir;
  char *pw_shell;
};
void endpwent(void);
struct passwd *getpwent(void);
struct passwd *getpwnam(const char *name);
struct passwd *getpwuid(uid_t user);
void setpwent(void);
#ifdef __USE_MISC
#define NSS_BUFLEN_PASSWD 1024
#endif
#endif
