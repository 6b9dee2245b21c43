extern void *malloc(unsigned long);
extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

struct node { int n; struct node *next; };
int main() {
  struct node *head = 0;
  for (int k = 0; k < 2; k++) {
    struct node *made = malloc(sizeof *made);
    made->n = 0;
    made->next = head;
    head = made;
  }
  for (int i = 0; i < 1000000; i++) head->next->n++;
  assert(head->next->n != 1000000);
}
