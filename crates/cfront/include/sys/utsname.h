#ifndef _FOLDBACK_SYS_UTSNAME_H
#define _FOLDBACK_SYS_UTSNAME_H
#include <features.h>
struct utsname {
  char sysname[65];
  char nodename[65];
  char release[65];
  char version[65];
  char machine[65];
  char domainname[65];
};
int uname(struct utsname *name);
#ifdef __USE_MISC
#define SYS_NMLN 65
#endif
#endif
