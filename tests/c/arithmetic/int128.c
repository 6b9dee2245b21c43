/* 128-bit integers (LP64 only; gcc has none with -m32). */
#include <stdio.h>

#ifdef __SIZEOF_INT128__
static void show(__int128 v) {
  printf("%016llx%016llx\n", (unsigned long long)(v >> 64), (unsigned long long)v);
}

int main(void) {
  __int128 a = (__int128)0x123456789abcdefLL * 0x7edcba9876543210LL;
  unsigned __int128 b = (unsigned __int128)-1;
  show(a);
  show(a + 1);
  show(-a);
  show(a / 1000007);
  show(a % 1000007);
  show(a << 13);
  show(-a >> 5);
  show((__int128)(b >> 3));
  show((__int128)(b / 3));
  printf("%d %d %d\n", a < 0, (__int128)b < 0, b > (unsigned __int128)a);
  printf("%d %d\n", (int)sizeof a, (int)(a == a + 0));
  printf("%.1f\n", (double)(a >> 60));
  __int128_t c = 5;
  __uint128_t d = 6;
  show(c * (__int128)d);
  return 0;
}
#else
int main(void) {
  printf("no 128-bit integers\n");
  return 0;
}
#endif
