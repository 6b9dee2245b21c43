/* Pointer arithmetic, comparison, difference, pointers to pointers and arrays, casts between object types, bytes of ints. */
#include <stdio.h>
#include <string.h>

static void bump(int **p) { ++*p; }

int main(void) {
  int a[6] = {10, 20, 30, 40, 50, 60};
  int *p = a, *end = a + 6;
  int sum = 0;
  for (; p != end; p++)
    sum += *p;
  printf("%d %d\n", sum, (int)(p - a));
  p = &a[1];
  bump(&p);
  printf("%d %d %d\n", *p, p[-1], *(p + 2));
  printf("%d %d %d\n", p > a, p <= &a[2], p == &a[2]);
  *p++ += 5;
  *++p = 7;
  printf("%d %d %d\n", a[2], a[3], a[4]);
  int m[3][4];
  for (int i = 0; i < 12; i++)
    (&m[0][0])[i] = i;
  int(*row)[4] = m + 1;
  printf("%d %d %d\n", (*row)[2], row[1][3], (int)((char *)(row + 1) - (char *)m));
  int **pp = (int *[]){&a[0], &a[5]};
  printf("%d %d\n", *pp[0], **(pp + 1));
  unsigned x = 0x01020304;
  unsigned char *b = (unsigned char *)&x;
  printf("%d %d %d %d\n", b[0], b[1], b[2], b[3]);
  b[3] = 0xff;
  printf("%x\n", x);
  short *s = (short *)&x;
  s[0] = -1;
  printf("%x\n", x);
  char text[16] = "pointer";
  char *q = text;
  while (*q)
    *q++ -= 32;
  printf("%s %d\n", text, (int)(q - text));
  const char *const words[] = {"a", "bb", "ccc"};
  const char *const *w = words;
  int total = 0;
  while (w < words + 3)
    total += (int)strlen(*w++);
  printf("%d\n", total);
  int *nothing = 0;
  printf("%d %d %d\n", nothing == 0, !nothing, nothing ? 1 : 2);
  long long ll = 0x1122334455667788LL;
  int lo, hi;
  memcpy(&lo, &ll, 4);
  memcpy(&hi, (char *)&ll + 4, 4);
  printf("%x %x\n", lo, hi);
  struct { char c[3]; } three[4], *t = &three[3];
  printf("%d\n", (int)(t - three));
  return 0;
}
