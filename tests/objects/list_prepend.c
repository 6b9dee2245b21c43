// property: memsafety
/* A list of any length, each node before the last; then all are freed.
   BUG: the next node is taken from one that is freed already. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node)
      abort();
    node->value = 1;
    node->next = head;
    head = node;
  }
  while (head) {
#ifdef BUG
    free(head);
    head = head->next;
#else
    struct node *next = head->next;
    free(head);
    head = next;
#endif
  }
  return 0;
}
