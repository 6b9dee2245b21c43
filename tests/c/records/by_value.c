/* Structs passed, returned, assigned and compared by member; nested calls; large and tiny ones. */
#include <stdio.h>

struct point { int x, y; };
struct line { struct point from, to; const char *name; };
struct huge { long v[20]; };
struct tiny { char c; };
struct mixed { char a; double b; short c[3]; float d; };

static struct point add(struct point a, struct point b) {
  a.x += b.x;
  a.y += b.y;
  return a;
}

static struct line make(struct point a, struct point b, const char *name) { return (struct line){a, b, name}; }

static struct huge fill(int start) {
  struct huge h;
  for (int i = 0; i < 20; i++)
    h.v[i] = start + i;
  return h;
}

static long total(struct huge h) {
  long sum = 0;
  for (int i = 0; i < 20; i++) {
    sum += h.v[i];
    h.v[i] = 0;
  }
  return sum;
}

static struct tiny next(struct tiny t) {
  t.c++;
  return t;
}

static struct mixed twist(struct mixed m, int k) {
  m.c[k] = (short)(m.a + k);
  m.d = (float)m.b;
  return m;
}

static struct point fib(int n) {
  if (n == 0)
    return (struct point){0, 1};
  struct point p = fib(n - 1);
  return (struct point){p.y, p.x + p.y};
}

int main(void) {
  struct point a = {1, 2}, b = {10, 20};
  struct point c = add(a, b);
  printf("%d %d %d %d\n", c.x, c.y, a.x, a.y);
  struct line l = make(add(a, a), add(b, c), "diagonal");
  printf("%d %d %d %d %s\n", l.from.x, l.from.y, l.to.x, l.to.y, l.name);
  struct line m = l;
  m.to = m.from;
  m.to.x = -1;
  printf("%d %d %d\n", l.to.x, m.to.x, m.to.y);
  struct huge h = fill(5);
  printf("%ld %ld %ld\n", total(h), total(h), total(fill(1)));
  printf("%d\n", next(next((struct tiny){'a'})).c);
  struct mixed x = {1, 2.5, {3, 4, 5}, 6};
  struct mixed y = twist(twist(x, 0), 2);
  printf("%d %d %d %.2f %.2f\n", y.c[0], y.c[1], y.c[2], y.b, y.d);
  printf("%d\n", fib(20).x);
  struct point pts[3] = {{1, 1}, {2, 2}, {3, 3}};
  pts[0] = pts[2] = add(pts[1], pts[2]);
  printf("%d %d %d\n", pts[0].x, pts[1].x, pts[2].y);
  printf("%d\n", add((struct point){.y = 5}, (1 ? a : b)).y);
  struct point *p = &pts[1];
  *p = *(p - 1);
  printf("%d %d\n", pts[1].x, (*p).y);
  return fill(3).v[7];
}
