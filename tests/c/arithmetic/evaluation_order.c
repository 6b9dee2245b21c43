/* Short-circuit, comma, conditional: what is evaluated, and when it must be. */
#include <stdio.h>

static int trace(int value, const char *name) {
  printf("%s ", name);
  return value;
}

int main(void) {
  int x;
  x = trace(0, "a") && trace(1, "b");
  printf("= %d\n", x);
  x = trace(1, "a") && trace(2, "b");
  printf("= %d\n", x);
  x = trace(1, "a") || trace(1, "b");
  printf("= %d\n", x);
  x = trace(0, "a") || trace(3, "b");
  printf("= %d\n", x);
  x = trace(1, "c") ? trace(10, "t") : trace(20, "e");
  printf("= %d\n", x);
  x = trace(0, "c") ? trace(10, "t") : trace(20, "e");
  printf("= %d\n", x);
  x = (trace(1, "l"), trace(2, "r"));
  printf("= %d\n", x);
  x = trace(0, "a") || trace(1, "b") && trace(0, "c") || trace(4, "d");
  printf("= %d\n", x);
  int i = 0;
  int a[4] = {0, 0, 0, 0};
  a[i++] = 5;
  a[i] = i ? 7 : 8, a[3] = i++;
  printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], i);
  int j = (i = 9, i++ && i == 10);
  printf("%d %d\n", i, j);
  for (i = 0, j = 10; i < j; i++, j--)
    ;
  printf("%d %d\n", i, j);
  int n = 0;
  while (n++ < 3)
    printf("%d ", n);
  printf("%d\n", n);
  return !(x = 0);
}
