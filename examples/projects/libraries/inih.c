// Any text of up to 60 bytes.
//   foldback verify --entry harness -p memsafety -p no-overflow PROJECTS/inih/ini.c -I PROJECTS/inih examples/projects/libraries/inih.c
#include "ini.h"

static int handler(void *user, const char *section, const char *name, const char *value) {
  (void)user;
  return section[0] != name[0] || value != 0;
}

void harness(void) {
  char text[61];
  text[60] = 0;
  int line = ini_parse_string(text, handler, 0);
  __CPROVER_assert(line >= -2, "a line, or what went wrong");
}
