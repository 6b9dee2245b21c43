/* What the program asks to be called at its end. */
static void *__foldback_exit_handlers[32];

static int __foldback_exit_count;

/* Called where the program ends by a return from main or by exit: the last function first. */
void __foldback_run_exit_handlers(void) {
  while (__foldback_exit_count > 0) {
    __foldback_exit_count--;
    ((void (*)(void))__foldback_exit_handlers[__foldback_exit_count])();
  }
}

/* The library must take 32 functions; whether it takes more is its own affair. */
int atexit(void (*function)(void)) {
  (void)__foldback_run_exit_handlers;
  if (__foldback_exit_count == 32)
    __foldback_unsupported("more than 32 functions given to atexit");
  __foldback_exit_handlers[__foldback_exit_count] = (void *)function;
  __foldback_exit_count++;
  return 0;
}
