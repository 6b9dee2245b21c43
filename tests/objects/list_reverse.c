// property: valid-deref valid-free
/* A list is reversed in place, then looked through and freed.
   BUG: the node that was first still points to the second, which comes to be freed before it. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
};

int main(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node)
      abort();
    node->next = list;
    list = node;
  }
  struct node *reversed = NULL;
#ifdef BUG
  if (list) {
    reversed = list;
    list = list->next;
  }
#endif
  while (list) {
    struct node *next = list->next;
    list->next = reversed;
    reversed = list;
    list = next;
  }
  while (reversed) {
    struct node *next = reversed->next;
    free(reversed);
    reversed = next;
  }
  return 0;
}
