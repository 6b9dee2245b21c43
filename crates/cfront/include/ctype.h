#ifndef _FOLDBACK_CTYPE_H
#define _FOLDBACK_CTYPE_H
#include <features.h>
#include <sys/cdefs.h>
int isalnum(int c);
int isalpha(int c);
int isascii(int c);
int isblank(int c);
int iscntrl(int c);
int isdigit(int c);
int isgraph(int c);
int islower(int c);
int isprint(int c);
int ispunct(int c);
int isspace(int c);
int isupper(int c);
int isxdigit(int c);
int toascii(int c);
int tolower(int c);
int toupper(int c);
#define isalnum(c) isalnum(c)
#define isalpha(c) isalpha(c)
#define isblank(c) isblank(c)
#define iscntrl(c) iscntrl(c)
#define isdigit(c) isdigit(c)
#define isgraph(c) isgraph(c)
#define islower(c) islower(c)
#define isprint(c) isprint(c)
#define ispunct(c) ispunct(c)
#define isspace(c) isspace(c)
#define isupper(c) isupper(c)
#define isxdigit(c) isxdigit(c)
#if defined __USE_MISC || defined __USE_XOPEN
#define isascii(c) isascii(c)
#define toascii(c) toascii(c)
#endif
#endif
