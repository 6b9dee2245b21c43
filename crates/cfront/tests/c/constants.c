// Constant expressions, evaluated by both compilers.
#define IS(a, b) _Static_assert((a) == (b), #a)
IS(1 + 2 * 3, 7); IS((1 << 31) < 0, 1); IS(-1 >> 1, -1); IS(~0u >> 31, 1); IS(-7 / 2, -3); IS(-7 % 2, -1); IS(7u % 4, 3); IS((unsigned char)300, 44);
IS((signed char)200, -56); IS((char)0xff, -1); IS((_Bool)5, 1); IS((_Bool)0.5, 1); IS((int)3.99, 3); IS((int)-3.99, -3); IS((unsigned)-1 > 0, 1); IS(-1 < 1u, 0);
IS('\n', 10); IS('\0', 0); IS('\377', -1); IS('\x41', 65); IS('\\', 92); IS('\'', 39); IS('\e', 27); IS('ab', 24930); IS(L'\u20ac', 0x20ac); IS(sizeof("a\0b"), 4); IS(sizeof(L"ab") / sizeof(L'a'), 3);
IS(sizeof("abc" "def"), 7); IS(1 ? 2 : 3, 2); IS(0 || 5, 1); IS(0 && (1 / 0), 0); IS(1 ?: 2, 1); IS(!5, 0); IS(5 > 3 ? -1 : 1u, -1u); IS(3 == 3.0, 1); IS(0.1 + 0.2 == 0.3, 0); IS(0.1f == 0.1, 0);
IS(1.0f / 3.0f == (float)(1.0 / 3.0), 1); IS((float)16777217 == 16777216.0f, 1); IS((double)0x7fffffffffffffffLL == 9223372036854775808.0, 1); IS(0x1.8p1 == 3.0, 1);
IS((long long)1e18, 1000000000000000000LL); IS(18446744073709551615ULL, -1ULL); IS(0xffffffffu + 1, 0); IS(010, 8); IS(0b1010, 10); IS(sizeof(char[3][4]), 12);
struct s { char c; int i; short h[3]; struct { char x; double d; } in; }; union u { char c; int i; };
IS(__builtin_offsetof(struct s, i), 4); IS(__builtin_offsetof(struct s, h[2]), 12); IS(sizeof(union u), 4); IS((__SIZE_TYPE__)&((struct s *)0)->h, 8); IS(__builtin_offsetof(struct s, in.x), 16);
enum e { P, Q = 5, R, S = -3, T }; IS(R, 6); IS(T, -2); IS(P, 0); enum f { X = 'a', Y = X + 1, Z = sizeof(int) }; IS(Y, 98); IS(Z, 4);
IS(__builtin_constant_p(3), 1); IS(__builtin_types_compatible_p(int, signed), 1); IS(__builtin_types_compatible_p(int, unsigned), 0); IS(__builtin_types_compatible_p(char, signed char), 0);
IS(__builtin_choose_expr(1, 5, "x"), 5); IS(_Generic(1.0, int: 1, double: 2), 2); IS(_Alignof(int), 4); IS(__alignof__(short), 2); IS(__builtin_bswap32(0x01020304), 0x04030201);
IS(__builtin_popcount(255), 8); IS(__builtin_clz(1), 31); IS(__builtin_ctz(8), 3); IS(__builtin_ffs(0), 0); IS(__builtin_bswap64(1), 0x100000000000000ULL); IS(__builtin_parity(7), 1);
IS(sizeof(int[sizeof(char)]), 4); IS(sizeof(struct { int a : 3, b : 4; }), 4); IS(sizeof(struct {}), 0); IS(sizeof(int[0]), 0); IS(sizeof(struct { char c; int f[]; }), 4); IS(sizeof(void), 1);
