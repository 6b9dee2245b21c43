#ifndef _FOLDBACK_SCHED_H
#define _FOLDBACK_SCHED_H
#include <features.h>
#include <time.h>
#include <bits/types/struct_sched_param.h>
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
int sched_get_priority_max(int policy);
int sched_get_priority_min(int policy);
int sched_yield(void);
#ifdef __USE_GNU
#define CLONE_NEWTIME 0x00000080
#define CLONE_VM 0x00000100
#define CLONE_FS 0x00000200
#define CLONE_FILES 0x00000400
#define CLONE_SIGHAND 0x00000800
#define CLONE_PIDFD 0x00001000
#define CLONE_PTRACE 0x00002000
#define CLONE_VFORK 0x00004000
#define CLONE_PARENT 0x00008000
#define CLONE_THREAD 0x00010000
#define CLONE_NEWNS 0x00020000
#define CLONE_SYSVSEM 0x00040000
#define CLONE_SETTLS 0x00080000
#define CLONE_PARENT_SETTID 0x00100000
#define CLONE_CHILD_CLEARTID 0x00200000
#define CLONE_DETACHED 0x00400000
#define CLONE_UNTRACED 0x00800000
#define CLONE_CHILD_SETTID 0x01000000
#define CLONE_NEWCGROUP 0x02000000
#define CLONE_NEWUTS 0x04000000
#define CLONE_NEWIPC 0x08000000
#define CLONE_NEWUSER 0x10000000
#define CLONE_NEWPID 0x20000000
#define CLONE_NEWNET 0x40000000
#define CLONE_IO 0x80000000
#define CPU_SETSIZE 1024
#define CSIGNAL 0x000000ff
#define SCHED_BATCH 3
#define SCHED_ISO 4
#define SCHED_IDLE 5
#define SCHED_DEADLINE 6
#define SCHED_RESET_ON_FORK 0x40000000
#endif
#define sched_priority sched_priority
#ifdef __USE_GNU
typedef unsigned long __cpu_mask;
typedef struct { __cpu_mask __bits[1024 / (8 * sizeof(__cpu_mask))]; } cpu_set_t;
/* A processor that the set has no bit for is never in it. */
#define __FOLDBACK_CPU(cpu, size, set, act, none) \
  (__extension__({ \
    size_t __cpu = (cpu); \
    __cpu_mask *__word = (__cpu_mask *)(set)->__bits, __bit = 1ul << (__cpu % (8 * sizeof(__cpu_mask))); \
    __cpu / 8 < (size) ? (__word[__cpu / (8 * sizeof(__cpu_mask))] act) : (none); \
  }))
#define CPU_SET_S(cpu, size, set) __FOLDBACK_CPU(cpu, size, set, |= __bit, 0)
#define CPU_CLR_S(cpu, size, set) __FOLDBACK_CPU(cpu, size, set, &= ~__bit, 0)
#define CPU_ISSET_S(cpu, size, set) ((__FOLDBACK_CPU(cpu, size, set, & __bit, 0)) != 0)
#define CPU_ZERO_S(size, set) do __builtin_memset(set, 0, size); while (0)
#define CPU_EQUAL_S(size, a, b) (__builtin_memcmp(a, b, size) == 0)
#define CPU_SET(cpu, set) CPU_SET_S(cpu, sizeof(cpu_set_t), set)
#define CPU_CLR(cpu, set) CPU_CLR_S(cpu, sizeof(cpu_set_t), set)
#define CPU_ISSET(cpu, set) CPU_ISSET_S(cpu, sizeof(cpu_set_t), set)
#define CPU_ZERO(set) CPU_ZERO_S(sizeof(cpu_set_t), set)
#define CPU_EQUAL(a, b) CPU_EQUAL_S(sizeof(cpu_set_t), a, b)
#define __FOLDBACK_CPUS(size, to, a, op, b) \
  (__extension__({ \
    cpu_set_t *__to = (to); \
    const __cpu_mask *__a = (a)->__bits, *__b = (b)->__bits; \
    for (size_t __i = 0; __i < (size) / sizeof(__cpu_mask); ++__i) \
      ((__cpu_mask *)__to->__bits)[__i] = __a[__i] op __b[__i]; \
    __to; \
  }))
#define CPU_AND_S(size, to, a, b) __FOLDBACK_CPUS(size, to, a, &, b)
#define CPU_OR_S(size, to, a, b) __FOLDBACK_CPUS(size, to, a, |, b)
#define CPU_XOR_S(size, to, a, b) __FOLDBACK_CPUS(size, to, a, ^, b)
#define CPU_AND(to, a, b) CPU_AND_S(sizeof(cpu_set_t), to, a, b)
#define CPU_OR(to, a, b) CPU_OR_S(sizeof(cpu_set_t), to, a, b)
#define CPU_XOR(to, a, b) CPU_XOR_S(sizeof(cpu_set_t), to, a, b)
#define CPU_COUNT_S(size, set) \
  (__extension__({ \
    const __cpu_mask *__word = (set)->__bits; \
    int __count = 0; \
    for (size_t __i = 0; __i < (size) / sizeof(__cpu_mask); ++__i) __count += __builtin_popcountl(__word[__i]); \
    __count; \
  }))
#define CPU_COUNT(set) CPU_COUNT_S(sizeof(cpu_set_t), set)
#define CPU_ALLOC_SIZE(count) \
  ((((count) + 8 * sizeof(__cpu_mask) - 1) / (8 * sizeof(__cpu_mask))) * sizeof(__cpu_mask))
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set);
int sched_getcpu(void);
int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set);
#endif
#endif
