#ifndef _FOLDBACK_DLFCN_H
#define _FOLDBACK_DLFCN_H
#include <bits/size_t.h>
#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_GLOBAL 0x100
#define RTLD_LOCAL 0
int dlclose(void *library);
char *dlerror(void);
void *dlopen(const char *file, int mode);
void *dlsym(void *restrict library, const char *restrict name);
#endif
