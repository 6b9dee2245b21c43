// Any text of up to 64 bytes, any number of tokens up to 8.
//   foldback verify --entry harness -p memsafety -p no-overflow -I PROJECTS/jsmn examples/projects/libraries/jsmn.c
#define JSMN_STATIC
#include "jsmn.h"

void harness(size_t length, unsigned count) {
  char text[64];
  jsmntok_t tokens[8];
  jsmn_parser parser;
  __CPROVER_assume(length <= sizeof(text) && count <= 8);
  jsmn_init(&parser);
  int result = jsmn_parse(&parser, text, length, tokens, count);
  __CPROVER_assert(result <= (int)length, "no more tokens than bytes");
}
