/* Macros: function-like, stringising, pasting, variadic, conditional, __LINE__, line continuation. */
#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CONCAT(a, b) a##b
#define STRING(x) #x
#define EXPAND(x) STRING(x)
#define VALUE 42
#define SUM(...) sum(__VA_ARGS__, 0)
#define LOG(format, ...) printf(format "\n", ##__VA_ARGS__)
#define LIST(X) X(one) X(two) X(three)
#define ENUM(name) E_##name,
#define NAME(name) #name,

enum { LIST(ENUM) COUNT };
static const char *names[] = {LIST(NAME)};

static int sum(int a, ...) { return a; }

int main(void) {
  int xy = 3;
  printf("%d %s %s\n", CONCAT(x, y), STRING(a + b), EXPAND(VALUE));
  printf("%d\n", SUM(9, 8));
  LOG("no arguments");
  LOG("%d and %s", 1, "two");
  printf("%d %s %s\n", COUNT, names[E_two], names[E_three]);
#if defined(VALUE) && VALUE > 40 && !defined(OTHER)
  printf("line %d\n", __LINE__);
#else
#error wrong branch
#endif
#line 1000
  printf("line %d\n", __LINE__);
  printf("%d %d %u\n", INT_MAX, CHAR_BIT, UINT_MAX);
  printf("%d %d %d\n", (int)sizeof(int8_t), (int)sizeof(uint64_t), (int)(INT64_MAX == LLONG_MAX));
  printf("%d %d\n", CHAR_MIN, SCHAR_MAX);
  bool yes = true;
  assert(yes);
  printf("%d %d\n", yes, NULL == 0);
  printf("con\
tinued\n");
  return 0;
}
