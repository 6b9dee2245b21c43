#include "../include/ring.h"
#include "../include/log.h"
#include <stdlib.h>

static size_t place(const struct ring *ring, size_t index) {
  size_t left = ring->capacity - ring->first;
#ifdef OFF_BY_ONE
  return index <= left ? ring->first + index : index - left;
#else
  return index < left ? ring->first + index : index - left;
#endif
}

bool ring_init(struct ring *ring, size_t capacity) {
  ring->bytes = malloc(capacity);
  if (!ring->bytes) {
    log_event("no memory", capacity);
    return false;
  }
  ring->capacity = capacity;
  ring->first = ring->count = 0;
  return true;
}

void ring_clear(struct ring *ring) {
  free(ring->bytes);
  ring->bytes = NULL;
  ring->capacity = ring->first = ring->count = 0;
}

bool ring_put(struct ring *ring, uint8_t byte) {
  if (ring->count == ring->capacity) {
    log_event("full", ring->count);
    return false;
  }
  ring->bytes[place(ring, ring->count)] = byte;
  ring->count++;
  return true;
}

bool ring_get(struct ring *ring, uint8_t *byte) {
  if (ring->count == 0)
    return false;
  *byte = ring->bytes[ring->first];
  ring->first = place(ring, 1);
  ring->count--;
  return true;
}

size_t ring_write(struct ring *ring, const uint8_t *bytes, size_t count) {
  size_t done = 0;
  while (done < count && ring_put(ring, bytes[done]))
    done++;
  return done;
}
