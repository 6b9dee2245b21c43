// lp64: 128-bit integers.
#include <stdio.h>

static void show(unsigned __int128 x) {
  printf("%016llx%016llx\n", (unsigned long long)(x >> 64), (unsigned long long)x);
}

int main(void) {
  long long n = -5000000000LL;
  __int128 wide = (__int128)n * n * 7;
  show(wide);
  show(wide / 1000000007);
  show(-wide % 1000000007);
  show((unsigned __int128)-1 >> 3);
  show((__int128)-1 << 100);
  printf("%d %g\n", wide > ((__int128)1 << 65), (double)wide);
  return 0;
}
