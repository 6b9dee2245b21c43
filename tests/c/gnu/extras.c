/* _Generic, _Static_assert, $ in names, case ranges, empty structs, void pointer arithmetic, sizeof(void), __func__,
   asm names, nested designators, old designators, casts to union, zero-size arrays, __thread, __label__. */
#include <stdio.h>

#define kind(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", char *: "string", double: "double", \
                         float: "float", const char *: "const string", default: "other")

_Static_assert(sizeof(int) == 4, "int has four bytes");
union either { int i; float f; };
static int $dollar$ = 3;
static __thread int mine = 4;
struct empty {};
struct old { int a, b; };
static int renamed(int) __asm__("renamed_in_assembly");
static int renamed(int x) { return x - 1; }

static int local_labels(int n) {
  int r = 0;
  for (int i = 0; i < n; i++) {
    __label__ skip;
    if (i % 2)
      goto skip;
    r += i;
  skip:;
  }
  return r;
}

typedef union {
  int *i;
  const char *s;
} pointer __attribute__((transparent_union));

static int first(pointer p) { return *p.i; }
static int letter(pointer p) { return *p.s; }

int main(void) {
  printf("%s %s %s %s %s %s\n", kind(1), kind(1u), kind(1L), kind("x"), kind(1.0f), kind((short)1));
  printf("%s %s\n", kind((const char *)0), kind(1.0));
  printf("%d %d\n", $dollar$, mine++);
  printf("%d %d\n", (int)sizeof(struct empty), (int)sizeof(void));
  char buffer[4] = {1, 2, 3, 4};
  void *p = buffer;
  p += 2;
  printf("%d %d\n", *(char *)p, *(char *)(p - 1));
  printf("%s\n", __func__);
  printf("%s\n", __FUNCTION__);
  struct old o = {a : 1, b : 2};
  printf("%d\n", o.a + o.b);
  union either e = (union either)7;
  printf("%d\n", e.i);
  printf("%d %d\n", renamed(5), local_labels(10));
  int x = 3;
  __asm__ volatile("" ::: "memory");
  int zero[0];
  printf("%d %d\n", (int)sizeof zero, x);
  printf("%d\n", __builtin_offsetof(struct old, b));
  int (*fp)(int) = &renamed;
  printf("%d\n", (***fp)(9));
  __const __signed__ char __volatile__ vc = -3;
  printf("%d\n", vc);
  printf("%d %d\n", first(&x), letter("q"));
  return 0;
}
