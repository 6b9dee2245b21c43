/* getopt, and parts of paths. */
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char *arguments[] = {"program", "-a", "-bvalue", "-b", "next", "-xa", "--", "-a", 0};
  int option;
  printf("%d %d %d\n", optind, opterr, optarg == 0);
  opterr = 0;
  while ((option = getopt(8, arguments, "ab:")) != -1)
    printf("%c %s %d\n", option, optarg ? optarg : "(none)", optind);
  printf("%d %c\n", optind, optopt);
  static const char *const paths[] = {"", "/", "a", "a/b", "/a/b/", "//a", "a//b//c"};
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
    char text[32];
    printf("%s ", dirname(strcpy(text, paths[i])));
    printf("%s\n", basename(strcpy(text, paths[i])));
  }
  return optind;
}
