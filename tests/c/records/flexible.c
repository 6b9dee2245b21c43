/* Flexible and zero-length array members, trailing arrays in heap blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct packet { unsigned short length; unsigned char data[]; };
struct old { int n; int items[0]; };

static struct packet *make(const char *text) {
  unsigned n = (unsigned)strlen(text);
  struct packet *p = malloc(sizeof *p + n);
  p->length = (unsigned short)n;
  memcpy(p->data, text, n);
  return p;
}

int main(void) {
  struct packet *p = make("payload");
  int sum = 0;
  for (int i = 0; i < p->length; i++)
    sum += p->data[i];
  printf("%d %d %d\n", p->length, sum, (int)sizeof(struct packet));
  free(p);
  struct old *o = malloc(sizeof(struct old) + 3 * sizeof(int));
  o->n = 3;
  for (int i = 0; i < 3; i++)
    o->items[i] = i * i;
  printf("%d %d %d\n", o->items[2], (int)sizeof(struct old), (int)((char *)&o->items[1] - (char *)o));
  free(o);
  static struct packet s = {3, {1, 2, 3}};
  printf("%d\n", s.data[2]);
  return 0;
}
