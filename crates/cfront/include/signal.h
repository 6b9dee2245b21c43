#ifndef _FOLDBACK_SIGNAL_H
#define _FOLDBACK_SIGNAL_H
#include <bits/posix-types.h>
#include <bits/pthreadtypes.h>
#include <bits/types/sigset_t.h>
#include <bits/size_t.h>
#include <bits/time-types.h>
typedef int sig_atomic_t;
typedef void (*__sighandler_t)(int);
typedef __sighandler_t sighandler_t;
#include <bits/types/siginfo_t.h>
struct sigaction {
  union {
    __sighandler_t sa_handler;
    void (*sa_sigaction)(int, siginfo_t *, void *);
  };
  sigset_t sa_mask;
  int sa_flags;
  void (*sa_restorer)(void);
};
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
#define SIG_ERR ((__sighandler_t)-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_SIGINFO 4
#define SA_RESTART 0x10000000
int kill(pid_t process, int number);
int raise(int number);
int sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict old);
int sigaddset(sigset_t *set, int number);
int sigdelset(sigset_t *set, int number);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigismember(const sigset_t *set, int number);
__sighandler_t signal(int number, __sighandler_t handler);
int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old);
#define SA_INTERRUPT 0x20000000
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_NODEFER 0x40000000
#define SA_NOMASK 0x40000000
#define SA_ONESHOT 0x80000000
#define SA_ONSTACK 0x08000000
#define SA_RESETHAND 0x80000000
#define SA_STACK 0x08000000
#define SIGCLD 17
#define SIGIO 29
#define SIGIOT 6
#define SIGPOLL 29
#define SIGPROF 27
#define SIGPWR 30
#define SIGSTKFLT 16
#define SIGSYS 31
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGVTALRM 26
#define SIGWINCH 28
#define SIGXCPU 24
#define SIGXFSZ 25
#endif
