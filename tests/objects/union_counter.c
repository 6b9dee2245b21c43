// property: unreach-call
/* Cells that hold a pointer here and a number there.
   BUG: the number comes to where the numbers of the next object would begin in a model of pointers. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);

struct cell {
  union {
    unsigned long number;
    struct cell *next;
  } is;
};

int main(void) {
  struct cell *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct cell *cell = malloc(sizeof *cell);
    cell->is.next = head;
    head = cell;
  }
  if (!head)
    return 0;
  struct cell *rest = head->is.next;
  head->is.number = 0;
  while (__VERIFIER_nondet_int()) {
    head->is.number++;
#ifdef BUG
    if (head->is.number == (sizeof(long) == 4 ? 0x100000ul : 0x100000000ul))
      reach_error();
#else
    if (rest == head)
      reach_error();
#endif
  }
  return 0;
}
