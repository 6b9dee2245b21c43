/* What there is for threads, in a program with one: keys, semaphores, cancelling. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static int calls;

static void destroy(void *value) {
  (void)value;
  calls++;
}

int main(void) {
  pthread_key_t a, b;
  int x = 1, y = 2;
  printf("%d", pthread_key_create(&a, destroy));
  printf(" %d", pthread_key_create(&b, 0));
  printf(" %d\n", a != b);
  printf("%d %d\n", pthread_getspecific(a) == 0, pthread_getspecific(b) == 0);
  printf("%d", pthread_setspecific(a, &x));
  printf(" %d\n", pthread_setspecific(b, &y));
  printf("%d %d\n", *(int *)pthread_getspecific(a), *(int *)pthread_getspecific(b));
  printf("%d", pthread_key_delete(a));
  printf(" %d %d %d\n", pthread_key_delete(a), *(int *)pthread_getspecific(b), calls);
  sem_t s;
  int value;
  printf("%d", sem_init(&s, 0, 1));
  printf(" %d", sem_wait(&s));
  errno = 0;
  printf(" %d", sem_trywait(&s));
  printf(" %d", errno == EAGAIN);
  printf(" %d", sem_post(&s));
  printf(" %d", sem_post(&s));
  printf(" %d", sem_getvalue(&s, &value));
  printf(" %d %d\n", value, sem_destroy(&s));
  errno = 0;
  value = sem_init(&s, 0, 0x80000000u);
  printf("%d %d\n", value, errno == EINVAL);
  int old = 7;
  printf("%d", pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
  printf(" %d", old == PTHREAD_CANCEL_ENABLE);
  printf(" %d", pthread_setcancelstate(5, &old));
  printf(" %d", pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old));
  printf(" %d\n", old == PTHREAD_CANCEL_DISABLE);
  printf("%d", pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old));
  printf(" %d", old == PTHREAD_CANCEL_DEFERRED);
  printf(" %d", pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, 0));
  printf(" %d\n", pthread_setcanceltype(2, 0) == EINVAL);
  pthread_testcancel();
  return 0;
}
