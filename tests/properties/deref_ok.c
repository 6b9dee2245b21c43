// property: memsafety
// expect: ok
#include <stdlib.h>
#include <string.h>

int main(void) {
  int a[3] = {1, 2, 3}, *p = a + 3;
  p--;
  char *s = malloc(6);
  strcpy(s, "hello");
  int sum = *p + s[5];
  char *t = realloc(s, 12);
  strcat(t, " world");
  free(t);
  free(NULL);
  return sum;
}
