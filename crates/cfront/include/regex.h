#ifndef _FOLDBACK_REGEX_H
#define _FOLDBACK_REGEX_H
#include <stddef.h>
#include <sys/types.h>
typedef int regoff_t;
typedef struct {
  void *__buffer;
  size_t __allocated;
  size_t __used;
  unsigned long __syntax;
  char *__fastmap;
  unsigned char *__translate;
  size_t re_nsub;
  unsigned int __flags;
} regex_t;
typedef struct {
  regoff_t rm_so;
  regoff_t rm_eo;
} regmatch_t;
#define REG_EXTENDED 1
#define REG_ICASE 2
#define REG_NEWLINE 4
#define REG_NOSUB 8
#define REG_NOTBOL 1
#define REG_NOTEOL 2
#define REG_NOMATCH 1
int regcomp(regex_t *restrict expression, const char *restrict pattern, int flags);
size_t regerror(int error, const regex_t *restrict expression, char *restrict text, size_t size);
int regexec(const regex_t *restrict expression, const char *restrict text, size_t count, regmatch_t matches[],
            int flags);
void regfree(regex_t *expression);
#endif
