/* poll.h and sys/select.h: which descriptors are ready is the environment's. Waiting without end ends where one is. */

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __foldback_havoc(void *p, __typeof__(sizeof(0)) n);
void __foldback_unsupported(const char *what);
void __foldback_errno_any_if(int condition);
void __foldback_errno_if(int condition, int value);

struct __foldback_polled {
  int descriptor;
  short events;
  short happened;
};

/* What was asked for may have happened, and an error, the end and no such descriptor: 56. Of a failed call it is any. */
int poll(void *polled, unsigned long count, int timeout) {
  struct __foldback_polled *all = polled;
  int fails = __VERIFIER_nondet_int() != 0;
  int ready = 0;
  for (unsigned long i = 0; i < count; i++) {
    short happened;
    __foldback_havoc(&happened, sizeof happened);
    __VERIFIER_assume((happened & ~(all[i].events | 56)) == 0);
    if (all[i].descriptor < 0)
      happened = 0;
    all[i].happened = happened;
    ready += happened != 0;
  }
  __foldback_errno_any_if(fails);
  if (fails)
    return -1;
  __VERIFIER_assume(ready != 0 || timeout >= 0);
  return ready;
}

/* Some of the descriptors in a set, which may be absent: how many. Only the words with the first `count` are looked at. */
static int __foldback_some(unsigned long *set, int count) {
  int bits = (int)(8 * sizeof(unsigned long));
  int found = 0;
  for (int at = 0; set != 0 && at < count; at += bits) {
    unsigned long some;
    __foldback_havoc(&some, sizeof some);
    if (count - at < bits)
      some &= (1ul << (count - at)) - 1;
    set[at / bits] &= some;
    found += __builtin_popcountl(set[at / bits]);
  }
  return found;
}

/* Of the time there may be some left. EINVAL is 22. */
int select(int count, void *reads, void *writes, void *errors, void *timeout) {
  long *time = timeout;
  int is_wrong = count < 0 || (time != 0 && (time[0] < 0 || time[1] < 0));
  int fails = is_wrong || __VERIFIER_nondet_int() != 0;
  __foldback_errno_if(is_wrong, 22);
  __foldback_errno_any_if(fails && !is_wrong);
  if (count > 1024)
    __foldback_unsupported("select with more descriptors than a set has room for");
  if (fails)
    return -1;
  int ready = __foldback_some(reads, count) + __foldback_some(writes, count) + __foldback_some(errors, count);
  __VERIFIER_assume(ready != 0 || time != 0);
  if (time != 0 && __VERIFIER_nondet_int() != 0) {
    long before = time[0];
    __foldback_havoc(time, 2 * sizeof(long));
    __VERIFIER_assume(time[0] >= 0 && time[0] <= before && time[1] >= 0 && time[1] < 1000000);
  }
  return ready;
}
