#ifndef _FOLDBACK_ALLOCA_H
#define _FOLDBACK_ALLOCA_H
#include <features.h>
#include <bits/size_t.h>
#undef alloca
void *alloca(size_t size);
#define alloca(size) __builtin_alloca(size)
#endif
