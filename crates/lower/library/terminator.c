/* Where the string ends that was read last: a hint.

   That a string in a buffer ends inside of it, somewhere, is a fact about all of its bytes, and such facts are hard to find. That it
   ends at a place which a variable holds is an easy one. So what reads a line notes where it ended, and what walks through a
   string stops there, too: where it would have stopped anyway, since the hint is followed only where there is a zero byte. It
   is an offset, not an address, so that it keeps no block reachable. */

typedef __typeof__(sizeof(0)) size_t;

size_t __foldback_offset(const void *p);

size_t __foldback_room(const void *p);

static int __foldback_is_noted;

static size_t __foldback_noted;

void __foldback_note_end(const char *end) {
  __foldback_is_noted = 1;
  __foldback_noted = __foldback_offset(end);
}

/* A zero byte of the string at `s`, or null. */
const char *__foldback_strknown_end(const char *s) {
  if (!__foldback_is_noted)
    return 0;
  size_t ahead = __foldback_noted - __foldback_offset(s);
  if (ahead >= __foldback_room(s) || s[ahead] != 0)
    return 0;
  return s + ahead;
}
