#include "any_ring.h"

/* A static function, by the name that goto-cc gives it. */
size_t __CPROVER_file_local_ring_c_place(const struct ring *ring, size_t index);

void place_harness(void) {
  struct ring *ring = any_ring();
  size_t index;
  __CPROVER_assume(index < ring->capacity);
  __CPROVER_assert(__CPROVER_file_local_ring_c_place(ring, index) < ring->capacity, "it is inside");
}
