/* pthread.h for a program with one thread: locks keep their state in the memory that the program gives them, as glibc lays
   it out (a word that says whether it is locked, a count, and the kind of a mutex at byte 16). Waiting for a lock that the
   thread itself holds never ends. Threads are not modelled. */

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
