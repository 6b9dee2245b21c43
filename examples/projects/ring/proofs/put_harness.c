#include "any_ring.h"

void put_harness(void) {
  struct ring *ring = any_ring();
  uint8_t byte;
  size_t before = ring->count;
  bool was_full = before == ring->capacity;
  bool done = ring_put(ring, byte);
  __CPROVER_assert(done == !was_full, "there is room unless it is full");
  __CPROVER_assert(is_valid(ring), "it stays valid");
  __CPROVER_assert(ring->count == before + done, "one more");
}
