/* A program that ends by returning from a nested call with a status above 255: only the low byte counts. */
#include <stdio.h>
#include <stdlib.h>

static int depth(int n) {
  if (n == 0)
    exit(300);
  return depth(n - 1);
}

int main(void) {
  printf("before\n");
  depth(5);
  printf("after\n");
}
