#ifndef _FOLDBACK_REGEX_H
#define _FOLDBACK_REGEX_H
#include <features.h>
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
#define REG_STARTEND (1 << 2)
#ifdef __USE_GNU
#define REGS_UNALLOCATED 0
#define REGS_REALLOCATE 1
#define REGS_FIXED 2
#define RE_SYNTAX_EMACS 0
#define RE_NREGS 30
#define RE_BACKSLASH_ESCAPE_IN_LISTS ((unsigned long int) 1)
#define RE_BK_PLUS_QM (RE_BACKSLASH_ESCAPE_IN_LISTS << 1)
#define RE_CARET_ANCHORS_HERE (RE_ICASE << 1)
#define RE_CHAR_CLASSES (RE_BK_PLUS_QM << 1)
#define RE_CONTEXT_INDEP_ANCHORS (RE_CHAR_CLASSES << 1)
#define RE_CONTEXT_INDEP_OPS (RE_CONTEXT_INDEP_ANCHORS << 1)
#define RE_CONTEXT_INVALID_DUP (RE_CARET_ANCHORS_HERE << 1)
#define RE_CONTEXT_INVALID_OPS (RE_CONTEXT_INDEP_OPS << 1)
#define RE_DEBUG (RE_NO_GNU_OPS << 1)
#define RE_DOT_NEWLINE (RE_CONTEXT_INVALID_OPS << 1)
#define RE_DOT_NOT_NULL (RE_DOT_NEWLINE << 1)
#define RE_DUP_MAX (0x7fff)
#define RE_HAT_LISTS_NOT_NEWLINE (RE_DOT_NOT_NULL << 1)
#define RE_ICASE (RE_INVALID_INTERVAL_ORD << 1)
#define RE_INTERVALS (RE_HAT_LISTS_NOT_NEWLINE << 1)
#define RE_INVALID_INTERVAL_ORD (RE_DEBUG << 1)
#define RE_LIMITED_OPS (RE_INTERVALS << 1)
#define RE_NEWLINE_ALT (RE_LIMITED_OPS << 1)
#define RE_NO_BK_BRACES (RE_NEWLINE_ALT << 1)
#define RE_NO_BK_PARENS (RE_NO_BK_BRACES << 1)
#define RE_NO_BK_REFS (RE_NO_BK_PARENS << 1)
#define RE_NO_BK_VBAR (RE_NO_BK_REFS << 1)
#define RE_NO_EMPTY_RANGES (RE_NO_BK_VBAR << 1)
#define RE_NO_GNU_OPS (RE_NO_POSIX_BACKTRACKING << 1)
#define RE_NO_POSIX_BACKTRACKING (RE_UNMATCHED_RIGHT_PAREN_ORD << 1)
#define RE_NO_SUB (RE_CONTEXT_INVALID_DUP << 1)
#define RE_SYNTAX_AWK (RE_BACKSLASH_ESCAPE_IN_LISTS | RE_DOT_NOT_NULL | RE_NO_BK_PARENS | RE_NO_BK_REFS | \
    RE_NO_BK_VBAR | RE_NO_EMPTY_RANGES | RE_DOT_NEWLINE | RE_CONTEXT_INDEP_ANCHORS | RE_CHAR_CLASSES | \
    RE_UNMATCHED_RIGHT_PAREN_ORD | RE_NO_GNU_OPS)
#define RE_SYNTAX_ED RE_SYNTAX_POSIX_BASIC
#define RE_SYNTAX_EGREP ((RE_SYNTAX_POSIX_EXTENDED | RE_INVALID_INTERVAL_ORD | RE_NEWLINE_ALT) & \
    ~(RE_CONTEXT_INVALID_OPS | RE_DOT_NOT_NULL))
#define RE_SYNTAX_GNU_AWK ((RE_SYNTAX_POSIX_EXTENDED | RE_BACKSLASH_ESCAPE_IN_LISTS | RE_INVALID_INTERVAL_ORD) & \
    ~(RE_DOT_NOT_NULL | RE_CONTEXT_INDEP_OPS | RE_CONTEXT_INVALID_OPS ))
#define RE_SYNTAX_GREP ((RE_SYNTAX_POSIX_BASIC | RE_NEWLINE_ALT) & ~(RE_CONTEXT_INVALID_DUP | RE_DOT_NOT_NULL))
#define RE_SYNTAX_POSIX_AWK (RE_SYNTAX_POSIX_EXTENDED | RE_BACKSLASH_ESCAPE_IN_LISTS | RE_INTERVALS | \
    RE_NO_GNU_OPS | RE_INVALID_INTERVAL_ORD)
#define RE_SYNTAX_POSIX_BASIC ((((((unsigned long int) 1) << 1) << 1) | ((((((((unsigned long int) 1) << 1) << 1) \
    << 1) << 1) << 1) << 1) | (((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) | \
    (((((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) | \
    ((((((((((((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << \
    1) << 1) << 1) << 1) << 1)) | (((unsigned long int) 1) << 1) | ((((((((((((((((((((((((((unsigned long int) 1) \
    << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << \
    1) << 1) << 1) << 1) << 1) << 1))
#define RE_SYNTAX_POSIX_EGREP RE_SYNTAX_EGREP
#define RE_SYNTAX_POSIX_EXTENDED ((((((unsigned long int) 1) << 1) << 1) | ((((((((unsigned long int) 1) << 1) << \
    1) << 1) << 1) << 1) << 1) | (((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) | \
    (((((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) | \
    ((((((((((((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << \
    1) << 1) << 1) << 1) << 1)) | (((((unsigned long int) 1) << 1) << 1) << 1) | ((((((unsigned long int) 1) << 1) \
    << 1) << 1) << 1) | ((((((((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) \
    << 1) << 1) << 1) | (((((((((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) \
    << 1) << 1) << 1) << 1) | (((((((((((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << \
    1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) | (((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) | \
    (((((((((((((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << \
    1) << 1) << 1) << 1) << 1) << 1))
#define RE_SYNTAX_POSIX_MINIMAL_BASIC ((((((unsigned long int) 1) << 1) << 1) | ((((((((unsigned long int) 1) << \
    1) << 1) << 1) << 1) << 1) << 1) | (((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) | \
    (((((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) | \
    ((((((((((((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << \
    1) << 1) << 1) << 1) << 1)) | ((((((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << \
    1) << 1) << 1))
#define RE_SYNTAX_POSIX_MINIMAL_EXTENDED ((((((unsigned long int) 1) << 1) << 1) | ((((((((unsigned long int) 1) \
    << 1) << 1) << 1) << 1) << 1) << 1) | (((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) \
    | (((((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) | \
    ((((((((((((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << \
    1) << 1) << 1) << 1) << 1)) | (((((unsigned long int) 1) << 1) << 1) << 1) | (((((((unsigned long int) 1) << \
    1) << 1) << 1) << 1) << 1) | ((((((((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << \
    1) << 1) << 1) << 1) << 1) | (((((((((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << \
    1) << 1) << 1) << 1) << 1) << 1) | ((((((((((((((((unsigned long int) 1) << 1) << 1) << 1) << 1) << 1) << 1) \
    << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) | (((((((((((((((((unsigned long int) 1) << 1) << 1) << 1) << \
    1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) | (((((((((((((((((((unsigned long int) \
    1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1) << 1))
#define RE_SYNTAX_SED RE_SYNTAX_POSIX_BASIC
#define RE_TRANSLATE_TYPE unsigned char *
#define RE_UNMATCHED_RIGHT_PAREN_ORD (RE_NO_EMPTY_RANGES << 1)
#endif
enum {
  REG_NOERROR = 0, REG_BADPAT = 2, REG_ECOLLATE = 3, REG_ECTYPE = 4, REG_EESCAPE = 5, REG_ESUBREG = 6,
  REG_EBRACK = 7, REG_EPAREN = 8, REG_EBRACE = 9, REG_BADBR = 10, REG_ERANGE = 11, REG_ESPACE = 12, REG_BADRPT = 13,
  REG_EEND = 14, REG_ESIZE = 15, REG_ERPAREN = 16
};
#define REG_NOERROR REG_NOERROR
#define REG_BADPAT REG_BADPAT
#define REG_ECOLLATE REG_ECOLLATE
#define REG_ECTYPE REG_ECTYPE
#define REG_EESCAPE REG_EESCAPE
#define REG_ESUBREG REG_ESUBREG
#define REG_EBRACK REG_EBRACK
#define REG_EPAREN REG_EPAREN
#define REG_EBRACE REG_EBRACE
#define REG_BADBR REG_BADBR
#define REG_ERANGE REG_ERANGE
#define REG_ESPACE REG_ESPACE
#define REG_BADRPT REG_BADRPT
#define REG_EEND REG_EEND
#define REG_ESIZE REG_ESIZE
#define REG_ERPAREN REG_ERPAREN
#ifdef __USE_POSIX
enum {
  REG_ENOSYS = -1
};
#define REG_ENOSYS REG_ENOSYS
#endif
#endif
