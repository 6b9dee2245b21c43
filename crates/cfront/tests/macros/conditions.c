/* Conditional groups and their expressions. */
#if 0
don't "worry /* about
this */ #else
#if nonsense (
#elif more nonsense
#else junk
#endif
'
#elif 1 // yes
one
#elif 1 / 0
two
#else
three
#endif
#if 1 || 1 / 0
four
#endif
#if 0 && (1 / 0 || 1 % 0)
#else
five
#endif
#if 1 ? 2 : (3 / 0)
six
#endif
#if -1 > 0u
seven
#endif
#if (0 ? 1u : -1) > 0
eight
#endif
#if -1 >> 1 == -1 && (-1u >> 1) > 0 && 1 << 63 < 0 && 1 << 64 == 0 && (1 << -1) == 0 && (4 >> -1) == 8
nine
#endif
#if 'a' == 97 && '\377' < 0 && 'ab' == 24930 && L'\xff' == 255 && u'\xff' > 0 && '\0' == 0
ten
#endif
#if 0x7fffffffffffffff + 1 < 0
eleven
#endif
#if 0xffffffffffffffff > 0 && 18446744073709551615 > 0
twelve
#endif
#define DEF defined
#define HAS(x) defined(x)
#if DEF HAS && DEF(DEF) && HAS(DEF) && !HAS(HASNOT) && !defined HASNOT
thirteen
#endif
#define EMPTY
#if EMPTY 1 EMPTY
fourteen
#endif
#if (2, 3) == 3
fifteen
#endif
#if unknown == 0 && int == 0 && true == 0
sixteen
#endif
#define f(x) x
#if f(1) + f
seventeen
#endif
#ifdef f
eighteen
#endif extra
#ifndef f
#elifdef f
nineteen
#endif
#ifndef f
#elifndef f
#else
twenty
#endif
# /* null */
#
  #  if /* c */ 1 /* spanning
  lines */ + 0
twenty_one
  #  endif
/* before */ # /* in */ define /* in */ COMMENTED /* in */ 1 /* after */
COMMENTED
#if 1 == 1L && 2ul == 2LU && 3ll == 3 && 0b11 == 3 && 010 == 8
twenty_two
#endif
#if !(3 - 4 - 5 != -6) && 2 + 3 * 4 == 14 && 7 % 4 == 3 && -7 / 2 == -3 && -7 % 2 == -1 && (1 | 6 ^ 2 & 3) == 5
twenty_three
#endif
#if 1 ? 0 ? 0 : 1 : 0
twenty_four
#endif
#if __STDC__ && __STDC_VERSION__ == 201710L && __STDC_HOSTED__ && defined __STDC_UTF_16__ && defined __FILE__
twenty_five
#endif
