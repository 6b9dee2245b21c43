/* Unions: type punning through them, anonymous members, nested, whole-union copies. */
#include <stdio.h>
#include <string.h>

union pun {
  float f;
  unsigned u;
  unsigned char b[4];
  struct { unsigned short lo, hi; } h;
};

struct node {
  int kind;
  union {
    int number;
    double real;
    struct { char first; char second; };
  };
  struct { int x, y; } at;
};

union big {
  long long l;
  int i[2];
  char text[12];
};

static double value(const struct node *n) {
  switch (n->kind) {
  case 0: return n->number;
  case 1: return n->real;
  default: return n->first * 1000 + n->second;
  }
}

int main(void) {
  union pun p;
  p.f = 1.5f;
  printf("%x %x %x\n", p.u, p.h.hi, p.b[3]);
  p.b[0] = 1;
  p.h.hi++;
  printf("%x %d\n", p.u, p.f > 1.5f);
  struct node n = {0, {42}, {1, 2}};
  printf("%.1f\n", value(&n));
  n.kind = 1;
  n.real = 2.5;
  printf("%.1f\n", value(&n));
  n.kind = 2;
  n.first = 7;
  n.second = 8;
  printf("%.1f %d %d\n", value(&n), n.at.x, n.at.y);
  union big a = {.text = "hello world"}, b;
  b = a;
  b.text[0] = 'J';
  printf("%s %s %d\n", a.text, b.text, a.i[0] == b.i[0]);
  b.l = 0x100000002LL;
  printf("%d %d %d\n", b.i[0], b.i[1], (int)sizeof(union big));
  union { int i; char c[4]; } local = {.c = {1, 2, 3, 4}};
  printf("%x\n", local.i);
  double d = -0.0;
  unsigned long long bits;
  memcpy(&bits, &d, sizeof d);
  printf("%llx\n", bits);
  return 0;
}
