#ifndef _FOLDBACK_THREADS_H
#define _FOLDBACK_THREADS_H
#include <features.h>
#include <time.h>
#define ONCE_FLAG_INIT { 0 }
#define TSS_DTOR_ITERATIONS 4
#define thread_local _Thread_local
typedef unsigned long thrd_t;
typedef unsigned int tss_t;
typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);
typedef struct { int __data; } once_flag;
#ifdef __LP64__
typedef union { char __size[40]; long __align; } mtx_t;
#else
typedef union { char __size[24]; long __align; } mtx_t;
#endif
typedef union { char __size[48]; long long __align; } cnd_t;
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
void call_once(once_flag *flag, void (*function)(void));
int cnd_broadcast(cnd_t *condition);
void cnd_destroy(cnd_t *condition);
int cnd_init(cnd_t *condition);
int cnd_signal(cnd_t *condition);
int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict time);
int cnd_wait(cnd_t *condition, mtx_t *mutex);
void mtx_destroy(mtx_t *mutex);
int mtx_init(mtx_t *mutex, int type);
int mtx_lock(mtx_t *mutex);
int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict time);
int mtx_trylock(mtx_t *mutex);
int mtx_unlock(mtx_t *mutex);
int thrd_create(thrd_t *thread, thrd_start_t function, void *argument);
thrd_t thrd_current(void);
int thrd_detach(thrd_t thread);
int thrd_equal(thrd_t a, thrd_t b);
void thrd_exit(int result) __attribute__((noreturn));
int thrd_join(thrd_t thread, int *result);
int thrd_sleep(const struct timespec *time, struct timespec *rest);
void thrd_yield(void);
int tss_create(tss_t *key, tss_dtor_t destructor);
void tss_delete(tss_t key);
void *tss_get(tss_t key);
int tss_set(tss_t key, void *value);
#endif
