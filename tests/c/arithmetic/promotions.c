/* Integer promotions and the usual arithmetic conversions. */
#include <stdio.h>

int main(void) {
  unsigned char uc = 200;
  signed char sc = -100;
  unsigned short us = 60000;
  short ss = -30000;
  unsigned int ui = 4000000000u;
  int si = -5;
  long sl = -7;
  unsigned long ul = 9;
  long long sll = -11;
  unsigned long long ull = 13;
  printf("%d %d %d %d\n", uc + uc, sc * sc, us + us, ss * 2);
  printf("%d %d\n", us * us < 0, (uc << 24) < 0);
  printf("%d %d %d\n", si < ui, si < (long long)ui, (unsigned)si > ui);
  printf("%d %d\n", sl < ui, sl + ui > 0);
  printf("%d %d\n", si < ul, sll < ull);
  printf("%u %lu %llu\n", si + ui, si + ul, si + ull);
  printf("%d %d\n", ~uc, -uc);
  printf("%d %d %d\n", uc >> 1, sc >> 1, (unsigned char)~uc >> 1);
  printf("%d %d\n", (int)sizeof(uc + uc), (int)sizeof(sc + sll));
  printf("%d %d %d\n", (int)sizeof('a'), (int)sizeof(+us), (int)sizeof(us++));
  printf("%d\n", us);
  uc += 100;
  sc -= 100;
  us *= us;
  printf("%d %d %d\n", uc, sc, us);
  uc = 255;
  printf("%d ", uc++);
  printf("%d\n", uc);
  sc = -128;
  printf("%d ", --sc);
  printf("%d\n", sc);
  return uc;
}
