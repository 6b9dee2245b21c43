/* getopt, and parts of paths. */

typedef __typeof__(sizeof(0)) size_t;

void __foldback_unsupported(const char *what);
void __foldback_putchar_error(int c);

char *optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';

/* Within an argument like "-abc": what comes next. */
static const char *__foldback_option_rest;

static void __foldback_option_error(const char *program, const char *message, char option) {
  if (opterr == 0)
    return;
  while (*program != 0)
    __foldback_putchar_error(*program++);
  while (*message != 0)
    __foldback_putchar_error(*message++);
  __foldback_putchar_error(option);
  __foldback_putchar_error('\'');
  __foldback_putchar_error('\n');
}

/* As POSIX says. Where glibc would move arguments that are no options behind the options, that is not modelled. */
int getopt(int count, char *const arguments[], const char *options) {
  const char *list = options;
  int keeps_order = 0;
  optarg = 0;
  if (optind <= 0)
    __foldback_unsupported("getopt started again with optind = 0");
  if (*list == '+' || *list == '-') {
    if (*list == '-')
      __foldback_unsupported("getopt with options that begin with '-'");
    keeps_order = 1;
    list++;
  }
  int is_quiet = *list == ':';
  if (is_quiet)
    list++;
  if (__foldback_option_rest == 0 || *__foldback_option_rest == 0) {
    if (optind >= count)
      return -1;
    const char *argument = arguments[optind];
    if (argument == 0 || argument[0] != '-' || argument[1] == 0) {
      int next = optind + 1;
      while (argument != 0 && !keeps_order && next < count) {
        if (arguments[next][0] == '-' && arguments[next][1] != 0)
          __foldback_unsupported("getopt that moves arguments");
        next++;
      }
      return -1;
    }
    if (argument[1] == '-' && argument[2] == 0) {
      optind++;
      return -1;
    }
    __foldback_option_rest = argument + 1;
  }
  char option = *__foldback_option_rest;
  __foldback_option_rest++;
  int is_last = *__foldback_option_rest == 0;
  while (*list != 0 && *list != option)
    list++;
  if (*list == 0 || option == ':' || option == ';') {
    if (is_last) {
      optind++;
      __foldback_option_rest = 0;
    }
    if (!is_quiet)
      __foldback_option_error(arguments[0], ": invalid option -- '", option);
    optopt = option;
    return '?';
  }
  if (list[1] == ':') {
    if (!is_last) {
      optarg = (char *)__foldback_option_rest;
      optind++;
    } else if (list[2] == ':') {
      optind++;
    } else if (optind + 1 < count) {
      optarg = arguments[optind + 1];
      optind += 2;
    } else {
      optind++;
      __foldback_option_rest = 0;
      optopt = option;
      if (!is_quiet)
        __foldback_option_error(arguments[0], ": option requires an argument -- '", option);
      return is_quiet ? ':' : '?';
    }
    __foldback_option_rest = 0;
    return option;
  }
  if (is_last) {
    optind++;
    __foldback_option_rest = 0;
  }
  return option;
}

/* GNU's, of <string.h>: what follows the last slash. */
char *basename(const char *path) {
  const char *last = path;
  while (*path != 0) {
    if (*path == '/')
      last = path + 1;
    path++;
  }
  return (char *)last;
}

/* POSIX's, of <libgen.h>: without slashes at the end, which it overwrites. */
char *__xpg_basename(char *path) {
  if (path == 0 || *path == 0)
    return ".";
  size_t n = 0;
  while (path[n] != 0)
    n++;
  while (n > 1 && path[n - 1] == '/') {
    n--;
    path[n] = 0;
  }
  if (n == 1 && path[0] == '/')
    return path;
  size_t start = n;
  while (start > 0 && path[start - 1] != '/')
    start--;
  return path + start;
}

char *dirname(char *path) {
  if (path == 0 || *path == 0)
    return ".";
  size_t n = 0;
  while (path[n] != 0)
    n++;
  while (n > 1 && path[n - 1] == '/')
    n--;
  while (n > 0 && path[n - 1] != '/')
    n--;
  if (n == 0)
    return ".";
  size_t slashes = n;
  while (slashes > 0 && path[slashes - 1] == '/')
    slashes--;
  if (slashes == 0) {
    /* Two slashes at the start are kept. */
    if (n == 2)
      path[2] = 0;
    else
      path[1] = 0;
    return path;
  }
  path[slashes] = 0;
  return path;
}
