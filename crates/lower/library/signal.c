/* Signals that the program leaves to the system, ignores, or handles, and sets of signals. A handler runs where the program raises its
   signal. It also runs whenever the signal comes from outside: that is not modelled, so that executions in which it comes are
   unsupported. */

typedef __typeof__(sizeof(0)) size_t;
typedef void (*__foldback_handler)(int);
typedef struct { unsigned long words[1024 / (8 * sizeof(unsigned long))]; } __foldback_signals;

int __VERIFIER_nondet_int(void);
int __foldback_open(void);
void __foldback_havoc(void *p, size_t n);
void __foldback_unsupported(const char *what);
void __foldback_errno_if(int condition, int value);
void abort(void);

/* 0: not looked at so far; 1: left to the system; 2: ignored; 3: handled. */
static char __foldback_dispositions[65];
static __foldback_handler __foldback_handlers[65];
/* A handler that is called once: its signal is left to the system then. */
static char __foldback_resets[65];
/* While a handler runs its signal waits, and perhaps others. */
static int __foldback_handles;

/* What the program was started with is open. */
static int __foldback_is_ignored(int number) {
  if (__foldback_dispositions[number] == 0)
    __foldback_dispositions[number] = __VERIFIER_nondet_int() != 0 ? 2 : 1;
  return __foldback_dispositions[number] == 2;
}

/* Two signals belong to the library itself. */
static int __foldback_is_no_signal(int number) { return number < 1 || number > 64 || number == 32 || number == 33; }

/* Signals of errors and of clocks come although nobody outside sends them: ILL TRAP ABRT BUS FPE SEGV SYS, ALRM VTALRM PROF. */
static int __foldback_comes_by_itself(int number) {
  return (number >= 4 && number <= 8) || number == 11 || number == 31 || number == 14 || number == 26 || number == 27;
}

static void __foldback_handle(int number, __foldback_handler handler, int resets) {
  if (__foldback_comes_by_itself(number))
    __foldback_unsupported("a handler of a signal of an error or of a clock");
  if (__VERIFIER_nondet_int() != 0)
    __foldback_unsupported("a signal that is handled and comes from outside");
  __foldback_dispositions[number] = 3;
  __foldback_handlers[number] = handler;
  __foldback_resets[number] = resets != 0;
}

/* 0, or -1 where this signal cannot be treated so. */
static int __foldback_treat(int number, __foldback_handler handler, int resets) {
  int fails = __foldback_is_no_signal(number) || number == 9 || number == 19;
  __foldback_errno_if(fails, 22);
  if (fails)
    return -1;
  if (handler != (__foldback_handler)0 && handler != (__foldback_handler)1)
    __foldback_handle(number, handler, resets);
  else
    __foldback_dispositions[number] = handler == (__foldback_handler)1 ? 2 : 1;
  return 0;
}

static __foldback_handler __foldback_handler_of(int number) {
  if (__foldback_dispositions[number] == 3)
    return __foldback_handlers[number];
  return __foldback_is_ignored(number) ? (__foldback_handler)1 : (__foldback_handler)0;
}

/* Whether a handler is for one time only C leaves open. */
__foldback_handler signal(int number, __foldback_handler handler) {
  if (__foldback_is_no_signal(number) || number == 9 || number == 19) {
    __foldback_treat(number, handler, 0);
    return (__foldback_handler)-1;
  }
  __foldback_handler old = __foldback_handler_of(number);
  __foldback_treat(number, handler, __foldback_open());
  return old;
}

struct __foldback_action {
  __foldback_handler handler;
  __foldback_signals mask;
  int flags;
  void (*restorer)(void);
};

/* SA_RESETHAND is the highest bit; with SA_SIGINFO, 4, the handler is told more. Flags and signals of the old action are open. */
int sigaction(int number, const void *action, void *old) {
  const struct __foldback_action *new = action;
  int fails = __foldback_is_no_signal(number);
  __foldback_handler before = 0;
  if (!fails && old != 0)
    before = __foldback_handler_of(number);
  if (new != 0 && new->handler != (__foldback_handler)0 && new->handler != (__foldback_handler)1) {
    if ((new->flags & 4) != 0)
      __foldback_unsupported("a handler that is told about its signal");
    fails = __foldback_treat(number, new->handler, new->flags < 0) != 0;
  } else if (new != 0)
    fails = __foldback_treat(number, new->handler, 0) != 0;
  else
    __foldback_errno_if(fails, 22);
  if (!fails && old != 0) {
    if (before != (__foldback_handler)0 && before != (__foldback_handler)1)
      __foldback_unsupported("what sigaction tells of a signal that is handled");
    __foldback_havoc(old, sizeof(struct __foldback_action));
    ((struct __foldback_action *)old)->handler = before;
    ((struct __foldback_action *)old)->flags = ((struct __foldback_action *)old)->flags & ~4;
  }
  return fails ? -1 : 0;
}

/* The signals that wait when they come; what the program was started with is open. */
static unsigned long long __foldback_blocked;
static int __foldback_knows_blocked;

static unsigned long long __foldback_blocked_signals(void) {
  if (!__foldback_knows_blocked) {
    unsigned long long unknown;
    __foldback_havoc(&unknown, sizeof unknown);
    __foldback_blocked = unknown & ~(1ull << 8 | 1ull << 18 | 3ull << 31);
    __foldback_knows_blocked = 1;
  }
  return __foldback_blocked;
}

static unsigned long long __foldback_word_of(const __foldback_signals *set) {
  unsigned long long word = set->words[0];
  if (sizeof(unsigned long) == 4)
    word |= (unsigned long long)set->words[1] << 32;
  return word;
}

/* KILL and STOP never wait, nor do the library's own. Gives the number of an error: EINVAL is 22. */
static int __foldback_block(int how, const __foldback_signals *set, __foldback_signals *old) {
  unsigned long long before = __foldback_blocked_signals();
  if (set != 0 && (how < 0 || how > 2))
    return 22;
  if (set != 0) {
    unsigned long long word = __foldback_word_of(set) & ~(1ull << 8 | 1ull << 18 | 3ull << 31);
    __foldback_blocked = how == 0 ? before | word : how == 1 ? before & ~word : word;
  }
  if (old != 0) {
    old->words[0] = (unsigned long)before;
    if (sizeof(unsigned long) == 4)
      old->words[1] = (unsigned long)(before >> 32);
  }
  return 0;
}

int sigprocmask(int how, const void *set, void *old) {
  int error = __foldback_block(how, set, old);
  __foldback_errno_if(error != 0, error);
  return error != 0 ? -1 : 0;
}

int pthread_sigmask(int how, const void *set, void *old) { return __foldback_block(how, set, old); }

/* No signal waits: raising one that would is unsupported. */
int raise(int number) {
  int fails = number < 0 || number > 64;
  __foldback_errno_if(fails, 22);
  if (fails)
    return -1;
  if (number == 0)
    return 0;
  if (__foldback_handles)
    __foldback_unsupported("a signal that a handler raises");
  if (number >= 19 && number <= 22)
    __foldback_unsupported("a signal that stops the program");
  if (__foldback_knows_blocked && (__foldback_blocked >> (number - 1) & 1) != 0)
    __foldback_unsupported("a signal that is raised while it is blocked");
  if (__foldback_dispositions[number] == 3) {
    __foldback_handler handler = __foldback_handlers[number];
    if (__foldback_resets[number])
      __foldback_dispositions[number] = 1;
    __foldback_handles = 1;
    handler(number);
    __foldback_handles = 0;
    return 0;
  }
  /* What becomes of a child, urgent data, the window's size, and going on, are nothing by themselves. */
  int is_nothing = number == 17 || number == 18 || number == 23 || number == 28;
  if (is_nothing || number != 9 && __foldback_is_ignored(number))
    return 0;
  abort();
}

/* The time that was left is open. */
unsigned alarm(unsigned seconds) {
  if (seconds != 0)
    __foldback_unsupported("a signal that a clock sends");
  return (unsigned)__VERIFIER_nondet_int();
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

/* All but the two that belong to the library itself. */
int sigfillset(void *set) {
  sigemptyset(set);
  for (size_t i = 0; i < 64 / (8 * sizeof(unsigned long)); i++)
    ((__foldback_signals *)set)->words[i] = ~0ul;
  __foldback_change_signals(set, 32, 0);
  __foldback_change_signals(set, 33, 0);
  return 0;
}
