// property: memsafety
// expect: ok
#include <string.h>
int main(void) {
  char a[2];
  memset(a + 2, 0, 0);
  memcpy(a + 2, a, 0);
  return 0;
}
