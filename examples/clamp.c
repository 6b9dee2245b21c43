// A function that is checked by itself, with any arguments. Unsafe: the limits may be the wrong way round.
//   foldback verify --property assert --entry clamp examples/clamp.c
#include <assert.h>

struct limits {
  int low, high;
};

int clamp(int x, const struct limits *limits) {
  if (!limits)
    return x;
  if (x < limits->low)
    x = limits->low;
  if (x > limits->high)
    x = limits->high;
  assert(x >= limits->low);
  return x;
}
