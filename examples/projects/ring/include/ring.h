/* A queue of bytes of fixed capacity. */
#ifndef RING_H
#define RING_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring {
  uint8_t *bytes;
  size_t capacity; /* of `bytes` */
  size_t first;    /* where the oldest byte is */
  size_t count;    /* how many bytes there are */
};

/* Gives the memory for `capacity` bytes; false when there is none. */
bool ring_init(struct ring *ring, size_t capacity);
void ring_clear(struct ring *ring);
bool ring_put(struct ring *ring, uint8_t byte);
bool ring_get(struct ring *ring, uint8_t *byte);
/* Puts as many of the bytes as there is room for, and says how many. */
size_t ring_write(struct ring *ring, const uint8_t *bytes, size_t count);
#endif
