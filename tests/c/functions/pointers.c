/* Function pointers: tables, parameters, returned, compared, called through * and &, in structs, stored as void pointers. */
#include <stdio.h>

typedef int (*op)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static op table[] = {add, &sub, mul};

static int apply(op f, int a, int b) { return f ? (*f)(a, b) : -1; }
static op choose(char c) { return c == '+' ? add : c == '-' ? sub : c == '*' ? mul : 0; }
static int (*direct(int k))(int, int) { return table[k]; }

struct object {
  int value;
  int (*get)(struct object *);
  void (*set)(struct object *, int);
};
static int get(struct object *o) { return o->value; }
static void set(struct object *o, int v) { o->value = v; }

static int fold(const int *v, int n, int start, int f(int, int)) {
  while (n-- > 0)
    start = f(start, *v++);
  return start;
}

static void visit(int depth, void (*f)(int)) {
  if (depth > 0) {
    f(depth);
    visit(depth - 1, f);
  }
}
static int seen;
static void note(int d) { seen = seen * 10 + d; }

int main(void) {
  int v[] = {1, 2, 3, 4};
  for (int i = 0; i < 3; i++)
    printf("%d ", table[i](7, 3));
  printf("%d %d %d\n", apply(add, 1, 2), apply(choose('*'), 3, 4), apply(choose('?'), 1, 1));
  printf("%d %d\n", fold(v, 4, 0, add), fold(v, 4, 1, mul));
  printf("%d %d\n", direct(1)(10, 4), (**direct(2))(5, 5));
  struct object o = {3, get, set};
  o.set(&o, o.get(&o) + 1);
  printf("%d\n", o.get(&o));
  visit(4, note);
  printf("%d\n", seen);
  op a = add, b = choose('+');
  printf("%d %d %d\n", a == b, a == sub, a != 0);
  void *hidden = (void *)mul;
  printf("%d\n", ((op)hidden)(6, 7));
  int (*(*chooser)(int))(int, int) = direct;
  printf("%d\n", chooser(0)(1, 1));
  return (v[0] ? add : sub)(2, 2);
}
