/* Division truncates toward zero, the remainder has the dividend's sign, shifts of negative numbers are arithmetic. */
#include <limits.h>
#include <stdio.h>

int main(void) {
  int values[] = {7, -7, 8, -8, 1, -1, 100, -100};
  int divisors[] = {3, -3, 2, -2, 1, 7};
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 6; j++)
      printf("%d %d|", values[i] / divisors[j], values[i] % divisors[j]);
  printf("\n");
  for (int s = 0; s < 32; s += 3)
    printf("%d %d %u %u|", -12345 >> s, 12345 << (s % 16), 0xdeadbeefu >> s, 0xdeadbeefu << s);
  printf("\n");
  long long big = -0x123456789abcdefLL;
  for (int s = 0; s < 64; s += 7)
    printf("%lld %llu %lld|", big >> s, (unsigned long long)big >> s, (long long)((unsigned long long)big << s));
  printf("\n");
  printf("%lld %lld %llu\n", big / 1000, big % 1000, (unsigned long long)big / 1000);
  printf("%d %u %d\n", INT_MIN / 2, UINT_MAX / 2u, INT_MIN % 10);
  printf("%d %d\n", -5 / 2u > 100, (unsigned char)250 / 7);
  short s = -5;
  s >>= 1;
  unsigned char c = 255;
  c <<= 1;
  unsigned short u = 3;
  u <<= 15;
  printf("%d %d %d\n", s, c, u);
  int i = INT_MAX;
  i++;
  printf("%d %d\n", i, i - 1);
  i = -i;
  printf("%d\n", i);
  return 0;
}
