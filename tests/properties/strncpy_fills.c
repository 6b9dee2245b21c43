// property: memsafety
// expect: violates valid-deref at 7
#include <string.h>
int main(void) {
  char s[8];
  strncpy(s, "ab", 8);
  strncpy(s, "ab", 9);
  return 0;
}
