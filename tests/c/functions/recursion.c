/* Recursion: direct, mutual, with arrays and pointers into callers' frames. */
#include <stdio.h>

static int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
static int is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

static int moves;
static void hanoi(int n, int from, int to, int via) {
  if (n == 0)
    return;
  hanoi(n - 1, from, via, to);
  moves++;
  hanoi(n - 1, via, to, from);
}

static void permute(int *v, int k, int n, int *count) {
  int local[4];
  if (k == n) {
    ++*count;
    return;
  }
  for (int i = 0; i < n; i++)
    local[i] = v[i];
  for (int i = k; i < n; i++) {
    int t = local[k];
    local[k] = local[i];
    local[i] = t;
    permute(local, k + 1, n, count);
  }
}

struct frame { int value; struct frame *up; };
static int chain(int depth, struct frame *up) {
  struct frame here = {depth, up};
  if (depth == 0) {
    int sum = 0;
    for (struct frame *f = &here; f; f = f->up)
      sum += f->value;
    return sum;
  }
  return chain(depth - 1, &here);
}

int main(void) {
  int count = 0, v[4] = {1, 2, 3, 4};
  printf("%d\n", ackermann(2, 5));
  printf("%d %d\n", is_even(100), is_odd(7));
  hanoi(8, 0, 2, 1);
  permute(v, 0, 4, &count);
  printf("%d %d %d\n", moves, count, v[0]);
  printf("%d\n", chain(20, 0));
  return 0;
}
