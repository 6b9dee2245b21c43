// property: valid-deref
/* A buffer that is replaced by one of any other size, and written at its end.
   BUG: written behind its end. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
size_t __VERIFIER_nondet_size_t(void);

#ifdef BUG
#define LAST(size) (size)
#else
#define LAST(size) ((size) - 1)
#endif

int main(void) {
  char *buffer = NULL;
  size_t size = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      size_t wanted = __VERIFIER_nondet_size_t();
      if (wanted > 1000)
        continue;
      char *other = malloc(wanted);
      if (!other)
        break;
      free(buffer);
      buffer = other;
      size = wanted;
    }
    if (size > 0)
      buffer[LAST(size)] = 1;
  }
  free(buffer);
  return 0;
}
