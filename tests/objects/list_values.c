// property: unreach-call
/* What is written into every node is found in every node.
   BUG: one node may have another value. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
#ifdef BUG
    node->value = __VERIFIER_nondet_int();
#else
    node->value = 7;
#endif
    node->next = head;
    head = node;
  }
  for (struct node *node = head; node; node = node->next)
    if (node->value != 7)
      reach_error();
  return 0;
}
