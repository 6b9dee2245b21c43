#ifndef _KLEE_KLEE_H
#define _KLEE_KLEE_H 1

/* What programs for KLEE ask of it. */

#include <stddef.h>
#include <stdint.h>

void klee_make_symbolic(void *address, size_t bytes, const char *name);
int klee_range(int from, int below, const char *name);
int klee_int(const char *name);
void klee_assume(uintptr_t condition);
void klee_assert(int condition);
void klee_silent_exit(int code);
void klee_report_error(const char *file, int line, const char *message, const char *kind);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_print_expr(const char *message, ...);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_stack_trace(void);

#endif
