#ifndef _FOLDBACK_SIGINFO_T_H
#define _FOLDBACK_SIGINFO_T_H
typedef struct {
  int si_signo, si_errno, si_code;
  void *si_addr;
  char __rest[104]; /* As large as the system's: compiled programs give it to the real library. */
} siginfo_t;
#endif
