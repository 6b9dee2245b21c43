/* Signals that the program leaves to the system, or ignores, and sets of signals. A handler runs whenever its signal comes from outside,
   which is not modelled. */

typedef __typeof__(sizeof(0)) size_t;
typedef void (*__foldback_handler)(int);
typedef struct { unsigned long words[1024 / (8 * sizeof(unsigned long))]; } __foldback_signals;

int __VERIFIER_nondet_int(void);
void __foldback_unsupported(const char *what);
void __foldback_errno_if(int condition, int value);
void abort(void);

/* 0: not looked at so far; 1: left to the system; 2: ignored. */
static char __foldback_dispositions[65];

/* What the program was started with is open. */
static int __foldback_is_ignored(int number) {
  if (__foldback_dispositions[number] == 0)
    __foldback_dispositions[number] = __VERIFIER_nondet_int() != 0 ? 2 : 1;
  return __foldback_dispositions[number] == 2;
}

/* Two signals belong to the library itself. */
static int __foldback_is_no_signal(int number) { return number < 1 || number > 64 || number == 32 || number == 33; }

/* 0, or -1 where this signal cannot be treated so. */
static int __foldback_treat(int number, __foldback_handler handler) {
  if (handler != (__foldback_handler)0 && handler != (__foldback_handler)1)
    __foldback_unsupported("a handler of a signal");
  int fails = __foldback_is_no_signal(number) || number == 9 || number == 19;
  __foldback_errno_if(fails, 22);
  if (fails)
    return -1;
  __foldback_dispositions[number] = handler == (__foldback_handler)1 ? 2 : 1;
  return 0;
}

__foldback_handler signal(int number, __foldback_handler handler) {
  if (__foldback_is_no_signal(number) || number == 9 || number == 19) {
    __foldback_treat(number, handler);
    return (__foldback_handler)-1;
  }
  __foldback_handler old = __foldback_is_ignored(number) ? (__foldback_handler)1 : (__foldback_handler)0;
  __foldback_treat(number, handler);
  return old;
}

struct __foldback_action {
  __foldback_handler handler;
  __foldback_signals mask;
  int flags;
  void (*restorer)(void);
};

int sigaction(int number, const void *action, void *old) {
  if (old != 0)
    __foldback_unsupported("what sigaction tells of a signal");
  if (action != 0)
    return __foldback_treat(number, ((const struct __foldback_action *)action)->handler);
  int fails = __foldback_is_no_signal(number);
  __foldback_errno_if(fails, 22);
  return fails ? -1 : 0;
}

int raise(int number) {
  int fails = number < 0 || number > 64;
  __foldback_errno_if(fails, 22);
  if (fails)
    return -1;
  if (number == 0)
    return 0;
  if (number >= 19 && number <= 22)
    __foldback_unsupported("a signal that stops the program");
  /* What becomes of a child, urgent data, the window's size, and going on, are nothing by themselves. */
  int is_nothing = number == 17 || number == 18 || number == 23 || number == 28;
  if (is_nothing || number != 9 && __foldback_is_ignored(number))
    return 0;
  abort();
}

static int __foldback_change_signals(__foldback_signals *set, int number, int there) {
  int fails = number < 1 || number > 64;
  __foldback_errno_if(fails, 22);
  if (fails)
    return -1;
  unsigned long bits = 8 * sizeof(unsigned long);
  unsigned long word = (unsigned long)(number - 1) / bits;
  unsigned long bit = 1ul << (unsigned long)(number - 1) % bits;
  set->words[word] = there ? set->words[word] | bit : set->words[word] & ~bit;
  return 0;
}

int sigaddset(void *set, int number) { return __foldback_change_signals(set, number, 1); }
int sigdelset(void *set, int number) { return __foldback_change_signals(set, number, 0); }

int sigismember(const void *set, int number) {
  int fails = number < 1 || number > 64;
  __foldback_errno_if(fails, 22);
  if (fails)
    return -1;
  unsigned long bits = 8 * sizeof(unsigned long);
  unsigned long word = ((const __foldback_signals *)set)->words[(unsigned long)(number - 1) / bits];
  return (int)(word >> (unsigned long)(number - 1) % bits & 1);
}

int sigemptyset(void *set) {
  for (size_t i = 0; i < sizeof(__foldback_signals) / sizeof(unsigned long); i++)
    ((__foldback_signals *)set)->words[i] = 0;
  return 0;
}
