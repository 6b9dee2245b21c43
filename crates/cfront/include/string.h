#ifndef _FOLDBACK_STRING_H
#define _FOLDBACK_STRING_H
#include <features.h>
#include <sys/cdefs.h>
#include <bits/size_t.h>
#ifndef NULL
#define NULL ((void *)0)
#endif
#include <strings.h>
void explicit_bzero(void *block, size_t count);
void *memccpy(void *to, const void *from, int stop, size_t count);
void *memchr(const void *block, int byte, size_t count);
int memcmp(const void *a, const void *b, size_t count);
void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memmem(const void *block, size_t size, const void *part, size_t part_size);
void *memmove(void *to, const void *from, size_t count);
void *mempcpy(void *restrict to, const void *restrict from, size_t count);
void *memrchr(const void *block, int byte, size_t count);
void *rawmemchr(const void *block, int byte);
void *memfrob(void *block, size_t count);
void *memset(void *block, int byte, size_t count);
char *stpcpy(char *restrict to, const char *restrict from);
char *stpncpy(char *restrict to, const char *restrict from, size_t count);
char *strcasestr(const char *text, const char *part);
char *strcat(char *restrict to, const char *restrict from);
char *strchr(const char *text, int c);
char *strchrnul(const char *text, int c);
int strcmp(const char *a, const char *b);
int strcoll(const char *a, const char *b);
char *strcpy(char *restrict to, const char *restrict from);
size_t strcspn(const char *text, const char *reject);
char *strdup(const char *text);
char *strerror(int number);
#ifdef __USE_GNU
char *strerror_r(int number, char *buffer, size_t size);
#else
int strerror_r(int number, char *buffer, size_t size) __asm__("__xpg_strerror_r");
#endif
size_t strlcat(char *to, const char *from, size_t size);
size_t strlcpy(char *to, const char *from, size_t size);
size_t strlen(const char *text);
char *strncat(char *restrict to, const char *restrict from, size_t count);
int strncmp(const char *a, const char *b, size_t count);
char *strncpy(char *restrict to, const char *restrict from, size_t count);
char *strndup(const char *text, size_t count);
size_t strnlen(const char *text, size_t count);
char *strpbrk(const char *text, const char *accept);
char *strrchr(const char *text, int c);
char *strsep(char **text, const char *separators);
char *strsignal(int number);
size_t strspn(const char *text, const char *accept);
char *strstr(const char *text, const char *part);
char *strtok(char *restrict text, const char *restrict separators);
char *strtok_r(char *restrict text, const char *restrict separators, char **restrict rest);
size_t strxfrm(char *restrict to, const char *restrict from, size_t count);
#ifdef __USE_GNU
#define strdupa(text) \
  (__extension__({ \
    const char *__old = (text); \
    size_t __size = strlen(__old) + 1; \
    char *__new = (char *)__builtin_alloca(__size); \
    (char *)memcpy(__new, __old, __size); \
  }))
#define strndupa(text, count) \
  (__extension__({ \
    const char *__old = (text); \
    size_t __length = strnlen(__old, (count)); \
    char *__new = (char *)__builtin_alloca(__length + 1); \
    __new[__length] = '\0'; \
    (char *)memcpy(__new, __old, __length); \
  }))
#ifndef basename
char *basename(const char *path);
#endif
#endif
#endif
