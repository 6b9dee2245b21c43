/* A ring as a caller may have it: of any capacity, with any number of bytes in it. */
#include "../include/ring.h"
#include <stdlib.h>

static struct ring *any_ring(void) {
  struct ring *ring = malloc(sizeof *ring);
  __CPROVER_assume(ring != NULL);
  ring->bytes = malloc(ring->capacity);
  __CPROVER_assume(ring->bytes != NULL);
  __CPROVER_assume(ring->first < ring->capacity && ring->count <= ring->capacity);
  return ring;
}

static bool is_valid(const struct ring *ring) {
  return __CPROVER_rw_ok(ring->bytes, ring->capacity) && ring->count <= ring->capacity &&
         (ring->first < ring->capacity || ring->capacity == 0);
}
