#ifndef _FOLDBACK_SEARCH_H
#define _FOLDBACK_SEARCH_H
#include <features.h>
#include <stddef.h>
void *lfind(const void *key, const void *base, size_t *count, size_t size, int (*compare)(const void *, const void *));
void *lsearch(const void *key, void *base, size_t *count, size_t size, int (*compare)(const void *, const void *));
#endif
