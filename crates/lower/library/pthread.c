/* pthread.h for a program with one thread: locks keep their state in the memory that the program gives them, as glibc lays
   it out (a word that says whether it is locked, a count, and the kind of a mutex at byte 16). Waiting for a lock that the
   thread itself holds never ends. Threads are not modelled. */

unsigned __foldback_unknown_uint(void);
void __VERIFIER_assume(int condition);
void __foldback_unsupported(const char *what);
void __foldback_errno_if(int condition, int value);

static void __foldback_wait(void) {
  for (;;)
    ;
}

/* 0 normal, 1 recursive, 2 with errors. EDEADLK is 35, EBUSY 16, EPERM 1. */
int pthread_mutex_init(int *mutex, const int *attributes) {
  mutex[0] = 0;
  mutex[1] = 0;
  mutex[4] = attributes != 0 ? *attributes & 3 : 0;
  return 0;
}

int pthread_mutex_destroy(int *mutex) { return mutex[0] != 0 ? 16 : 0; }

int pthread_mutex_lock(int *mutex) {
  if (mutex[0] != 0 && mutex[4] == 2)
    return 35;
  if (mutex[0] != 0 && mutex[4] != 1)
    __foldback_wait();
  mutex[0] = 1;
  mutex[1] = mutex[1] + 1;
  return 0;
}

int pthread_mutex_trylock(int *mutex) {
  if (mutex[0] != 0 && mutex[4] != 1)
    return 16;
  mutex[0] = 1;
  mutex[1] = mutex[1] + 1;
  return 0;
}

int pthread_mutex_unlock(int *mutex) {
  if (mutex[0] == 0)
    return mutex[4] == 0 ? 0 : 1;
  mutex[1] = mutex[1] - 1;
  if (mutex[1] == 0)
    mutex[0] = 0;
  return 0;
}

int pthread_mutexattr_init(int *attributes) {
  *attributes = 0;
  return 0;
}

int pthread_mutexattr_destroy(int *attributes) {
  (void)*attributes;
  return 0;
}

int pthread_mutexattr_settype(int *attributes, int type) {
  if (type < 0 || type > 3)
    return 22;
  *attributes = type;
  return 0;
}

int pthread_mutexattr_gettype(const int *attributes, int *type) {
  *type = *attributes & 3;
  return 0;
}

int pthread_spin_init(volatile int *lock, int shared) {
  (void)shared;
  *lock = 1;
  return 0;
}

int pthread_spin_destroy(volatile int *lock) {
  (void)*lock;
  return 0;
}

/* glibc on x86: 1 is free. */
int pthread_spin_lock(volatile int *lock) {
  if (*lock != 1)
    __foldback_wait();
  *lock = 0;
  return 0;
}

int pthread_spin_trylock(volatile int *lock) {
  if (*lock != 1)
    return 16;
  *lock = 0;
  return 0;
}

int pthread_spin_unlock(volatile int *lock) {
  *lock = 1;
  return 0;
}

/* The number of readers; -1: a writer. */
int pthread_rwlock_init(int *lock, const void *attributes) {
  (void)attributes;
  *lock = 0;
  return 0;
}

int pthread_rwlock_destroy(int *lock) {
  (void)*lock;
  return 0;
}

int pthread_rwlock_rdlock(int *lock) {
  if (*lock == -1)
    return 35;
  *lock = *lock + 1;
  return 0;
}

int pthread_rwlock_wrlock(int *lock) {
  if (*lock == -1)
    return 35;
  if (*lock != 0)
    __foldback_wait();
  *lock = -1;
  return 0;
}

int pthread_rwlock_tryrdlock(int *lock) {
  if (*lock == -1)
    return 16;
  *lock = *lock + 1;
  return 0;
}

int pthread_rwlock_trywrlock(int *lock) {
  if (*lock != 0)
    return 16;
  *lock = -1;
  return 0;
}

int pthread_rwlock_unlock(int *lock) {
  *lock = *lock > 0 ? *lock - 1 : 0;
  return 0;
}

int pthread_equal(unsigned long a, unsigned long b) { return a == b; }

int pthread_once(int *control, void (*initialise)(void)) {
  if (*control == 0) {
    *control = 1;
    initialise();
    *control = 2;
  }
  return 0;
}

void call_once(int *control, void (*initialise)(void)) {
  if (*control == 0) {
    *control = 1;
    initialise();
    *control = 2;
  }
}

/* Nobody waits. */
int pthread_cond_init(int *condition, const void *attributes) {
  (void)attributes;
  *condition = 0;
  return 0;
}

int pthread_cond_destroy(int *condition) {
  (void)*condition;
  return 0;
}

int pthread_cond_signal(int *condition) {
  (void)*condition;
  return 0;
}

int pthread_cond_broadcast(int *condition) {
  (void)*condition;
  return 0;
}

/* Nobody cancels the one thread. EINVAL is 22. */
static int __foldback_cancel_state;
static int __foldback_cancel_type;

int pthread_setcancelstate(int state, int *old) {
  if (state != 0 && state != 1)
    return 22;
  if (old != 0)
    *old = __foldback_cancel_state;
  __foldback_cancel_state = state;
  return 0;
}

int pthread_setcanceltype(int type, int *old) {
  if (type != 0 && type != 1)
    return 22;
  if (old != 0)
    *old = __foldback_cancel_type;
  __foldback_cancel_type = type;
  return 0;
}

void pthread_testcancel(void) {}

/* Values of the thread's own. Which numbers keys have is open; there are more of them than we keep. The destructors run
   where a thread ends, which is not where the process does. */
static void *__foldback_specific[16];
static char __foldback_key_used[16];
static unsigned __foldback_keys;
static unsigned __foldback_first_key;

static int __foldback_new_key(unsigned *key) {
  if (__foldback_keys == 0) {
    __foldback_first_key = __foldback_unknown_uint();
    __VERIFIER_assume(__foldback_first_key < 1000);
  }
  if (__foldback_keys == 16)
    __foldback_unsupported("more than 16 keys of a thread");
  __foldback_specific[__foldback_keys] = 0;
  __foldback_key_used[__foldback_keys] = 1;
  *key = __foldback_first_key + __foldback_keys;
  __foldback_keys = __foldback_keys + 1;
  return 0;
}

/* The place of a key that exists; 16: there is none, or not any more. */
static unsigned __foldback_key(unsigned key) {
  unsigned at = key - __foldback_first_key;
  return at < __foldback_keys && __foldback_key_used[at] ? at : 16;
}

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
  (void)destructor;
  return __foldback_new_key(key);
}

int pthread_key_delete(unsigned key) {
  unsigned at = __foldback_key(key);
  if (at == 16)
    return 22;
  __foldback_key_used[at] = 0;
  return 0;
}

int pthread_setspecific(unsigned key, const void *value) {
  unsigned at = __foldback_key(key);
  if (at == 16)
    return 22;
  __foldback_specific[at] = (void *)value;
  return 0;
}

void *pthread_getspecific(unsigned key) {
  unsigned at = __foldback_key(key);
  return at == 16 ? 0 : __foldback_specific[at];
}

/* threads.h: 0 is success, 2 an error. */
int tss_create(unsigned *key, void (*destructor)(void *)) {
  (void)destructor;
  return __foldback_new_key(key);
}

void tss_delete(unsigned key) { (void)pthread_key_delete(key); }
int tss_set(unsigned key, void *value) { return pthread_setspecific(key, value) == 0 ? 0 : 2; }
void *tss_get(unsigned key) { return pthread_getspecific(key); }

/* Mutexes and conditions of threads.h are those of pthread.h: 0 plain, 1 recursive, 2 more for timed ones. 1 is busy, 2 an error. */
int mtx_init(int *mutex, int type) {
  if (type < 0 || type > 3)
    return 2;
  mutex[0] = 0;
  mutex[1] = 0;
  mutex[4] = type & 1;
  return 0;
}

void mtx_destroy(int *mutex) { (void)pthread_mutex_destroy(mutex); }
int mtx_lock(int *mutex) { return pthread_mutex_lock(mutex) == 0 ? 0 : 2; }
int mtx_trylock(int *mutex) { return pthread_mutex_trylock(mutex) == 0 ? 0 : 1; }
int mtx_unlock(int *mutex) { return pthread_mutex_unlock(mutex) == 0 ? 0 : 2; }
int cnd_init(int *condition) { return pthread_cond_init(condition, 0); }
void cnd_destroy(int *condition) { (void)pthread_cond_destroy(condition); }
int cnd_signal(int *condition) { return pthread_cond_signal(condition); }
int cnd_broadcast(int *condition) { return pthread_cond_broadcast(condition); }
int thrd_equal(unsigned long a, unsigned long b) { return a == b; }
void thrd_yield(void) {}

/* semaphore.h: the first word is the value. EINVAL is 22, EAGAIN 11, EOVERFLOW 75. */
int sem_init(unsigned *semaphore, int shared, unsigned value) {
  (void)shared;
  __foldback_errno_if(value > 2147483647, 22);
  if (value > 2147483647)
    return -1;
  *semaphore = value;
  return 0;
}

int sem_destroy(unsigned *semaphore) {
  (void)*semaphore;
  return 0;
}

int sem_post(unsigned *semaphore) {
  __foldback_errno_if(*semaphore == 2147483647, 75);
  if (*semaphore == 2147483647)
    return -1;
  *semaphore = *semaphore + 1;
  return 0;
}

int sem_wait(unsigned *semaphore) {
  if (*semaphore == 0)
    __foldback_wait();
  *semaphore = *semaphore - 1;
  return 0;
}

int sem_trywait(unsigned *semaphore) {
  __foldback_errno_if(*semaphore == 0, 11);
  if (*semaphore == 0)
    return -1;
  *semaphore = *semaphore - 1;
  return 0;
}

int sem_getvalue(unsigned *semaphore, int *value) {
  *value = (int)*semaphore;
  return 0;
}
