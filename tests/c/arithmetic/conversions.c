/* Conversions between integer types, to _Bool, between integers and pointers. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static int narrow(long long v) {
  printf("%d %d %d %d %u %d %u\n", (signed char)v, (unsigned char)v, (short)v, (unsigned short)v, (unsigned)v, (int)v,
         (unsigned)(unsigned char)v);
  return (int)v;
}

int main(void) {
  long long values[] = {0, 1, -1, 127, 128, 255, 256, -128, -129, 32767, 32768, 65535, 65536, 2147483647LL, 2147483648LL,
                        -2147483648LL, 4294967295LL, 4294967296LL, 0x123456789abcdefLL};
  int sum = 0;
  for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++)
    sum ^= narrow(values[i]);
  printf("%d\n", sum);
  bool b = 256;
  printf("%d %d %d %d\n", b, (bool)0.5, (bool)"x", (bool)(char *)0);
  b = 2;
  b += 5;
  printf("%d\n", b);
  b = -1;
  printf("%d %d\n", b, b == 1);
  b--;
  printf("%d\n", b);
  b--;
  printf("%d\n", b);
  int x = 5;
  uintptr_t bits = (uintptr_t)&x;
  int *p = (int *)bits;
  *p = 6;
  printf("%d %d\n", x, (uintptr_t)p == bits);
  printf("%d %d\n", (int)(intptr_t)(void *)42, (void *)0 == 0);
  printf("%llu %llu\n", (unsigned long long)-1, (unsigned long long)(unsigned)-1);
  printf("%lld %lld\n", (long long)(int)0x80000000u, (long long)0x80000000u);
  char c = (char)200;
  printf("%d %d\n", c, c == 200);
  return 0;
}
