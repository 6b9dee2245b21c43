#ifndef _FOLDBACK_MALLOC_H
#define _FOLDBACK_MALLOC_H
#include <features.h>
#include <stdio.h>
#include <stdlib.h>
void *memalign(size_t alignment, size_t size);
void *valloc(size_t size);
size_t malloc_usable_size(void *block);
#define M_ARENA_MAX -8
#define M_ARENA_TEST -7
#define M_PERTURB -6
#define M_CHECK_ACTION -5
#define M_MMAP_MAX -4
#define M_MMAP_THRESHOLD -3
#define M_TOP_PAD -2
#define M_TRIM_THRESHOLD -1
#define M_MXFAST 1
#define M_NLBLKS 2
#define M_GRAIN 3
#define M_KEEP 4
#endif
