/* goto forward, backward, into and out of loops and blocks; break and continue. */
#include <stdio.h>

static int into_loop(int start) {
  int i = start, sum = 0;
  if (start > 2)
    goto inside;
  for (i = 0; i < 5; i++) {
    sum += 10;
  inside:
    sum += i;
  }
  return sum;
}

static int spaghetti(int n) {
  int steps = 0;
again:
  steps++;
  if (n == 1)
    goto done;
  if (n % 2)
    goto odd;
  n /= 2;
  goto again;
odd:
  n = 3 * n + 1;
  goto again;
done:
  return steps;
}

static int out_of_nest(int limit) {
  int i, j, k = 0;
  for (i = 0; i < 10; i++) {
    for (j = 0; j < 10; j++) {
      int local = i * j;
      if (local > limit)
        goto found;
      k += local;
    }
  }
found:
  return i * 1000 + j * 100 + k;
}

static int two_entries(int a) {
  int n = 0;
  if (a)
    goto b;
a:
  n += 1;
  if (n > 20)
    return n;
b:
  n += 3;
  goto a;
}

static int into_block(int skip) {
  int r = 1;
  if (skip)
    goto inner;
  {
    int x;
    r = 2;
  inner:
    x = 40;
    r += x;
  }
  return r;
}

int main(void) {
  printf("%d %d\n", into_loop(0), into_loop(3));
  printf("%d %d\n", spaghetti(27), spaghetti(1));
  printf("%d %d\n", out_of_nest(20), out_of_nest(1000));
  printf("%d %d\n", two_entries(0), two_entries(1));
  printf("%d %d\n", into_block(0), into_block(1));
  int n = 0;
  do {
    if (n == 3) {
      n = 10;
      continue;
    }
    if (n == 11)
      break;
    n++;
  } while (n < 15);
  printf("%d\n", n);
  for (;;) {
    if (++n > 20)
      break;
    if (n % 2)
      continue;
    printf("%d ", n);
  }
  printf("\n");
  while (1)
    while (1)
      goto end;
end:;
  return n;
}
