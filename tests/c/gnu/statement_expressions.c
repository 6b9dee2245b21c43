/* ({ ... }), typeof, elvis, __auto_type, __extension__, min/max macros, nested ones with control flow. */
#include <stdio.h>

#define max(a, b) ({ typeof(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define swap(a, b) do { __typeof__(a) t = (a); (a) = (b); (b) = t; } while (0)

struct s { int v; };
static int calls;
static int next(void) { return ++calls; }

static int early(int x) {
  int y = ({ if (x > 5) return -1; x * 2; });
  return y + 1;
}

int main(void) {
  printf("%d %d\n", max(3, 7), max(next(), 0));
  int a = 1, b = 2;
  swap(a, b);
  printf("%d %d\n", a, b);
  printf("%d %d %d\n", 0 ?: 5, 4 ?: 5, next() ?: 9);
  printf("%d\n", calls);
  int r = ({ int s = 0; for (int i = 0; i < 4; i++) s += i; s; });
  printf("%d\n", r);
  printf("%d\n", ({ struct s x = {9}; x; }).v);
  for (int i = 0; i < 10; i++) {
    int k = ({ if (i == 2) continue; if (i == 5) break; i * i; });
    printf("%d ", k);
  }
  printf("\n%d %d\n", early(3), early(6));
  __extension__ long long ll = 5;
  __auto_type q = ll * 2;
  typeof(int[3]) arr = {1, 2, 3};
  typeof(arr[0]) *p = arr;
  printf("%lld %d %d %d\n", q, p[2], (int)sizeof(typeof(q)), (int)sizeof arr);
  const char *text = (const char *)0 ?: "default";
  printf("%s\n", text);
  ({ printf("void\n"); (void)0; });
  return ({ a; b; });
}
