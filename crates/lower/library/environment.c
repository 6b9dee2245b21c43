/* The environment of the process: each variable is absent or any string shorter than 2^17 bytes, always the same one while
   the program does not change it. What it changes is not modelled. */

typedef __typeof__(sizeof(0)) size_t;

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
char *__foldback_any_string(void);
void __foldback_unsupported(const char *what);
void __foldback_errno_any_if(int condition);
void __foldback_errno_stream(int condition);
void __foldback_errno_if(int condition, int value);

static char __foldback_names[8][64];
static char *__foldback_values[8];
static int __foldback_variables;
static int __foldback_changed;

static int __foldback_same_name(const char *a, const char *b) {
  while (*a != 0 && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

/* Whether no variable has this name: it is empty, or has a = in it. */
static int __foldback_is_no_name(const char *name) {
  int is_none = *name == 0;
  for (const char *c = name; *c != 0; c++)
    is_none |= *c == '=';
  return is_none;
}

char *getenv(const char *name) {
  if (__foldback_is_no_name(name))
    return 0;
  if (__foldback_changed)
    __foldback_unsupported("getenv after a change of the environment");
  int v = 0;
  while (v < __foldback_variables) {
    if (__foldback_same_name(name, __foldback_names[v]))
      return __foldback_values[v];
    v++;
  }
  if (v == 8)
    __foldback_unsupported("more than 8 environment variables");
  __foldback_variables = v + 1;
  size_t n = 0;
  while (name[n] != 0) {
    if (n == 63)
      __foldback_unsupported("the name of an environment variable of 64 or more characters");
    __foldback_names[v][n] = name[n];
    n++;
  }
  __foldback_names[v][n] = 0;
  if (__VERIFIER_nondet_int() == 0)
    return 0;
  __foldback_values[v] = __foldback_any_string();
  return __foldback_values[v];
}

char *secure_getenv(const char *name) { return getenv(name); }

static int __foldback_change(const char *name, int fails) {
  while (*name != 0)
    name++;
  __foldback_errno_any_if(fails != 0);
  __foldback_changed = 1;
  return fails != 0 ? -1 : 0;
}

int setenv(const char *name, const char *value, int overwrite) {
  (void)overwrite;
  int is_no_name = __foldback_is_no_name(name);
  __foldback_errno_if(is_no_name, 22);
  if (is_no_name)
    return -1;
  while (*value != 0)
    value++;
  return __foldback_change(name, __VERIFIER_nondet_int());
}

int unsetenv(const char *name) {
  int is_no_name = __foldback_is_no_name(name);
  __foldback_errno_if(is_no_name, 22);
  __foldback_changed = 1;
  return is_no_name ? -1 : 0;
}

int putenv(char *text) { return __foldback_change(text, __VERIFIER_nondet_int()); }
int clearenv(void) { return __foldback_change("", __VERIFIER_nondet_int()); }

/* -1, or a status as wait gives it, which has 16 bits; without a command, whether there is a shell. */
int system(const char *command) {
  if (command != 0)
    while (*command != 0)
      command++;
  int status = __VERIFIER_nondet_int();
  __VERIFIER_assume(status >= (command != 0 ? -1 : 0) && status <= (command != 0 ? 65535 : 1));
  __foldback_errno_stream(status == -1);
  return status;
}
