/* Bit operations, compound assignments, bit counting by hand. */
#include <stdio.h>

static int count(unsigned long long v) {
  int n = 0;
  while (v) {
    v &= v - 1;
    n++;
  }
  return n;
}

static unsigned reverse(unsigned v) {
  unsigned r = 0;
  for (int i = 0; i < 32; i++, v >>= 1)
    r = r << 1 | (v & 1);
  return r;
}

int main(void) {
  unsigned a = 0xf0f0a5a5, b = 0x0ff05a5a;
  printf("%x %x %x %x\n", a & b, a | b, a ^ b, ~a);
  a &= 0xffff;
  a |= 0x10000;
  a ^= 0x11;
  printf("%x\n", a);
  printf("%d %d %d\n", count(0xdeadbeefcafebabeULL), count(0), count(~0ULL));
  printf("%x\n", reverse(0x12345678));
  int x = -1;
  x &= 0xff;
  printf("%d\n", x);
  long long y = -1;
  y ^= 0xffffffffu;
  printf("%lld\n", y);
  printf("%d %d\n", !a, !!a);
  printf("%d\n", 1 << 31 >> 31);
  unsigned h = 2166136261u;
  for (const char *s = "foldback"; *s; s++)
    h = (h ^ (unsigned char)*s) * 16777619u;
  printf("%u\n", h);
  return 0;
}
