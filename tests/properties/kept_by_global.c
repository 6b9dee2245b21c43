// property: memsafety
// expect: unknown
// Whether a global still points at a live block, by way of another block, is not decided.
#include <stdlib.h>
struct node { struct node *next; } *head;
int main(void) {
  head = malloc(sizeof *head);
  head->next = malloc(sizeof *head);
  head->next->next = 0;
  return 0;
}
