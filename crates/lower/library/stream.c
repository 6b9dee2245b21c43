/* Blocks and strings of streams that are read and written by characters: in memory (memory_stream.c), or files of a
   program that just runs (file.c). */

typedef __typeof__(sizeof(0)) size_t;

int __foldback_memory_put(void *stream, int c);
int __foldback_memory_get(void *stream);

size_t __foldback_memory_read(void *block, size_t size, size_t count, void *stream) {
  size_t i = 0;
  while (i < size * count) {
    int c = __foldback_memory_get(stream);
    if (c == -1)
      break;
    ((unsigned char *)block)[i] = (unsigned char)c;
    i++;
  }
  return size == 0 ? 0 : i / size;
}

size_t __foldback_memory_block(const void *block, size_t size, size_t count, void *stream) {
  size_t i = 0;
  while (i < size * count) {
    if (__foldback_memory_put(stream, ((const unsigned char *)block)[i]) == -1)
      break;
    i++;
  }
  return size == 0 ? 0 : i / size;
}

int __foldback_memory_string(const char *s, void *stream) {
  while (*s != 0) {
    if (__foldback_memory_put(stream, (unsigned char)*s) == -1)
      return -1;
    s++;
  }
  return 1;
}
