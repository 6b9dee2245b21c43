#include "any_ring.h"

void init_harness(void) {
  size_t capacity;
  struct ring ring;
  if (ring_init(&ring, capacity)) {
    __CPROVER_assert(is_valid(&ring) && ring.count == 0, "a new ring is empty");
    ring_clear(&ring);
    __CPROVER_assert(ring.bytes == NULL, "its memory is given back");
  }
}
