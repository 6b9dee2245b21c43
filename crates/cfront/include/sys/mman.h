#ifndef _FOLDBACK_SYS_MMAN_H
#define _FOLDBACK_SYS_MMAN_H
#include <sys/types.h>
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 0x10
#define MAP_ANONYMOUS 0x20
#define MAP_ANON 0x20
#define MAP_FAILED ((void *)-1)
#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 4
#define MADV_NORMAL 0
#define MADV_DONTNEED 4
int madvise(void *start, size_t length, int advice);
int mlock(const void *start, size_t length);
int mlockall(int flags);
void *mmap(void *start, size_t length, int protection, int flags, int fd, off_t offset);
int mprotect(void *start, size_t length, int protection);
int msync(void *start, size_t length, int flags);
int munlock(const void *start, size_t length);
int munlockall(void);
int munmap(void *start, size_t length);
int shm_open(const char *name, int flags, mode_t mode);
int shm_unlink(const char *name);
#endif
