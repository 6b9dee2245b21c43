/* What stdlib.h says of the results of system(). */
#ifndef _FOLDBACK_WAITMACROS_H
#define _FOLDBACK_WAITMACROS_H
#define WNOHANG 1
#define WUNTRACED 2
#define WEXITSTATUS(status) (((status)&0xff00) >> 8)
#define WTERMSIG(status) ((status)&0x7f)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (((signed char)(((status)&0x7f) + 1) >> 1) > 0)
#define WIFSTOPPED(status) (((status)&0xff) == 0x7f)
#ifdef __USE_POSIX
#define WCONTINUED 8
#define WEXITED 4
#define WNOWAIT 0x01000000
#define WSTOPPED 2
#endif
#ifdef __USE_POSIX
#define WIFCONTINUED(status) ((status) == 0xffff)
#endif
#endif
