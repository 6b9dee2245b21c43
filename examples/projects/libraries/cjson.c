// Any text of 8 bytes.
//   foldback verify --entry harness -p memsafety PROJECTS/cJSON/cJSON.c -I PROJECTS/cJSON examples/projects/libraries/cjson.c
#include "cJSON.h"

void harness(void) {
  char text[8];
  cJSON *item = cJSON_ParseWithLength(text, sizeof(text));
  cJSON_Delete(item);
}
