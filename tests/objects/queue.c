// property: memsafety
/* A queue: nodes come in behind and are taken away in front, in any order.
   BUG: when the last one is taken away, the pointer to the last one stays. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
};

int main(void) {
  struct node *first = NULL, *last = NULL;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      struct node *node = malloc(sizeof *node);
      if (!node)
        abort();
      node->next = NULL;
      if (last)
        last->next = node;
      else
        first = node;
      last = node;
    } else if (first) {
      struct node *next = first->next;
      free(first);
      first = next;
#ifndef BUG
      if (!first)
        last = NULL;
#endif
    }
  }
  while (first) {
    struct node *next = first->next;
    free(first);
    first = next;
  }
  return 0;
}
