/* Texts that end with a zero, in arrays of known size. */
#ifndef TEXT_H
#define TEXT_H
#include <stdbool.h>
#include <stddef.h>

/* The length of a text in an array of `size` bytes; `size` when no zero is there. */
size_t text_length(const char *text, size_t size);
/* Copies a text as far as it fits; what is there is a text in any case. */
bool text_copy(char *to, size_t size, const char *from, size_t from_size);
/* Without blanks at its start: where it begins. */
size_t text_skip_blanks(const char *text, size_t size);
#endif
