#include "any_ring.h"

/* What is put into an empty ring is what comes out. */
void get_harness(void) {
  struct ring *ring = any_ring();
  uint8_t in, out;
  __CPROVER_assume(ring->count == 0);
  __CPROVER_assert(!ring_get(ring, &out), "nothing comes out of an empty ring");
  __CPROVER_assert(ring_put(ring, in), "there is room");
  __CPROVER_assert(ring_get(ring, &out) && out == in, "the same comes out");
  __CPROVER_assert(is_valid(ring) && ring->count == 0, "it is empty again");
}
