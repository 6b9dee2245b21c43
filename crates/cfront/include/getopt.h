#ifndef _FOLDBACK_GETOPT_H
#define _FOLDBACK_GETOPT_H
#include <features.h>
#include <unistd.h>
struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};
#define no_argument 0
#define required_argument 1
#define optional_argument 2
int getopt_long(int count, char *const arguments[], const char *options, const struct option *longs, int *index);
#endif
