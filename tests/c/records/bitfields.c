/* Bit-fields: packing, signs, widths, zero width, assignment and increment. */
#include <stdio.h>
#include <string.h>

struct A {
  unsigned a : 3;
  int b : 5;
  unsigned c : 24;
  unsigned d : 1;
};
struct B {
  char x;
  int y : 7;
  int : 0;
  int z : 9;
  short w : 4;
};
struct C {
  unsigned long long big : 40;
  unsigned small : 3;
  _Bool flag : 1;
  signed char ch : 6;
};
struct D {
  unsigned a : 4;
  unsigned char b : 7;
  unsigned short c : 12;
  unsigned : 5;
  int e : 32;
};
struct __attribute__((packed)) P {
  char tag;
  unsigned v : 17;
  unsigned w : 19;
  short tail;
};

static void dump(const void *p, int n) {
  const unsigned char *b = p;
  for (int i = 0; i < n; i++)
    printf("%02x", b[i]);
  printf(" (%d)\n", n);
}

int main(void) {
  struct A a;
  memset(&a, 0, sizeof a);
  a.a = 9;
  a.b = 17;
  a.c = 0x1ffffff;
  a.d = 3;
  printf("%u %d %u %u\n", a.a, a.b, a.c, a.d);
  dump(&a, sizeof a);
  a.b++;
  a.a--;
  a.c ^= 0xf0f0;
  printf("%u %d %u ", a.a, a.b, a.c);
  printf("%d\n", (a.a = 12));
  struct B b;
  memset(&b, 0xff, sizeof b);
  b.x = 1;
  b.y = -64;
  b.z = 255;
  b.w = 7;
  printf("%d %d %d %d\n", b.x, b.y, b.z, b.w);
  dump(&b, sizeof b);
  struct C c;
  memset(&c, 0, sizeof c);
  c.big = 0xfedcba9876543210ULL;
  c.small = 7;
  c.flag = 2;
  c.ch = 33;
  printf("%llx %u %d %d\n", (unsigned long long)c.big, c.small, c.flag, c.ch);
  dump(&c, sizeof c);
  printf("%d %d\n", a.a - 5 < 0, c.big << 10 > 0);
  struct D d;
  memset(&d, 0, sizeof d);
  d.a = 15;
  d.b = 100;
  d.c = 4000;
  d.e = -2;
  dump(&d, sizeof d);
  struct P p;
  memset(&p, 0, sizeof p);
  p.tag = 'p';
  p.v = 0x1abcd;
  p.w = 0x7ffff;
  p.tail = -1;
  dump(&p, sizeof p);
  printf("%u %u\n", p.v, p.w);
  struct A copy = a;
  copy.d = 0;
  printf("%u %u\n", a.d, copy.d);
  struct A init = {1, -2, .d = 1};
  printf("%u %d %u %u\n", init.a, init.b, init.c, init.d);
  return 0;
}
