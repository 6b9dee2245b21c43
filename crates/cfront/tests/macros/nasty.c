/* What goes wrong first in a preprocessor. */
#define foo foo bar
#define bar foo
foo bar
#define a1 b1
#define b1 a1
a1 b1 a1
#define A B
#define B C A
#define C A B
A; B; C;
#define self(x) self x self(x)
self(self(1))(2)
#define f(x) [x]
#define g f
#define lparen (
f(1) f (2) f
(3) f

/* between */ // and
(4) f lparen 5) g(6) g
(7)
f
#define INSIDE 8
(8)
#define call(x) x
call(f)(9) call(call)(call)(1) call(f lparen 10))
call(
  f (
#ifdef INSIDE
  11
#else
  12
#endif
  )
#undef INSIDE
#define INSIDE 13
  INSIDE
)
#define NIL(xxx) xxx
#define G_0(arg) NIL(G_1)(arg)
#define G_1(arg) NIL(arg)
G_0(42)
#define _str(x) #x
#define str(x) _str(x)
#define va(...) #__VA_ARGS__
_str(  a   b	c  ) _str("a\n\"q\"" '\'' '"' L"w" u8"x") _str(\) _str(\\ a) _str(a\
b) str(f(1)) str( foo ) _str() str() va() va( ) va(a,b , c,	d) va(a
b
c) _str(/**/) _str(a/**/b) _str(a /**/ b) _str(<: %: %:%:) _str(@ ` $x)
#define sp(x) str(-x) str(x-) str(- x) str(x x) str(x/**/x) str((x))
sp(1) sp() sp(foo) sp(-)
#define EMPTY
str(EMPTY) str(EMPTY x) str(x EMPTY) str(x EMPTY y) str(xEMPTY) str(f(EMPTY)) str(EMPTY EMPTY) str(a EMPTY/**/EMPTY b) str(EMPTY-EMPTY)
#define cat(a, b) a ## b
#define xcat(a, b) cat(a, b)
cat(a, b) cat(a,) cat(,b) cat(,) cat(1, e) cat(1e, +3) cat(+, +) cat(-, >) cat(L, 'a') cat(L, "s") cat(<, <=) cat(., 5)
cat(fo, o) xcat(fo, o) xcat(f, oo) xcat(ca, t)(3, 4) cat(a b, c d) cat(0x, 1f) cat(_, __LINE__) xcat(_, __LINE__)
#define cat3(a, b, c) a ## b ## c
cat3(a,b,c) cat3(,,) cat3(a,,c) cat3(,b,) cat3(<,<,=)
#define obj x ## y ## 1 ## 2 z
obj
#define odd(x) x ## ## y
odd(a)
#define hash(x) # /* c */ x
hash(  q  )
#define HASH #
str(HASH include) _str(HASH)
#define comma ,
#define two(x, y) {x|y}
two(1 comma 2, 3) f(1 comma 2) two((1, 2), [3])
two(,) two( , ) two(a,) f() f( )
#define nothing() none
nothing() nothing( ) nothing(
) nothing nothing
#define later second
#define second third
later
#undef second
later
#define second fourth
later
__LINE__ __FILE__ __COUNTER__ __INCLUDE_LEVEL__ __COUNTER__ __BASE_FILE__
f(__LINE__
__LINE__
) str(__LINE__) _str(__LINE__)
#define LINES(x) __LINE__ x __LINE__
LINES(
LINES(1)

__LINE__) __LINE__
#line 100
__LINE__
#line 200 "other.c"
__LINE__ __FILE__
# 300 "third \"q\\.c"
__LINE__ __FILE__
#define TARGET 400 "fourth.c"
#line TARGET
__LINE__ \
__LINE__ __FILE__
ident\
ifier "str\
ing" 12\
34 +\
= 'c\
' /\
* comment *\
/ after /\
/ comment \
more comment
next	tab
%: define digraph <: 1 :> <% %>
digraph
