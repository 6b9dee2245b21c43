// property: valid-deref valid-free
/* A circular list with a head that is always there; all others are unlinked and freed in the end.
   BUG: the head is freed, too, and it is on the stack. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
};

int main(void) {
  struct node head;
  head.next = &head;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node)
      abort();
    node->next = head.next;
    head.next = node;
  }
  while (head.next != &head) {
    struct node *node = head.next;
    head.next = node->next;
    free(node);
  }
#ifdef BUG
  free(head.next);
#endif
  return 0;
}
