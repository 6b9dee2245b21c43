// property: unreach-call
/* A doubly linked list; nodes are taken out of it where it pleases.
   BUG: the neighbour behind is not told. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);

struct node {
  struct node *next, *prev;
};

int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node)
      abort();
    node->prev = NULL;
    node->next = head;
#ifndef BUG
    if (head)
      head->prev = node;
#endif
    head = node;
  }
  for (struct node *node = head; node; node = node->next)
    if (node->next && node->next->prev != node)
      reach_error();
  return 0;
}
