/* Designated, nested, partial and brace-elided initialisers; compound literals; static ones with addresses. */
#include <stdio.h>

struct p { int x, y; };
struct s { int a; struct p b[3]; char name[8]; int *ptr; };
static int target = 77;
static struct s g = {.b = {[1] = {.y = 5}, [2].x = 6}, .name = "abc", .ptr = &target, .a = 1};
static int sparse[] = {[3] = 3, 4, [1] = 1, [8] = 8};
static const char *names[] = {"zero", "one", [3] = "three"};
static int matrix[2][3] = {1, 2, 3, 4};
static int matrix2[][2] = {{1}, {2, 3}, {}};
static char text[] = {"braced"};
static char exact[3] = "xyz";
static int *into = &sparse[3];
static struct p *lit = &(struct p){11, 12};
static int (*table[])(const char *, ...) = {printf};
static unsigned long folded = sizeof(struct s) > 8 ? 3 : 4;
struct deep { struct { struct { int v[2]; } in; int w; } out[2]; };
static struct deep deep = {.out[1].in.v[0] = 9, .out[0] = {{{1, 2}}, 3}};
static struct s many[2] = {[0 ... 1] = {.a = 4}};

static int sum(const int *v, int n) {
  int total = 0;
  while (n-- > 0)
    total += v[n];
  return total;
}

int main(void) {
  printf("%d %d %d %d %d %s %d\n", g.a, g.b[0].x, g.b[1].y, g.b[2].x, g.b[2].y, g.name, *g.ptr);
  printf("%d:", (int)(sizeof sparse / sizeof *sparse));
  for (int i = 0; i < 9; i++)
    printf(" %d", sparse[i]);
  printf("\n%s %s %d %s\n", names[0], names[1], names[2] == 0, names[3]);
  printf("%d %d %d\n", matrix[1][0], matrix[1][1], matrix[0][2]);
  printf("%d %d %d\n", (int)sizeof matrix2, matrix2[1][1], matrix2[2][0]);
  printf("%s %d %c %d %d %d\n", text, (int)sizeof text, exact[2], *into, lit->x, lit->y);
  table[0]("%lu %d\n", folded, deep.out[1].in.v[0]);
  printf("%d %d %d %d\n", deep.out[0].in.v[1], deep.out[0].w, deep.out[1].w, many[1].a);
  int n = 5;
  struct s local = {n, {{n + 1, n + 2}, {n * 2}}, "hi"};
  printf("%d %d %d %d %d %s %d\n", local.a, local.b[0].x, local.b[0].y, local.b[1].x, local.b[2].y, local.name,
         local.ptr == 0);
  printf("%d\n", sum((int[]){1, 2, n}, 3));
  int total = 0;
  for (int i = 0; i < 3; i++) {
    int fresh[3] = {i};
    struct p *q = &(struct p){i, fresh[2]};
    q->y += i;
    total += q->x * 10 + q->y + fresh[1];
    fresh[1] = 100;
  }
  printf("%d\n", total);
  struct p a = {1, 2}, b = {.x = a.y, .y = a.x};
  struct { struct p in; int k; } outer = {a, 3}, copy = {.in = b, .k = 9};
  printf("%d %d %d %d %d\n", b.x, outer.in.y, outer.k, copy.k, copy.in.y);
  char buffer[6] = "ab";
  printf("%d %d %d\n", buffer[1], buffer[2], buffer[5]);
  return 0;
}
