// property: memsafety unreach-call
/* Blocks that are freed at once, more of them than the model of a pointer has numbers for; a count of them.
   BUG: the count says that there were many. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
  unsigned count = 0;
  while (__VERIFIER_nondet_int()) {
    free(malloc(1));
    count++;
#ifdef BUG
    if (count == 5000)
      reach_error();
#endif
  }
  return 0;
}
