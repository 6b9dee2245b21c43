/* Nested functions, local labels, ranges in initialisers, attributes in casts. */
#include <stdio.h>
static int apply(int (*f)(int), int n) { return f(n); }
struct p { int a, b; };
static int outer(int x, struct p q) {
  int total = 0;
  int arr[3] = {1, 2, 3};
  int add(int k) { total += k * x + q.a + arr[1]; q.b++; return total; }
  int fact(int k) { return k <= 1 ? 1 : k * fact(k - 1); }
  auto int later(int);
  apply(add, 3); apply(add, 4);
  printf("%d %d %d\n", total, q.b, fact(5));
  int r = later(2);
  int later(int k) { int deep(int m) { return m + x + k; } return deep(10); }
  for (int i = 0; i < 2; i++) { int j = i; int get(void) { return j + total; } printf("%d\n", get()); }
  return r;
}
static int half(int n) { return n / 2; }
int main(void) { printf("%d\n", outer(5, (struct p){7, 8})); 
  { __label__ a; goto a; a: printf("a\n"); }
  int v = 3; int rng[5] = {[1 ... 3] = v}; printf("%d %d\n", rng[2], rng[4]);
  struct T { int a; } e9 = {9}, e42 = {42}, e43 = {43};
  struct T over[8] = {[1 ... 5] = e9, [2 ... 6] = e42, [4 ... 5] = e43};
  for (int i = 0; i < 8; i++) printf("%d ", over[i].a);
  printf("\n");
  int again[6] = {[0 ... 5] = 1, [2 ... 3] = 7}; printf("%d %d %d %d\n", again[1], again[2], again[3], again[4]);
  struct S { char c; struct { int x, y; } u[3]; }; printf("%d\n", (int)__builtin_offsetof(struct S, u->y));
  int a = ((__attribute__((noinline)) int (*)(int))half)(8); printf("%d\n", a);
  printf("%d\n", (int)2147483648.0f);
  return 0; }
