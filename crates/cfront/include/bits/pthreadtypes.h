/* The types of pthread.h, which sys/types.h has, too. */
#ifndef _FOLDBACK_PTHREADTYPES_H
#define _FOLDBACK_PTHREADTYPES_H
typedef unsigned long pthread_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;
#ifdef __LP64__
#define __FOLDBACK_ATTR 56
#define __FOLDBACK_MUTEX 40
#define __FOLDBACK_RWLOCK 56
#define __FOLDBACK_BARRIER 32
#else
#define __FOLDBACK_ATTR 36
#define __FOLDBACK_MUTEX 24
#define __FOLDBACK_RWLOCK 32
#define __FOLDBACK_BARRIER 20
#endif
union pthread_attr_t { char __size[__FOLDBACK_ATTR]; long __align; };
typedef union pthread_attr_t pthread_attr_t;
#define __have_pthread_attr_t 1
typedef union { char __size[__FOLDBACK_MUTEX]; long __align; } pthread_mutex_t;
typedef union { char __size[4]; int __align; } pthread_mutexattr_t;
typedef union { char __size[48]; long long __align; } pthread_cond_t;
typedef union { char __size[4]; int __align; } pthread_condattr_t;
typedef union { char __size[__FOLDBACK_RWLOCK]; long __align; } pthread_rwlock_t;
typedef union { char __size[8]; long __align; } pthread_rwlockattr_t;
typedef union { char __size[__FOLDBACK_BARRIER]; long __align; } pthread_barrier_t;
typedef union { char __size[4]; int __align; } pthread_barrierattr_t;
typedef volatile int pthread_spinlock_t;
#endif
