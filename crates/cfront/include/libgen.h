#ifndef _FOLDBACK_LIBGEN_H
#define _FOLDBACK_LIBGEN_H
#include <features.h>
char *__xpg_basename(char *path);
char *dirname(char *path);
#define basename __xpg_basename
#endif
