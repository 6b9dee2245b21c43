/* Enumerations: implicit values, negatives, expressions, as array bounds and case labels, arithmetic. */
#include <stdio.h>

enum colour { RED, GREEN = 5, BLUE, ALIAS = GREEN, NEGATIVE = -3, NEXT };
enum { SIZE = 1 << 3, MASK = SIZE - 1 };
enum flags { A = 1, B = A << 1, C = A | B, TOP = 0x80000000 };
typedef enum { FALSE, TRUE } boolean;

static const char *name(enum colour c) {
  switch (c) {
  case RED: return "red";
  case GREEN: return "green";
  case BLUE: return "blue";
  case NEGATIVE: return "negative";
  default: return "?";
  }
}

int main(void) {
  int array[SIZE];
  for (int i = 0; i < SIZE; i++)
    array[i] = i & MASK;
  printf("%d %d %d %d %d %d\n", RED, GREEN, BLUE, ALIAS, NEGATIVE, NEXT);
  printf("%s %s %s %s\n", name(RED), name(ALIAS), name(BLUE), name((enum colour)42));
  enum colour c = GREEN;
  c++;
  printf("%d %s\n", c, name(c));
  printf("%d %d\n", array[MASK], C);
  printf("%d %d\n", (int)sizeof(enum flags), TOP > 0);
  enum colour n = NEGATIVE;
  printf("%d %d\n", n < 0, n == -3);
  boolean b = !FALSE;
  printf("%d\n", b == TRUE);
  return BLUE;
}
