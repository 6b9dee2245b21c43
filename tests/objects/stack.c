// property: memsafety
/* A stack that is pushed and popped in any order; what is popped is freed.
   BUG: a pop of the empty stack. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

struct node {
  int value;
  struct node *below;
};

static struct node *top;

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  if (!node)
    abort();
  node->value = value;
  node->below = top;
  top = node;
}

static int pop(void) {
  struct node *node = top;
  int value = node->value;
  top = node->below;
  free(node);
  return value;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int())
      push(1);
#ifdef BUG
    else
#else
    else if (top)
#endif
      pop();
  }
  while (top)
    pop();
  return 0;
}
