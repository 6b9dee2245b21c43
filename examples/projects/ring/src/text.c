#include "../include/text.h"

size_t text_length(const char *text, size_t size) {
  size_t length = 0;
  while (length < size && text[length])
    length++;
  return length;
}

bool text_copy(char *to, size_t size, const char *from, size_t from_size) {
  size_t length = text_length(from, from_size);
  if (size == 0)
    return false;
  bool fits = length < size;
  if (!fits)
    length = size - 1;
  for (size_t i = 0; i < length; i++)
    to[i] = from[i];
  to[length] = 0;
  return fits;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

size_t text_skip_blanks(const char *text, size_t size) {
  size_t at = 0;
  while (at < size && is_blank(text[at]))
    at++;
  return at;
}
