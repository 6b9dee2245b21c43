/* Size, alignment, offsets: padding, packed, aligned, nested records, arrays of records. */
#include <stddef.h>
#include <stdio.h>

struct a { char c; int i; char d; };
struct b { char c; double d; };
struct c { char c; long long l; short s; };
struct d { char c; long double l; };
struct e { struct a x; char y; };
struct f { char c; struct { short s; char t; } in; int i; };
union u { char c; int i; double d; };
struct g { char c; union u u; char d; };
struct __attribute__((packed)) h { char c; int i; double d; };
struct i { char c; int i __attribute__((aligned(16))); char d; };
struct __attribute__((aligned(32))) j { char c; };
struct k { char c; short a[3]; void *p; };
struct l { int n; char flex[]; };
struct m { int n; struct { } empty; };
struct __attribute__((packed, aligned(4))) n { char c; short s; int i; };
struct o { _Alignas(8) char c; char d; };
enum small { S0, S1 };
enum big { B = 0x7fffffff, NEG = -1 };

#define SHOW(t) printf(#t " %d %d\n", (int)sizeof(t), (int)_Alignof(t))

int main(void) {
  SHOW(char); SHOW(short); SHOW(int); SHOW(long); SHOW(long long); SHOW(float); SHOW(double); SHOW(long double);
  SHOW(void *); SHOW(_Bool); SHOW(wchar_t); SHOW(size_t);
  SHOW(struct a); SHOW(struct b); SHOW(struct c); SHOW(struct d); SHOW(struct e); SHOW(struct f); SHOW(union u);
  SHOW(struct g); SHOW(struct h); SHOW(struct i); SHOW(struct j); SHOW(struct k); SHOW(struct l); SHOW(struct m);
  SHOW(struct n); SHOW(struct o); SHOW(enum small); SHOW(enum big);
  printf("%d %d %d %d\n", (int)offsetof(struct a, i), (int)offsetof(struct c, l), (int)offsetof(struct d, l),
         (int)offsetof(struct f, in.t));
  printf("%d %d %d\n", (int)offsetof(struct g, d), (int)offsetof(struct h, d), (int)offsetof(struct k, a[2]));
  printf("%d %d\n", (int)offsetof(struct l, flex), (int)offsetof(struct n, i));
  struct a arr[3];
  printf("%d %d\n", (int)sizeof arr, (int)((char *)&arr[2].d - (char *)arr));
  return 0;
}
