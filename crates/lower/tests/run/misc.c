// Odds and ends: K&R functions, structs through variable arguments, alloca, atomics, _Generic, wide strings, unions of
// bit-fields, recursion with statics, conditional structs, pointer comparisons, nested calls with effects.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  int a;
  double b;
};
enum colour { RED = 3, GREEN, BLUE = -1 };
union packed {
  struct {
    unsigned low : 4, high : 4;
  };
  unsigned char byte;
};
typedef int (*operation)(int, int);

static int old_style(a, b, c)
int a;
char b;
float c;
{ return a + b + (int)c; }

static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static operation choose(int which) { return which ? plus : minus; }

static double sum(int n, ...) {
  va_list ap;
  double total = 0;
  va_start(ap, n);
  while (n--) {
    struct pair p = va_arg(ap, struct pair);
    total += p.a * p.b;
  }
  total += va_arg(ap, long long);
  total += *va_arg(ap, char *);
  va_end(ap);
  return total;
}

static struct pair make(int a, double b) { return (struct pair){a, b}; }

static int depth(int n) {
  static int deepest;
  if (n > deepest)
    deepest = n;
  return n == 0 ? deepest : depth(n - 1);
}

static int next(void) {
  static int n;
  return ++n;
}

static char *copy(const char *s) {
  char *local = __builtin_alloca(strlen(s) + 1);
  strcpy(local, s);
  return local[0] ? strdup(local) : 0;
}

static int swap_words(int words[static 2]) {
  int t = words[0];
  words[0] = words[1];
  words[1] = t;
  return words[0];
}

#define kind(x) _Generic((x), int: "int", double: "double", char *: "string", default: "other")

int main(void) {
  printf("%d\n", old_style(1, 'a', 2.75));
  printf("%d %d\n", choose(1)(5, 3), (*choose(0))(5, 3));
  char z = 'z';
  printf("%g\n", sum(2, make(2, 1.5), make(4, 0.25), 1000LL, &z));
  printf("%d\n", depth(7) + depth(3));
  union packed u = {.byte = 0xa5};
  u.low += 13;
  printf("%x %d\n", u.byte, u.high);
  struct pair p = next() > 5 ? make(1, 1) : make(2, next());
  printf("%d %g\n", p.a, p.b);
  int values[6] = {0};
  values[next()] = 7;
  values[3] += next() * 10;
  values[next() - 1]++;
  for (int i = 0, j = 5; i < j; i++, j--)
    printf("%d,%d ", values[i], values[j]);
  printf("\n%s %s %s %s\n", kind(1), kind(2.0), kind(&z), kind(u.byte));
  enum colour c = BLUE;
  switch (c) {
  case RED:
  case GREEN: printf("warm\n"); break;
  case BLUE: printf("cold %d\n", c);
  }
  char *s = copy("stack to heap");
  printf("%s\n", s);
  free(s);
  int counter = 5;
  printf("%d ", __sync_fetch_and_add(&counter, 3));
  printf("%d ", __sync_add_and_fetch(&counter, 1));
  printf("%d ", __sync_bool_compare_and_swap(&counter, 9, 100));
  printf("%d\n", counter);
  __WCHAR_TYPE__ wide[] = L"hi\x263a";
  printf("%d %d\n", (int)(sizeof wide / sizeof *wide), (int)wide[2]);
  int words[2] = {1, 2};
  printf("%d ", swap_words(words));
  printf("%d\n", words[1]);
  int *first = &values[1], *last = &values[4];
  printf("%d %d %d\n", first < last, (int)(last - first), (char *)last - (char *)first == 3 * sizeof(int));
  struct pair table[2][2] = {[1] = {[0] = {.a = 9}}}, (*row)[2] = table + 1;
  row[0][1] = (*row)[0];
  printf("%d %g\n", table[1][1].a, table[0][1].b);
  unsigned short h = 0xffff;
  h++;
  signed char small = 127;
  small++;
  _Bool flag = 5;
  flag--;
  printf("%d %d %d\n", h, small, flag);
  const char *text = "abc" "def";
  int vowels = 0;
  for (const char *t = text; *t; t++)
    vowels += *t == 'a' || *t == 'e';
  printf("%d %c\n", vowels, text[sizeof "abc" - 1]);
  goto end;
  {
    int skipped = 5;
  end:
    skipped = 2;
    printf("%d\n", skipped);
  }
  long total = 0;
  for (int i = 0; i < 10; ++i) {
    if (i & 1)
      continue;
    int *literal = (int[]){i, i * 2};
    total += literal[1];
  }
  printf("%ld %s\n", total, __func__);
  exit(total == 40 ? 4 : 5);
}
