#ifndef _FOLDBACK_FNMATCH_H
#define _FOLDBACK_FNMATCH_H
#define FNM_PATHNAME 1
#define FNM_NOESCAPE 2
#define FNM_PERIOD 4
#define FNM_NOMATCH 1
int fnmatch(const char *pattern, const char *text, int flags);
#if !defined _POSIX_C_SOURCE || _POSIX_C_SOURCE < 2 || defined _GNU_SOURCE
#define FNM_FILE_NAME FNM_PATHNAME
#define FNM_LEADING_DIR (1 << 3)
#define FNM_CASEFOLD (1 << 4)
#define FNM_EXTMATCH (1 << 5)
#endif
#ifdef _XOPEN_SOURCE
#define FNM_NOSYS (-1)
#endif
#endif
