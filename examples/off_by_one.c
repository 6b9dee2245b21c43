// Copies a string into a buffer that has no room for the terminating zero of the longest one. Unsafe.
//   foldback verify --property memsafety examples/off_by_one.c
#include <string.h>

extern char __VERIFIER_nondet_char(void);

#define ROOM 8

int main(void) {
  char input[ROOM + 1];
  char copy[ROOM];
  int i;
  for (i = 0; i < ROOM; i++) {
    input[i] = __VERIFIER_nondet_char();
    if (input[i] == 0)
      break;
  }
  input[i] = 0;
  if (strlen(input) <= ROOM)
    strcpy(copy, input);
  return copy[0];
}
