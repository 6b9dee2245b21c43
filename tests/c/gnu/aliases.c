/* Second names of variables. */
#include <stdio.h>

struct id {
  int vendor, product;
};

static struct id table[2] = {{1, 2}, {3, 4}};
/* As modules of Linux do; nobody uses the name. */
extern const struct id module_table __attribute__((unused, alias("table")));

int counter = 5;
extern int second __attribute__((alias("counter")));

static void step(void) { second++; }

int main(void) {
  int *p = &second;
  step();
  *p += 10;
  printf("%d %d %d\n", counter, second, p == &counter);
  counter = 3;
  printf("%d %d\n", second, table[1].product);
  return 0;
}
