// property: valid-deref
/* A search tree of any size: insert by a loop, search by a loop. It is not freed.
   BUG: a new node's right child is left as it is. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

struct tree {
  int key;
  struct tree *left, *right;
};

int main(void) {
  struct tree *root = NULL;
  while (__VERIFIER_nondet_int()) {
    struct tree *new = malloc(sizeof *new);
    if (!new)
      abort();
    new->key = __VERIFIER_nondet_int();
    new->left = NULL;
#ifndef BUG
    new->right = NULL;
#endif
    struct tree *parent = NULL, *at = root;
    while (at) {
      parent = at;
      at = new->key < at->key ? at->left : at->right;
    }
    if (!parent)
      root = new;
    else if (new->key < parent->key)
      parent->left = new;
    else
      parent->right = new;
  }
  int key = __VERIFIER_nondet_int();
  struct tree *at = root;
  while (at && at->key != key)
    at = key < at->key ? at->left : at->right;
  return at ? at->key : 0;
}
