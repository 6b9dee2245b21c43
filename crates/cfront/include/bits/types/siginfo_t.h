/* As large as the system's, with each member where the system has it: compiled programs give it to the real library. */
#ifndef _FOLDBACK_SIGINFO_T_H
#define _FOLDBACK_SIGINFO_T_H
#include <bits/types/sigval_t.h>
typedef struct {
  int si_signo, si_errno, si_code;
  union {
    char __rest[128 - (sizeof(long) == 8 ? 16 : 12)];
    struct {
      int si_pid;
      unsigned int si_uid;
      union {
        union sigval si_value;
        struct {
          int si_status;
          long si_utime, si_stime;
        };
      };
    };
    struct {
      int si_timerid;
      int si_overrun;
    };
    struct {
      void *si_addr;
      short si_addr_lsb;
      union {
        struct {
          void *si_lower, *si_upper;
        };
        unsigned int si_pkey;
      };
    };
    struct {
      long si_band;
      int si_fd;
    };
    struct {
      void *si_call_addr;
      int si_syscall;
      unsigned int si_arch;
    };
    long __align;
  };
} siginfo_t;
#define si_pid si_pid
#define si_uid si_uid
#define si_value si_value
#define si_int si_value.sival_int
#define si_ptr si_value.sival_ptr
#define si_status si_status
#define si_utime si_utime
#define si_stime si_stime
#define si_timerid si_timerid
#define si_overrun si_overrun
#define si_addr si_addr
#define si_addr_lsb si_addr_lsb
#define si_lower si_lower
#define si_upper si_upper
#define si_pkey si_pkey
#define si_band si_band
#define si_fd si_fd
#define si_call_addr si_call_addr
#define si_syscall si_syscall
#define si_arch si_arch
#endif
