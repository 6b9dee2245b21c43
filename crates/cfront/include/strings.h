#ifndef _FOLDBACK_STRINGS_H
#define _FOLDBACK_STRINGS_H
#include <features.h>
#include <bits/size_t.h>
int bcmp(const void *a, const void *b, size_t count);
void bcopy(const void *from, void *to, size_t count);
void bzero(void *block, size_t count);
int ffs(int value);
int ffsl(long value);
int ffsll(long long value);
char *index(const char *text, int c);
char *rindex(const char *text, int c);
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t count);
#endif
