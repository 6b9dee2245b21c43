#ifndef _FOLDBACK_SIGNAL_H
#define _FOLDBACK_SIGNAL_H
#include <features.h>
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
int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old);
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
#ifdef __USE_POSIX
enum {
  BUS_ADRALN = 1, BUS_ADRERR = 2, BUS_OBJERR = 3, BUS_MCEERR_AR = 4, BUS_MCEERR_AO = 5, CLD_EXITED = 1,
  CLD_KILLED = 2, CLD_DUMPED = 3, CLD_TRAPPED = 4, CLD_STOPPED = 5, CLD_CONTINUED = 6, FPE_INTDIV = 1,
  FPE_INTOVF = 2, FPE_FLTDIV = 3, FPE_FLTOVF = 4, FPE_FLTUND = 5, FPE_FLTRES = 6, FPE_FLTINV = 7, FPE_FLTSUB = 8,
  FPE_FLTUNK = 14, FPE_CONDTRAP = 15, ILL_ILLOPC = 1, ILL_ILLOPN = 2, ILL_ILLADR = 3, ILL_ILLTRP = 4, ILL_PRVOPC = 5,
  ILL_PRVREG = 6, ILL_COPROC = 7, ILL_BADSTK = 8, ILL_BADIADDR = 9, POLL_IN = 1, POLL_OUT = 2, POLL_MSG = 3,
  POLL_ERR = 4, POLL_PRI = 5, POLL_HUP = 6, SEGV_MAPERR = 1, SEGV_ACCERR = 2, SEGV_BNDERR = 3, SEGV_PKUERR = 4,
  SEGV_ACCADI = 5, SEGV_ADIDERR = 6, SEGV_ADIPERR = 7, SEGV_MTEAERR = 8, SEGV_MTESERR = 9, SIGEV_SIGNAL = 0,
  SIGEV_NONE = 1, SIGEV_THREAD = 2, SIGEV_THREAD_ID = 4, SI_ASYNCNL = -60, SI_DETHREAD = -7, SI_TKILL = -6,
  SI_SIGIO = -5, SI_ASYNCIO = -4, SI_MESGQ = -3, SI_TIMER = -2, SI_QUEUE = -1, SI_USER = 0, SI_KERNEL = 0x80
};
#define BUS_ADRALN BUS_ADRALN
#define BUS_ADRERR BUS_ADRERR
#define BUS_OBJERR BUS_OBJERR
#define BUS_MCEERR_AR BUS_MCEERR_AR
#define BUS_MCEERR_AO BUS_MCEERR_AO
#define CLD_EXITED CLD_EXITED
#define CLD_KILLED CLD_KILLED
#define CLD_DUMPED CLD_DUMPED
#define CLD_TRAPPED CLD_TRAPPED
#define CLD_STOPPED CLD_STOPPED
#define CLD_CONTINUED CLD_CONTINUED
#define FPE_INTDIV FPE_INTDIV
#define FPE_INTOVF FPE_INTOVF
#define FPE_FLTDIV FPE_FLTDIV
#define FPE_FLTOVF FPE_FLTOVF
#define FPE_FLTUND FPE_FLTUND
#define FPE_FLTRES FPE_FLTRES
#define FPE_FLTINV FPE_FLTINV
#define FPE_FLTSUB FPE_FLTSUB
#define FPE_FLTUNK FPE_FLTUNK
#define FPE_CONDTRAP FPE_CONDTRAP
#define ILL_ILLOPC ILL_ILLOPC
#define ILL_ILLOPN ILL_ILLOPN
#define ILL_ILLADR ILL_ILLADR
#define ILL_ILLTRP ILL_ILLTRP
#define ILL_PRVOPC ILL_PRVOPC
#define ILL_PRVREG ILL_PRVREG
#define ILL_COPROC ILL_COPROC
#define ILL_BADSTK ILL_BADSTK
#define ILL_BADIADDR ILL_BADIADDR
#define POLL_IN POLL_IN
#define POLL_OUT POLL_OUT
#define POLL_MSG POLL_MSG
#define POLL_ERR POLL_ERR
#define POLL_PRI POLL_PRI
#define POLL_HUP POLL_HUP
#define SEGV_MAPERR SEGV_MAPERR
#define SEGV_ACCERR SEGV_ACCERR
#define SEGV_BNDERR SEGV_BNDERR
#define SEGV_PKUERR SEGV_PKUERR
#define SEGV_ACCADI SEGV_ACCADI
#define SEGV_ADIDERR SEGV_ADIDERR
#define SEGV_ADIPERR SEGV_ADIPERR
#define SEGV_MTEAERR SEGV_MTEAERR
#define SEGV_MTESERR SEGV_MTESERR
#define SIGEV_SIGNAL SIGEV_SIGNAL
#define SIGEV_NONE SIGEV_NONE
#define SIGEV_THREAD SIGEV_THREAD
#define SIGEV_THREAD_ID SIGEV_THREAD_ID
#define SI_ASYNCNL SI_ASYNCNL
#define SI_DETHREAD SI_DETHREAD
#define SI_TKILL SI_TKILL
#define SI_SIGIO SI_SIGIO
#define SI_ASYNCIO SI_ASYNCIO
#define SI_MESGQ SI_MESGQ
#define SI_TIMER SI_TIMER
#define SI_QUEUE SI_QUEUE
#define SI_USER SI_USER
#define SI_KERNEL SI_KERNEL
#endif
#if defined __USE_MISC || defined __USE_XOPEN
enum {
  SS_ONSTACK = 1, SS_DISABLE = 2
};
#define SS_ONSTACK SS_ONSTACK
#define SS_DISABLE SS_DISABLE
#endif
#ifdef __USE_MISC
#define FP_XSTATE_MAGIC2 0x46505845U
#define FP_XSTATE_MAGIC1 0x46505853U
#define FP_XSTATE_MAGIC2_SIZE sizeof (FP_XSTATE_MAGIC2)
#define NSIG (64 + 1)
#ifdef __LP64__
#define NGREG 23
#else
#define NGREG 19
#define X86_FXSR_MAGIC 0x0000
#endif
#endif
#ifdef __USE_GNU
#define F_OK 0
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
#define NULL ((void *)0)
#define R_OK 4
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define STDERR_FILENO 2
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define W_OK 2
#define X_OK 1
#endif
#ifdef __USE_XOPEN
enum {
  TRAP_BRKPT = 1, TRAP_TRACE = 2, TRAP_BRANCH = 3, TRAP_HWBKPT = 4, TRAP_UNK = 5
};
#define TRAP_BRKPT TRAP_BRKPT
#define TRAP_TRACE TRAP_TRACE
#define TRAP_BRANCH TRAP_BRANCH
#define TRAP_HWBKPT TRAP_HWBKPT
#define TRAP_UNK TRAP_UNK
#endif
#define __sigevent_t_defined 1
#define _BITS_SIGEVENT_CONSTS_H 1
struct sigevent {
  sigval_t sigev_value;
  int sigev_signo;
  int sigev_notify;
  union {
    char __rest[64 - 2 * sizeof(int) - sizeof(sigval_t)];
    int __tid;
    struct {
      void (*sigev_notify_function)(sigval_t);
      pthread_attr_t *sigev_notify_attributes;
    };
  };
};
typedef struct sigevent sigevent_t;
#define __stack_t_defined 1
typedef struct {
  void *ss_sp;
  int ss_flags;
  size_t ss_size;
} stack_t;
#define sa_handler sa_handler
#define sa_sigaction sa_sigaction
#define sigev_notify_function sigev_notify_function
#define sigev_notify_attributes sigev_notify_attributes
int __libc_current_sigrtmin(void);
int __libc_current_sigrtmax(void);
#define SIGRTMIN (__libc_current_sigrtmin())
#define SIGRTMAX (__libc_current_sigrtmax())
#ifdef __USE_GNU
#include <unistd.h>
#define SIGSTKSZ sysconf(250)
#define MINSIGSTKSZ SIGSTKSZ
#ifdef __LP64__
enum {
  REG_R8 = 0, REG_R9 = 1, REG_R10 = 2, REG_R11 = 3, REG_R12 = 4, REG_R13 = 5, REG_R14 = 6, REG_R15 = 7, REG_RDI = 8,
  REG_RSI = 9, REG_RBP = 10, REG_RBX = 11, REG_RDX = 12, REG_RAX = 13, REG_RCX = 14, REG_RSP = 15, REG_RIP = 16,
  REG_EFL = 17, REG_CSGSFS = 18, REG_ERR = 19, REG_TRAPNO = 20, REG_OLDMASK = 21, REG_CR2 = 22
};
#define REG_R8 REG_R8
#define REG_R9 REG_R9
#define REG_R10 REG_R10
#define REG_R11 REG_R11
#define REG_R12 REG_R12
#define REG_R13 REG_R13
#define REG_R14 REG_R14
#define REG_R15 REG_R15
#define REG_RDI REG_RDI
#define REG_RSI REG_RSI
#define REG_RBP REG_RBP
#define REG_RBX REG_RBX
#define REG_RDX REG_RDX
#define REG_RAX REG_RAX
#define REG_RCX REG_RCX
#define REG_RSP REG_RSP
#define REG_RIP REG_RIP
#define REG_EFL REG_EFL
#define REG_CSGSFS REG_CSGSFS
#define REG_ERR REG_ERR
#define REG_TRAPNO REG_TRAPNO
#define REG_OLDMASK REG_OLDMASK
#define REG_CR2 REG_CR2
#else
enum {
  REG_GS = 0, REG_FS = 1, REG_ES = 2, REG_DS = 3, REG_EDI = 4, REG_ESI = 5, REG_EBP = 6, REG_ESP = 7, REG_EBX = 8,
  REG_EDX = 9, REG_ECX = 10, REG_EAX = 11, REG_TRAPNO = 12, REG_ERR = 13, REG_EIP = 14, REG_CS = 15, REG_EFL = 16,
  REG_UESP = 17, REG_SS = 18
};
#define REG_GS REG_GS
#define REG_FS REG_FS
#define REG_ES REG_ES
#define REG_DS REG_DS
#define REG_EDI REG_EDI
#define REG_ESI REG_ESI
#define REG_EBP REG_EBP
#define REG_ESP REG_ESP
#define REG_EBX REG_EBX
#define REG_EDX REG_EDX
#define REG_ECX REG_ECX
#define REG_EAX REG_EAX
#define REG_TRAPNO REG_TRAPNO
#define REG_ERR REG_ERR
#define REG_EIP REG_EIP
#define REG_CS REG_CS
#define REG_EFL REG_EFL
#define REG_UESP REG_UESP
#define REG_SS REG_SS
#endif
#elif defined __USE_MISC || defined __USE_XOPEN
#define SIGSTKSZ 8192
#define MINSIGSTKSZ 2048
#endif
#if defined __USE_GNU || defined __USE_XOPEN
#define SIG_HOLD ((__sighandler_t)2)
#endif
#ifdef __USE_MISC
#define sigmask(number) ((int)(1u << ((number) - 1)))
#endif
#endif
