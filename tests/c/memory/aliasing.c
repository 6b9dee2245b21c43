/* Address-taken scalars, aliases, pointers into structs and arrays of structs, pointers copied bytewise. */
#include <stdio.h>
#include <string.h>

struct inner { short s; int i; };
struct outer { char c; struct inner in[2]; struct outer *self; };

static void both(int *a, int *b) {
  *a = 1;
  *b = 2;
  printf("%d %d\n", *a, *b);
}

static int *pick(int c, int *a, int *b) { return c ? a : b; }
static int global = 5;

int main(void) {
  int x = 0, y = 0;
  both(&x, &y);
  both(&x, &x);
  *pick(1, &x, &y) = 10;
  *pick(0, &x, &y) += 20;
  printf("%d %d\n", x, y);
  struct outer o;
  memset(&o, 0, sizeof o);
  o.self = &o;
  o.self->self->in[1].i = 7;
  short *s = &o.in[0].s;
  *s = -9;
  printf("%d %d %d\n", o.in[1].i, o.in[0].s, o.c);
  int *p = &x, *q;
  memcpy(&q, &p, sizeof p);
  *q = 77;
  printf("%d %d\n", x, p == q);
  unsigned char raw[sizeof p];
  for (unsigned i = 0; i < sizeof p; i++)
    raw[i] = ((unsigned char *)&p)[i];
  int *r;
  for (unsigned i = 0; i < sizeof r; i++)
    ((unsigned char *)&r)[i] = raw[i];
  *r += 1;
  printf("%d\n", x);
  int *g = &global;
  for (int i = 0; i < 3; i++) {
    *g *= 2;
    global++;
  }
  printf("%d\n", global);
  struct outer copies[2] = {o, o};
  copies[1].in[1].i++;
  printf("%d %d %d\n", o.in[1].i, copies[1].in[1].i, copies[0].self == &o);
  struct outer *container = (struct outer *)((char *)&o.in[1] - __builtin_offsetof(struct outer, in[1]));
  printf("%d\n", container == &o);
  memmove(&copies[0].in[1], &copies[0].in[0], sizeof(struct inner));
  printf("%d\n", copies[0].in[1].s);
  return 0;
}
