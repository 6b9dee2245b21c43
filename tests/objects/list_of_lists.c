// property: valid-deref valid-free
/* Each node owns a block of its own, which is freed with it.
   BUG: the block is freed twice where it is marked. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

struct node {
  int *block;
  struct node *next;
};

int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node)
      abort();
    node->block = malloc(sizeof *node->block);
    if (!node->block)
      abort();
    *node->block = __VERIFIER_nondet_int();
    node->next = head;
    head = node;
  }
  while (head) {
    struct node *next = head->next;
#ifdef BUG
    if (*head->block == 42)
      free(head->block);
#endif
    free(head->block);
    free(head);
    head = next;
  }
  return 0;
}
