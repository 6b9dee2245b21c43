// Types of expressions: promotions, usual conversions, literals, conditionals.
#define SAME(e, T) _Static_assert(__builtin_types_compatible_p(__typeof__(e), T), #e " has type " #T)
signed char sc; unsigned char uc; char c; short s; unsigned short us; int i; unsigned u; long l; unsigned long ul;
long long ll; unsigned long long ull; float f; double d; long double ld; _Bool b; int *p; const int *cp; void *vp; char arr[3];
enum small { A, B } e; enum neg { M = -1, N } en; enum big { BIG = 0x100000000LL, ONE = 1 } eb;
struct bits { int a : 3; unsigned b : 3; unsigned c : 32; _Bool d : 1; long long wide : 40; unsigned char uc : 8; } bf;
int fn(int, char *); struct bits fs(void);
SAME(+sc, int); SAME(+uc, int); SAME(+s, int); SAME(+us, int); SAME(+b, int); SAME(~c, int); SAME(!f, int); SAME(-u, unsigned);
SAME(c + c, int); SAME(u + i, unsigned); SAME(l + u, __typeof__(__builtin_choose_expr(sizeof(long) > sizeof(int), 1l, 1ul))); SAME(ll + ul, __typeof__(__builtin_choose_expr(sizeof(long) == 8, 1ull, 1ll)));
SAME(f + i, float); SAME(f + d, double); SAME(d + ld, long double); SAME(ull + f, float); SAME(s << ll, int); SAME(ul << c, unsigned long);
SAME(p + 1, int *); SAME(1 + cp, const int *); SAME(p - p, __PTRDIFF_TYPE__); SAME(p == 0, int); SAME(arr + 0, char *); SAME(&arr, char(*)[3]);
SAME(arr[0], char); SAME(*arr, char); SAME(0[arr], char); SAME(sizeof arr, __SIZE_TYPE__); SAME(fn, int(int, char *)); SAME(&fn, int (*)(int, char *)); SAME(*fn, int(int, char *));
SAME(1 ? p : 0, int *); SAME(1 ? p : cp, const int *); SAME(1 ? p : vp, void *); SAME(1 ? (void *)0 : p, int *); SAME(1 ? i : ul, unsigned long); SAME(1 ? c : s, int);
SAME(1, int); SAME(1u, unsigned); SAME(1l, long); SAME(1ull, unsigned long long); SAME(2147483648, __typeof__(__builtin_choose_expr(sizeof(long) == 8, 1l, 1ll))); SAME(0xffffffff, unsigned);
SAME(4294967296, __typeof__(__builtin_choose_expr(sizeof(long) == 8, 1l, 1ll))); SAME(0x7fffffffffffffff, __typeof__(__builtin_choose_expr(sizeof(long) == 8, 1l, 1ll))); SAME(0b11, int);
SAME('a', int); SAME(L'a', __WCHAR_TYPE__); SAME(u'a', unsigned short); SAME(U'a', unsigned); SAME("abc", char[4]); SAME(L"ab", __WCHAR_TYPE__[3]); SAME(u8"a", char[2]);
SAME(1.0, double); SAME(1.0f, float); SAME(1.0L, long double); SAME(.5e3, double); SAME(0x1p3f, float);
SAME(A, int); SAME(e + 1, unsigned); SAME(en + 1, int); SAME(M, int); SAME(ONE, int); SAME(A + A, int);
SAME(bf.a + 0, int); SAME(bf.b + 0, int); SAME(bf.c + 0, unsigned); SAME(bf.d + 0, int); SAME((unsigned)bf.b + 0, unsigned); SAME(bf.uc + 0, int);
SAME((i, c), char); SAME(i = c, int); SAME(c += 1, char); SAME(c++, char); SAME(fn(1, arr), int); SAME((void)0, void);
SAME(i && p, int); SAME(i ?: ul, unsigned long); SAME((char)1, char); SAME((const char)1, char); SAME(_Generic(f, float: 1l, default: 1), long);
SAME(_Generic(arr, char *: 1l, default: 1), long); SAME(_Generic(cp, int *: 1, const int *: 1l, default: 1u), long); SAME(_Generic('a', char: 1, int: 1l), long);
SAME(__builtin_expect(i, 1), long);
int check(const int k, register int r) {
  SAME(k, int); SAME(&k, const int *); __auto_type z = f + 1; SAME(z, float); __typeof__(arr) arr2; SAME(arr2, char[3]);
  SAME(({ int x = 1; x + 1l; }), long); __auto_type q = arr; SAME(q, char *); SAME(__func__, const char[6]); SAME(r + 0l, long);
  _Static_assert(sizeof(struct bits) > 0, "ok");
  return 0;
}
_Static_assert(_Alignof(double) == (sizeof(long) == 8 ? 8 : 4) && __alignof__(double) == 8 && _Alignof(long long) == (sizeof(long) == 8 ? 8 : 4) && __alignof__(long double) == (sizeof(long) == 8 ? 16 : 4), "");
typedef _Float32 f32; SAME((f32)1 + 1, _Float32); __float128 q; _Float64x x; _Static_assert(sizeof q == 16 && sizeof x == sizeof(long double), ""); void fall(int n) { if (n) __attribute__((fallthrough)); }
