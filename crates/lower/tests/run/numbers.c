// Arithmetic: promotions, conversions, wrap-around, shifts, division, compound assignment, comparison, floats, bit-fields.
#include <stdio.h>

struct bits {
  int a : 3;
  unsigned b : 5;
  signed char c : 4;
  _Bool flag : 1;
  long long wide : 40;
  unsigned : 0;
  unsigned d : 31;
};

union view {
  float f;
  unsigned u;
  unsigned char bytes[4];
};

static unsigned zero(void) { return 0; }

int main(void) {
  unsigned char uc = 200;
  signed char sc = (signed char)200;
  short s = -30000;
  unsigned u = 4000000000u;
  long long ll = -5000000000LL;
  printf("%d %d %d %u %lld\n", uc, sc, s - 10000, u + 500000000u, ll / 7);
  uc += 100;
  sc -= 100;
  s *= 2;
  printf("%d %d %d\n", uc, sc, s);
  printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
  printf("%u %d %lld\n", -7u / 2, -8 >> 1, (long long)(-8) >> 40);
  printf("%d %d %d\n", -1 < (int)zero(), -1 < zero(), (unsigned short)-1 > 0);
  printf("%d %d\n", (int)(char)0x1ff, (int)(_Bool)0x100);
  printf("%llx %x\n", 1ULL << 40, 1u << 31);
  int i = 10;
  i <<= 3;
  i ^= 0x55;
  i |= 0x300;
  i &= ~4;
  i %= 1000;
  printf("%d %d\n", i, ~i);
  struct bits b = {.a = 5, .b = 33, .c = -8, .flag = 7, .wide = 1LL << 39, .d = ~0u};
  b.a++;
  b.b--;
  b.wide -= 1;
  b.c *= 2;
  printf("%d %u %d %d %lld %u %d\n", b.a, b.b, b.c, b.flag, (long long)b.wide, b.d, sizeof b < 40);
  double x = 0.1, y = 3;
  float f = 0.1f;
  printf("%.17g %.9g %d %d\n", x * y, f * 3, x == f, (float)x == f);
  printf("%d %d %u %lld\n", (int)-3.99, (int)3.99f, (unsigned)3e9, (long long)-1e15);
  printf("%g %g %g\n", (double)u, (float)16777217, 1e300 * 1e10);
  double nan = 0.0;
  nan = nan / nan;
  printf("%d %d %d %d\n", nan == nan, nan != nan, nan < 1, !nan);
  union view v = {.f = 1.5f};
  printf("%x %d\n", v.u, v.bytes[3]);
  v.bytes[2] = 0x40;
  printf("%g\n", v.f);
  long double big = 1.0L / 3;
  printf("%d %.10Lf\n", big * 3 == 1, big);
  unsigned long long product;
  printf("%d %d\n", __builtin_mul_overflow(1ULL << 40, 1 << 30, &product), __builtin_popcount(0xf0f0u));
  printf("%llu %d %d %x\n", product, __builtin_clz(1u), __builtin_ctz(64u), __builtin_bswap32(0x12345678));
  return 0;
}
