#include "../include/text.h"
#include <stdlib.h>

void blanks_harness(void) {
  size_t size;
  char *text = malloc(size);
  __CPROVER_assume(text != NULL);
  size_t at = text_skip_blanks(text, size);
  __CPROVER_assert(at <= size, "inside or at the end");
  __CPROVER_assert(at == size || (text[at] != ' ' && text[at] != '\t'), "no blank there");
}
