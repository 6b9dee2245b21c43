// property: memsafety
// expect: ok
#include <stdlib.h>
struct node { struct node *next; } *head;
int main(void) {
  head = malloc(sizeof *head);
  head->next = malloc(sizeof *head);
  head->next->next = 0;
  return 0;
}
