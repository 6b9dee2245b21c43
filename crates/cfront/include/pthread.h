#ifndef _FOLDBACK_PTHREAD_H
#define _FOLDBACK_PTHREAD_H
#include <features.h>
#include <stddef.h>
#include <sched.h>
#include <time.h>
#include <bits/pthreadtypes.h>
#define PTHREAD_MUTEX_INITIALIZER { { 0 } }
#define PTHREAD_COND_INITIALIZER { { 0 } }
#define PTHREAD_RWLOCK_INITIALIZER { { 0 } }
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT 0
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#define PTHREAD_CANCELED ((void *)-1)
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCEL_DEFERRED 0
#define PTHREAD_CANCEL_ASYNCHRONOUS 1
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
int pthread_attr_destroy(pthread_attr_t *attributes);
int pthread_attr_init(pthread_attr_t *attributes);
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state);
int pthread_barrier_destroy(pthread_barrier_t *barrier);
int pthread_barrier_init(pthread_barrier_t *restrict barrier, const pthread_barrierattr_t *restrict attributes,
                         unsigned int count);
int pthread_barrier_wait(pthread_barrier_t *barrier);
int pthread_cancel(pthread_t thread);
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_cond_destroy(pthread_cond_t *condition);
int pthread_cond_init(pthread_cond_t *restrict condition, const pthread_condattr_t *restrict attributes);
int pthread_cond_signal(pthread_cond_t *condition);
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict time);
int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex);
int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*start)(void *),
                   void *restrict argument);
int pthread_detach(pthread_t thread);
int pthread_equal(pthread_t a, pthread_t b);
void pthread_exit(void *result) __attribute__((noreturn));
void *pthread_getspecific(pthread_key_t key);
int pthread_join(pthread_t thread, void **result);
int pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
int pthread_key_delete(pthread_key_t key);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes);
int pthread_mutexattr_init(pthread_mutexattr_t *attributes);
int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attributes, int *restrict type);
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type);
int pthread_once(pthread_once_t *once, void (*routine)(void));
int pthread_rwlock_destroy(pthread_rwlock_t *lock);
int pthread_rwlock_init(pthread_rwlock_t *restrict lock, const pthread_rwlockattr_t *restrict attributes);
int pthread_rwlock_rdlock(pthread_rwlock_t *lock);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock);
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock);
int pthread_rwlock_unlock(pthread_rwlock_t *lock);
int pthread_rwlock_wrlock(pthread_rwlock_t *lock);
pthread_t pthread_self(void);
int pthread_setcancelstate(int state, int *old);
int pthread_setcanceltype(int type, int *old);
int pthread_setspecific(pthread_key_t key, const void *value);
int pthread_spin_destroy(pthread_spinlock_t *lock);
int pthread_spin_init(pthread_spinlock_t *lock, int shared);
int pthread_spin_lock(pthread_spinlock_t *lock);
int pthread_spin_trylock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);
void pthread_testcancel(void);
#define pthread_cleanup_push(routine, argument) \
  do { void (*__foldback_routine)(void *) = (routine); void *__foldback_argument = (argument);
#define pthread_cleanup_pop(execute) if (execute) __foldback_routine(__foldback_argument); } while (0)
enum {
  PTHREAD_INHERIT_SCHED = 0, PTHREAD_SCOPE_SYSTEM = 0, PTHREAD_EXPLICIT_SCHED = 1, PTHREAD_SCOPE_PROCESS = 1
};
#define PTHREAD_INHERIT_SCHED PTHREAD_INHERIT_SCHED
#define PTHREAD_SCOPE_SYSTEM PTHREAD_SCOPE_SYSTEM
#define PTHREAD_EXPLICIT_SCHED PTHREAD_EXPLICIT_SCHED
#define PTHREAD_SCOPE_PROCESS PTHREAD_SCOPE_PROCESS
#ifdef __USE_GNU
#define PTHREAD_ATTR_NO_SIGMASK_NP (-1)
#endif
#ifndef PTHREAD_STACK_MIN
#ifdef __USE_GNU
#define PTHREAD_STACK_MIN sysconf(75)
long sysconf(int name);
#elif defined __USE_MISC
#define PTHREAD_STACK_MIN 16384
#endif
#endif
#endif
