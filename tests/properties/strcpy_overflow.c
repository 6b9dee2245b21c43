// property: memsafety
// expect: violates valid-deref at 6
#include <string.h>
int main(void) {
  char s[5];
  strcpy(s, "hello");
  return 0;
}
