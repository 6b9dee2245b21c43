// Any expression of up to 8 bytes.
//   foldback verify --entry harness -p memsafety PROJECTS/tinyexpr/tinyexpr.c -I PROJECTS/tinyexpr examples/projects/libraries/tinyexpr.c
#include "tinyexpr.h"

void harness(void) {
  char text[9];
  int error;
  text[8] = 0;
  te_expr *expression = te_compile(text, 0, 0, &error);
  __CPROVER_assert((expression == 0) == (error != 0), "an error, or an expression");
  te_free(expression);
}
