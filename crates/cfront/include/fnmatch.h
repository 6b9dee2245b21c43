#ifndef _FOLDBACK_FNMATCH_H
#define _FOLDBACK_FNMATCH_H
#define FNM_PATHNAME 1
#define FNM_NOESCAPE 2
#define FNM_PERIOD 4
#define FNM_NOMATCH 1
int fnmatch(const char *pattern, const char *text, int flags);
#endif
