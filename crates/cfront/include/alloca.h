#ifndef _FOLDBACK_ALLOCA_H
#define _FOLDBACK_ALLOCA_H
#ifndef _FOLDBACK_SIZE_T
#define _FOLDBACK_SIZE_T
typedef __SIZE_TYPE__ size_t;
#endif
#undef alloca
void *alloca(size_t size);
#define alloca(size) __builtin_alloca(size)
#endif
