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
#endif
