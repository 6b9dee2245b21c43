/* errno.h. Models set errno by __foldback_errno_if and its like, which are nothing in programs that never look. */

static int __foldback_errno;

int *__errno_location(void) { return &__foldback_errno; }
