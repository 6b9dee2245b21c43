#ifndef _FOLDBACK_DLFCN_H
#define _FOLDBACK_DLFCN_H
#include <features.h>
#include <bits/size_t.h>
#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_GLOBAL 0x100
#define RTLD_LOCAL 0
int dlclose(void *library);
char *dlerror(void);
void *dlopen(const char *file, int mode);
void *dlsym(void *restrict library, const char *restrict name);
#define RTLD_BINDING_MASK 0x3
#define RTLD_NOLOAD 0x00004
#define RTLD_DEEPBIND 0x00008
#define RTLD_NODELETE 0x01000
#define RTLD_DEFAULT ((void *) 0)
#define RTLD_NEXT ((void *) -1l)
#ifdef __USE_GNU
#define DLFO_STRUCT_HAS_EH_COUNT 0
#define LM_ID_NEWLM -1
#define LM_ID_BASE 0
#ifdef __LP64__
#define DLFO_STRUCT_HAS_EH_DBASE 0
#else
#define DLFO_STRUCT_HAS_EH_DBASE 1
#endif
#endif
#ifdef __USE_GNU
typedef long Lmid_t;
#endif
#endif
