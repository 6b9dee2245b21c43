// GNU extensions.
typedef unsigned long size_type; typedef int myint __attribute__((mode(DI))); _Static_assert(sizeof(myint) == 8, ""); typedef unsigned u8 __attribute__((__mode__(__QI__))); _Static_assert(sizeof(u8) == 1, "");
__extension__ typedef long long ext; int $dollar = 1; static inline __attribute__((always_inline)) int inl(int x) { return x; } extern inline __attribute__((gnu_inline)) int ginl(int x) { return x + 1; }
void die(void) __attribute__((noreturn)); int printf(const char *, ...) __attribute__((format(printf, 1, 2))); __thread int tls = 3; _Thread_local int tls2; extern int asmname(void) __asm__("other_name");
struct packed { char c; int i; } __attribute__((packed)); _Static_assert(sizeof(struct packed) == 5, ""); struct __attribute__((aligned(16))) al { int i; }; _Static_assert(sizeof(struct al) == 16 && _Alignof(struct al) == 16, "");
struct zero { int n; char data[0]; }; struct empty {}; _Static_assert(sizeof(struct empty) == 0, ""); union tu { int *i; float *f; } __attribute__((transparent_union)); void take(union tu t);
enum fwd; enum fwd { FWD1 } fv;
int stmts(int x, int y) {
  int r = ({ __typeof__(x) _a = (x); __typeof__(y) _b = (y); _a > _b ? _a : _b; }); r += ({ int t = x; t++; t; }); r = r ?: 5; switch (x) { case 1 ... 5: r++; break; case 'a' ... 'z': r--; default: ; }
  void *tab[] = {&&l1, &&l2}; goto *tab[x & 1]; l1: r = 1; l2: r = 2; { __label__ inner; goto inner; inner: r++; } { __label__ inner; inner: if (r < 0) goto inner; }
  int arr[x + 1]; arr[0] = sizeof arr; int two[x][y]; two[0][0] = sizeof two[0]; int (*pv)[y] = two; pv++; typedef int row[y]; row rr; rr[0] = sizeof(row); void *v = arr; v++; v += 4; long diff = (char *)v - (char *)arr;
  __asm__ volatile("nop" : "=r"(r) : "0"(x), [in] "m"(y) : "memory", "cc"); asm(""); int local_asm asm("eax") = 3; r += local_asm; union cu { int i; float f; } cu = (union cu)x; r += cu.i;
  __auto_type q = &r; *q += __builtin_expect(!!x, 1); if (__builtin_constant_p(x)) r++; int nested_cond = x ? y ? 1 : 2 : 3; _Static_assert(1, "in block"); for (int i = 0, j = 1; i < j; i++) continue;
  take(&r); float fl; take(&fl); __builtin_memset(arr, 0, sizeof arr); char *al = __builtin_alloca(10); al[0] = __builtin_strlen("abc"); if (__builtin_add_overflow(x, y, &r)) __builtin_unreachable(); return r + nested_cond + diff;
  fall: __attribute__((unused)); goto fall;
}
int kr(a, b, c) int a; char b; float *c; { return a + b + *c; } implicit() { return undeclared_function(1, "x") + 2; } main2(argc, argv) char **argv; { return argc; }
static int (*ops[])(int) = {inl, ginl}; int (*getop(int i))(int) { return ops[i]; } int (*(*pgetop)(int))(int) = getop; int call(void) { return getop(0)(1) + (*getop(1))(2) + (***pgetop)(1)(2); }
void vla_param(int n, int m, int a[n][m], int b[static 3], int c[*]); void vla_param(int n, int m, int a[n][m], int b[static 3], int c[]) { a[1][2] = sizeof a[0] + sizeof *a + b[0]; }
int variadic(int n, ...) { __builtin_va_list ap, aq; __builtin_va_start(ap, n); __builtin_va_copy(aq, ap); int s = __builtin_va_arg(ap, int) + (int)__builtin_va_arg(aq, double); __builtin_va_end(ap); __builtin_va_end(aq); return s + variadic(1, 2, 3.0f, 'c', "s"); }
struct ret { int a[3]; char c; }; struct ret rf(void); int rv(void) { return rf().a[1] + rf().c + (rf(), 5); } int old_style(); int use_old(void) { return old_style(1, 2.0f, (short)3) + old_style(); }
void bit_ops(void) { struct { int a : 5; unsigned b : 7; long long w : 40; } x = {1, 2, 3}; x.a = x.b; x.b += x.a; x.w <<= 2; x.a++; --x.b; int y = x.a + x.b; y = (x.a = 3); (void)y; }
void atomics(int *p) { __sync_fetch_and_add(p, 1); __sync_synchronize(); int e = 1; __atomic_compare_exchange_n(p, &e, 2, 0, 5, 5); *p = __atomic_load_n(p, 0); _Atomic int ai = 3; ai++; ai = ai + 1; }
int shadow(int x) { int r = x; { int x = 2; r += x; { extern int $dollar; r += $dollar; } } for (int x = 0; x < 3; x++) r += x; typedef int T; { int T = 3; r += T; } T t = 1; return r + t; }
void gotos(int x) { if (x) goto in; while (x < 10) { x++; in: x += 2; if (x > 5) goto out; } out: return; } void loops(void) { do ; while (0); for (;;) break; while (1) { switch (1) { case 1: continue; } } }
