/* Runs the program of the other file on all inputs, one after the other, and says by its exit code whether one of them reaches
   the error; or, given a number, once with inputs by chance. What the program calls and does not define is here, as the world may be. Everything is chosen as an input is, so that
   all of it is tried. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { REACHED = 10, NEVER = 11, UNCLEAR = 12 };
enum { MOST = 64, SECONDS = 1 };

int fuzz_program(void);
void fuzz_reset(void);

static sigjmp_buf out;
static int digits[MOST], bases[MOST], count, position;

/* One run with inputs by chance, from this number on. */
static unsigned chance;

static int choose(int base) {
  if (chance) {
    chance = chance * 1664525 + 1013904223;
    return (chance >> 16) % base;
  }
  if (position == MOST) siglongjmp(out, UNCLEAR);
  if (position == count) {
    digits[count] = 0;
    bases[count++] = base;
  }
  return digits[position++];
}

/* On to the next sequence; 0 after the last. */
static int next(void) {
  for (count = position; count > 0; count--)
    if (++digits[count - 1] < bases[count - 1]) return 1;
  return 0;
}

unsigned char __VERIFIER_nondet_uchar(void) { return choose(256); }
_Bool __VERIFIER_nondet_bool(void) { return choose(2); }
/* What the program computes, for a check that some inputs fail. */
void fuzz_note(unsigned value) {
  printf("%u", value);
  siglongjmp(out, NEVER);
}
void reach_error(void) { siglongjmp(out, REACHED); }
void fuzz_abort(void) { siglongjmp(out, NEVER); }
static void trap(int signal) { siglongjmp(out, NEVER); }

/* Code outside of the program: it keeps what it is given, and may change it and give it back. */
static int own, *kept;
_Bool outside(void) {
  if (kept && choose(2)) ++*kept;
  return choose(2);
}
int *lend(int *p) {
  int *before = kept ? kept : &own;
  kept = p;
  switch (choose(3)) {
    case 0: return p;
    case 1: ++*p; return p;
    default: return before;
  }
}

int main(int argc, char **argv) {
  /* A run may never end: the system ends it then, which says nothing. */
  setrlimit(RLIMIT_CPU, &(struct rlimit){2 * SECONDS, 2 * SECONDS});
  if (argc > 1) chance = atoi(argv[1]) * 2 + 1;
  /* The program's own division may trap; that ends it. */
  struct sigaction action = {.sa_handler = trap, .sa_flags = SA_NODEFER};
  sigaction(SIGFPE, &action, 0);
  clock_t end = clock() + SECONDS * CLOCKS_PER_SEC;
  for (;;) {
    int how = sigsetjmp(out, 0);
    if (how == 0) {
      position = 0;
      own = 0;
      kept = 0;
      fuzz_reset();
      fuzz_program();
    }
    if (chance) return NEVER;
    if (how == REACHED) {
      for (int i = 0; i < position; i++) printf(i ? " %d" : "%d", digits[i]);
      return REACHED;
    }
    if (how == UNCLEAR || clock() > end) return UNCLEAR;
    if (!next()) return NEVER;
  }
}
