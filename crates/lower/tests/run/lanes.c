/* Vector and complex values. */
#include <stdio.h>
typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char c8 __attribute__((vector_size(8)));
static v4 g = {1, 2, 3};
static _Complex double cg = 1.5 + 2.0i;
struct s { v4 v; _Complex float z; char c; };
static struct s st = {{4, 3, 2, 1}, 2.0f - 1.0fi, 'x'};
static v4 twice(v4 a) { return a + a; }
static _Complex double mul(_Complex double a, _Complex double b) { return a * b; }
static void show(v4 v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }
int main(void) {
  v4 a = {1, -2, 3, 4}, b = {10, 20, 30, 40};
  show(a + b); show(a * 3); show(-a); show(~a); show(a < b); show(b >> 2); show(a == (v4){1, 2, 3, 4});
  show(twice(g)); show(st.v);
  a[2] = 7; show(a); a += b; show(a); a++; show(a);
  show(__builtin_shuffle(a, (v4){3, 2, 1, 0})); show(__builtin_shuffle(a, b, (v4){0, 4, 1, 5}));
  f4 f = {1.5f, 2.5f, -3.5f, 4.0f};
  f = f * 2.0f; printf("%.1f %.1f %.1f %.1f\n", f[0], f[1], f[2], f[3]);
  show(__builtin_convertvector(f, v4));
  c8 c = {250, 1, 2, 3, 4, 5, 6, 255}; c += 10; printf("%d %d %d\n", c[0], c[1], c[7]);
  v4 bits = (v4)f; printf("%x\n", bits[0]);
  printf("%d\n", (int)sizeof(v4));
  _Complex double z = 3.0 + 4.0i, w = 1.0 - 1.0i, p = z * w;
  printf("%.1f %.1f\n", __real__ p, __imag__ p);
  p = mul(z, 2.0i); printf("%.1f %.1f\n", __real__ p, __imag__ p);
  p = ~z; printf("%.1f %.1f %d %d\n", __real__ p, __imag__ p, z == w, z != w);
  __imag__ p = 9; p += 1; p -= w; printf("%.1f %.1f\n", __real__ p, __imag__ p);
  _Complex int ci = 3 + 4i; ci = ci * (1 - 2i); printf("%d %d\n", __real__ ci, __imag__ ci);
  ci /= 2; printf("%d %d %zu\n", __real__ ci, __imag__ ci, sizeof ci);
  p = z / 2.0; printf("%.1f %.1f\n", __real__ p, __imag__ p);
  p = __builtin_inf() * z * w; printf("%d\n", __real__ p == __builtin_inf());
  double d = z; printf("%.1f %.1f %.1f %.1f\n", d, __real__ cg, __imag__ cg, (double)__imag__ st.z);
  if (z) printf("true\n"); if (!(z - z)) printf("zero\n");
  _Complex double arr[2] = {z, w}; printf("%.1f\n", __imag__ arr[1]);
  printf("%f %d %d\n", 50.0d, 1000000, 0b1010);
  return 0;
}
