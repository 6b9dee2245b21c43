// property: memsafety
// expect: violates valid-deref at 6
#include <string.h>
int main(void) {
  char s[3] = "abc";
  return (int)strlen(s);
}
