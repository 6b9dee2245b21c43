// Sorts three numbers by insertion and prints them: try `foldback run --seed 7 examples/sort.c`. Safe.
//   foldback verify --property assert --property memsafety examples/sort.c
#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define COUNT 3

int main(void) {
  int a[COUNT];
  for (int i = 0; i < COUNT; i++)
    a[i] = __VERIFIER_nondet_int();
  for (int i = 1; i < COUNT; i++) {
    int value = a[i], j = i;
    for (; j > 0 && a[j - 1] > value; j--)
      a[j] = a[j - 1];
    a[j] = value;
  }
  for (int i = 0; i < COUNT; i++)
    printf("%d%c", a[i], i + 1 < COUNT ? ' ' : '\n');
  for (int i = 1; i < COUNT; i++)
    assert(a[i - 1] <= a[i]);
  return 0;
}
