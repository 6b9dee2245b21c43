/* Which association of _Generic a bit-field takes, and pointers that are constants. */
#include <stdio.h>
#define NAME(e) \
  _Generic(e, char: "char", signed char: "signed char", unsigned char: "unsigned char", short: "short", \
           unsigned short: "unsigned short", int: "int", unsigned: "unsigned", long: "long", \
           unsigned long: "unsigned long", long long: "long long", unsigned long long: "unsigned long long", \
           _Bool: "_Bool", default: "other")
struct {
  int a : 31, b : 32, b8 : 8, b16 : 16;
  unsigned c : 8, c5 : 5, c16 : 16;
  _Bool d : 1;
  unsigned char e : 8, e3 : 3;
  long long f : 40, f32 : 32;
  long g : 32, g9 : 9;
  short i : 16, j : 15;
  enum { A } k : 32, k3 : 3;
  signed char l : 8;
  char m : 8;
} x;
#define SHOW(f) \
  printf("%s: %s %s %s %s %s %s\n", #f, NAME(x.f), NAME(+x.f), NAME((0, x.f)), NAME(x.f = 0), NAME(x.f++), NAME((x.f)))
int main(void) {
  SHOW(a); SHOW(b); SHOW(b8); SHOW(b16); SHOW(c); SHOW(c5); SHOW(c16); SHOW(d); SHOW(e); SHOW(e3); SHOW(f); SHOW(f32);
  SHOW(g); SHOW(g9); SHOW(i); SHOW(j); SHOW(k); SHOW(k3); SHOW(l); SHOW(m);
  printf("%s %s %s\n", NAME((int)x.a), NAME(x.f + 1), NAME(x.f + 1LL));
  static long long widened = (long long)(void *)-1;
  printf("%lld %lld %d\n", widened, (long long)(char *)0x80000000u, (long long)(void *)-1 == -1);
  printf("%llu\n", (unsigned long long)(int *)0xf0000000u);
  return 0;
}
