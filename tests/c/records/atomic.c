/* Sizes and alignments of atomic types: what one instruction reads is aligned to its size. */
#include <stddef.h>
#include <stdio.h>
#define SHOW(type) \
  { \
    struct { \
      char c; \
      _Atomic type member; \
    } s; \
    printf("%s %zu %zu %zu\n", #type, sizeof(_Atomic type), _Alignof(_Atomic type), offsetof(__typeof(s), member)); \
  }
typedef struct { char a; } one;
typedef struct { char a[2]; } two;
typedef struct { char a[3]; } three;
typedef struct { short x, y; } four;
typedef struct { int a; short b; } eight;
typedef struct { char a[12]; } twelve;
typedef struct { int a[4]; } sixteen;
typedef struct { char a[32]; } large;
typedef union { char a[8]; } joined;
typedef long long tight __attribute__((aligned(2)));
typedef int wide __attribute__((aligned(16)));
typedef _Atomic long long whole;
typedef _Atomic four pair;
int main(void) {
  SHOW(char) SHOW(short) SHOW(int) SHOW(long) SHOW(long long) SHOW(float) SHOW(double) SHOW(long double) SHOW(_Bool)
  SHOW(void *) SHOW(one) SHOW(two) SHOW(three) SHOW(four) SHOW(eight) SHOW(twelve) SHOW(sixteen) SHOW(large)
  SHOW(joined) SHOW(float _Complex) SHOW(double _Complex) SHOW(long double _Complex) SHOW(tight) SHOW(wide)
  struct { char c; whole member; } s;
  struct { char c; pair members[2]; } t;
  struct __attribute__((packed)) { char c; _Atomic long long member; } p;
  printf("%zu %zu %zu %zu\n", sizeof s, sizeof t, sizeof p, _Alignof(whole));
  return 0;
}
