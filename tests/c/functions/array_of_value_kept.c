/* Arrays of values are in temporary objects that live until the full expression ends, also those made in operands and arguments. */
#include <stdio.h>
#include <string.h>

struct s { int a[3]; char n[8]; };
static struct s f(int i) { struct s s = {{i, i + 1, i + 2}, "abc"}; return s; }
static int sum(int *p) { return p[0] + p[1]; }
static int *keep(int *p) { return p; }

int main(int argc, char **argv) {
  int c = argc, *p = 0, *q = 0, n = 0, r;
  printf("%d\n", (p = f(c).a) != 0 && p[1] == c + 1 && p[2] == c + 2);
  printf("%d\n", (c ? (q = f(5).a, 1) : (q = f(6).a, 2)) == 1 && q[0] == 5);
  printf("%d %d\n", *(c ? f(5).a : f(6).a), *keep(c ? keep(f(7).a) : keep(f(8).a)));
  printf("%d %d\n", (int)strlen(c ? f(7).n : "x"), sum(c > 0 ? f(9).a : f(10).a));
  while ((p = f(n).a) != 0 && p[0] < 3) n++;
  for (int *w; (w = f(n).a, w[0] < 6) || w[1] < 5; n++) ;
  do n++; while ((c || n) && (p = f(n).a, p[2] < 12));
  printf("%d\n", n);
  r = 0;
  for (int i = 0; i < 3; i++) {
    r += (i == 1 && (p = f(i).a) && ({ if (p[0] == 7) goto out; 1; })) || (i == 2 && *keep(f(i).a) == 2);
    r += c ?: f(3).a[0];
    r += *(keep(f(i).a) ?: f(9).a);
  }
out:
  printf("%d %d\n", r, (c ? f(1) : f(2)).a[1]);
  if (!(c && (p = f(c).a)) || p[0] != c) return 1;
  return (c && (p = f(3).a) && p[1] == 4) ? 0 : 2;
}
