/* Shadowing, block scope, declarations in for and if, static locals, extern in blocks, tags and labels apart. */
#include <stdio.h>

int x = 1;
static int counter(void) {
  static int n;
  static int start = 100;
  return start + n++;
}
static int other(void) {
  static int n = 50;
  return n--;
}
struct x { int x; };

int main(void) {
  printf("%d ", x);
  int x = 2;
  {
    extern int x;
    printf("%d ", x);
    x = 9;
    {
      int x = 3;
      x++;
      printf("%d ", x);
    }
  }
  printf("%d ", x);
  for (int x = 5; x < 6; x++) {
    printf("%d ", x);
    int x = 6;
    printf("%d ", x);
  }
  printf("%d\n", x);
  printf("%d ", counter());
  printf("%d ", counter());
  printf("%d ", other());
  printf("%d ", counter());
  printf("%d\n", other());
  struct x s = {x};
x:
  s.x++;
  if (s.x < 5)
    goto x;
  printf("%d\n", s.x);
  enum { x_red = 3, x_green } colour = x_green;
  printf("%d\n", colour);
  typedef int number;
  {
    number number = 4;
    printf("%d\n", number);
  }
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    static int kept = 10;
    int fresh = 10;
    kept++;
    fresh++;
    sum += kept + fresh;
  }
  printf("%d\n", sum);
  if (sum) {
    int sizeof_test = sizeof(struct x { char c; });
    struct x inner = {'a'};
    printf("%d %d\n", sizeof_test, (int)sizeof inner);
  }
  return 0;
}
