/* time.h and unistd.h: the clock is an input; sleeping takes no time. */

typedef __typeof__(sizeof(0)) size_t;

long __VERIFIER_nondet_long(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

long time(long *result) {
  long now = __VERIFIER_nondet_long();
  __VERIFIER_assume(now >= -1);
  if (result != 0)
    *result = now;
  return now;
}

long clock(void) {
  long ticks = __VERIFIER_nondet_long();
  __VERIFIER_assume(ticks >= -1);
  return ticks;
}

double difftime(long later, long earlier) { return (double)later - (double)earlier; }

unsigned sleep(unsigned seconds) {
  unsigned left = (unsigned)__VERIFIER_nondet_int();
  __VERIFIER_assume(left <= seconds);
  return left;
}

int usleep(unsigned microseconds) {
  (void)microseconds;
  return __VERIFIER_nondet_int() == 0 ? 0 : -1;
}

int getpid(void) {
  int id = __VERIFIER_nondet_int();
  __VERIFIER_assume(id > 0);
  return id;
}
