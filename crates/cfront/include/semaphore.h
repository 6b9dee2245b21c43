#ifndef _FOLDBACK_SEMAPHORE_H
#define _FOLDBACK_SEMAPHORE_H
#include <features.h>
#include <sys/types.h>
#include <time.h>
#ifdef __LP64__
typedef union { char __size[32]; long __align; } sem_t;
#else
typedef union { char __size[16]; long __align; } sem_t;
#endif
#define SEM_FAILED ((sem_t *)0)
int sem_close(sem_t *semaphore);
int sem_destroy(sem_t *semaphore);
int sem_getvalue(sem_t *restrict semaphore, int *restrict value);
int sem_init(sem_t *semaphore, int shared, unsigned int value);
sem_t *sem_open(const char *name, int flags, ...);
int sem_post(sem_t *semaphore);
int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict time);
int sem_trywait(sem_t *semaphore);
int sem_unlink(const char *name);
int sem_wait(sem_t *semaphore);
#endif
