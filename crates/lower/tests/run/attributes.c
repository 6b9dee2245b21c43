/* Attributes that change layout, linkage or what is called, and the order of arguments. */
#include <stdio.h>
#include <stdlib.h>
typedef unsigned __attribute__((aligned(1))) u32u;
struct H { unsigned char tag; u32u len; };
struct A { char c; u32u a[3]; };
typedef int big __attribute__((aligned(32)));
struct B { char c; big b; };
struct P { char c; int *__attribute__((aligned(16))) p; };
void foo(void) __asm__("bar");
void foo(void) { printf("foo is bar\n"); }
extern void bar(void);
int v1 __asm__("other") = 5;
extern int other;
static int wr(void) __attribute__((weakref("target")));
int target(void) { return 77; }
static void c2(void) __attribute__((constructor));
static void c1(void) __attribute__((constructor(101)));
static void c1(void) { printf("c1\n"); }
static void c2(void) { printf("c2\n"); }
static void d1(void) __attribute__((destructor(101)));
static void d2(void) __attribute__((destructor));
static void d1(void) { printf("d1\n"); }
static void d2(void) { printf("d2\n"); }
static void h1(void) { printf("h1\n"); }
static void h2(void) { printf("h2\n"); }
static void done(int *p) { printf("done %d\n", *p); *p = 100; }
static int scope(int n) {
  int i __attribute__((cleanup(done))) = n;
  for (int k = 0; k < 3; k++) { int j __attribute__((cleanup(done))) = 10 * k; if (k == 1) continue; if (k == 2) goto out; }
  printf("not here\n");
out:
  return i;
}
static int sub(int i, int a[i++]) { return i; }
static int n;
static int inc(void) { return ++n; }
static int two(int a, int b) { return 10 * a + b; }
int w;
int *bump(void) { w++; return &w; }
[[gnu::noinline]] static int c23([[maybe_unused]] int x) { switch (x) { case 1: x = 2; [[fallthrough]]; default: ; } return x; }
int main(void) {
  int x = 1;
  printf("%zu %zu %zu\n", sizeof(struct H), __builtin_offsetof(struct H, len), _Alignof(u32u));
  printf("%zu %zu\n", sizeof(struct A), _Alignof(struct A));
  printf("%zu %zu %zu\n", sizeof(struct B), _Alignof(big), __alignof__(struct B));
  printf("%zu\n", sizeof(struct P));
  bar(); foo();
  other = 9; printf("%d\n", v1);
  printf("%d\n", wr()); atexit(h1); atexit(h2);
  printf("%d\n", scope(3));
  printf("%d\n", ({ int q __attribute__((cleanup(done))) = 4; w = q; w; }));
  printf("%d\n", sub(4, 0));
  printf("%d\n", (int)__builtin_expect(x, n++)); printf("%d\n", n);
  printf("%d\n", two(inc(), inc()));
  asm("" : "+r"(*bump())); printf("w %d\n", w);
  char buf[10]; struct { int a; char b[4]; int c; } s;
  printf("%zu %zu %zu %zu\n", __builtin_object_size(buf, 0), __builtin_object_size(buf + 3, 0), __builtin_object_size(s.b, 1), __builtin_object_size(&s.a, 0));
  printf("%d %d\n", __builtin_return_address(0) != 0, __builtin_frame_address(0) != 0);
  printf("%d\n", c23(1));
  exit(0);
}
