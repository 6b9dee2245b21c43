/* GNU: variable arguments by name, `, ##`, __VA_OPT__, #pragma push_macro, #include_next is in a file of its own. */
#define e1(fmt, ...) printf(fmt, ##__VA_ARGS__)
#define e2(fmt, args...) printf(fmt, ## args)
#define e3(...) printf(##__VA_ARGS__, 1)
#define e4(args...) call(a, ## args)
#define e5(x, ...) x, ## __VA_ARGS__ + y
#define e6(fmt, ...) printf(fmt __VA_OPT__(,) __VA_ARGS__)
e1("a") e1("a",) e1("a", 1) e1("a", 1, 2) e1()
e2("a") e2("a",) e2("a", 1) e2("a", 1, 2) e2(,)
e4() e4( ) e4(1) e4(1, 2)
e5(a) e5(a,) e5(a, b) e5(a, b, c)
e6("a") e6("a",) e6("a", 1) e6("a", 1, 2) e6()
#define EMPTY
#define F(a, ...) f(0 __VA_OPT__(,) __VA_ARGS__)
#define G(X, ...) f(0, X __VA_OPT__(,) __VA_ARGS__)
#define SDEF(sname, ...) S sname __VA_OPT__(= { __VA_ARGS__ })
#define EMP
F(a, b, c) F() F(EMP) F(a, EMP) G(a, b, c) G(a, ) G(a) SDEF(foo); SDEF(bar, 1, 2);
#define H2(X, Y, ...) __VA_OPT__(X ## Y,) __VA_ARGS__
#define H3(X, ...) #__VA_OPT__(X##X X##X)
#define H4(X, ...) __VA_OPT__(a X ## X) ## b
#define H5A(...) __VA_OPT__()/**/__VA_OPT__()
#define H5B(X) a ## X ## b
#define H5C(X) H5B(X)
H2(a, b, c, d) H3(, 0) H4(, 1) H5C(H5A()) H3(x) H3(x, y) H4(q) H4(q, 1)
#define K1(x, ...) x ## __VA_OPT__(a b) c
#define K2(x, ...) __VA_OPT__(x) ## x # x
#define K3(x, ...) # __VA_OPT__( x   y "z\n" __VA_ARGS__ ) ## _w
K1(1) K1(1, 2) K1(,) K1(,3)
#define K4(x, ...) (__VA_OPT__(x x) x)
K4() K4(,) K4(1,) K4(1,2)
#define PUSHED 1
#pragma push_macro("PUSHED")
#undef PUSHED
#define PUSHED 2
PUSHED
#pragma pop_macro("PUSHED")
PUSHED
#pragma push_macro("NEVER")
#define NEVER 7
NEVER
#pragma pop_macro("NEVER")
NEVER
_Pragma("pack(1)") struct s { char c; int i; };
#define PACK(n) _Pragma("pack()") n _Pragma("pack(2)")
PACK(struct t { char c; };) PACK()
#define DO_PRAGMA(x) _Pragma(#x)
DO_PRAGMA(STDC FP_CONTRACT "x y") after
#if __has_include(<stdio.h>) && !__has_include("nowhere.h") && __has_include (<sys/types.h>)
has_include
#endif
#define HEADER <stdlib.h>
#if defined __has_include && __has_include(HEADER)
has_header
#endif
#if __has_attribute(noreturn) && __has_attribute(__packed__) && !__has_attribute(nonsense)
has_attribute
#endif
#if __has_builtin(__builtin_expect) && !__has_builtin(nonsense) && __has_builtin(__builtin_memcpy)
has_builtin
#endif
__has_attribute(aligned) __has_c_attribute(nodiscard) __has_cpp_attribute(gnu::packed)
#ident "some"
#sccs "thing"
#warning it goes on
#assert machine(x)
#undef EMPTY
