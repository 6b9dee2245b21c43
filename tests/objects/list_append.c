// property: memsafety
/* A list of any length, each node behind the last, by way of a pointer to the last; then all are freed.
   BUG: the last node is not freed. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
};

int main(void) {
  struct node *first = NULL, *last = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node)
      abort();
    node->next = NULL;
    if (last)
      last->next = node;
    else
      first = node;
    last = node;
  }
#ifdef BUG
  while (first && first->next) {
#else
  while (first) {
#endif
    struct node *next = first->next;
    free(first);
    first = next;
  }
  return 0;
}
