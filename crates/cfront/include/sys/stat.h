#ifndef _FOLDBACK_SYS_STAT_H
#define _FOLDBACK_SYS_STAT_H
#include <bits/stat.h>
#define S_ISDIR(mode) (((mode)&S_IFMT) == S_IFDIR)
#define S_ISCHR(mode) (((mode)&S_IFMT) == S_IFCHR)
#define S_ISBLK(mode) (((mode)&S_IFMT) == S_IFBLK)
#define S_ISREG(mode) (((mode)&S_IFMT) == S_IFREG)
#define S_ISFIFO(mode) (((mode)&S_IFMT) == S_IFIFO)
#define S_ISLNK(mode) (((mode)&S_IFMT) == S_IFLNK)
int chmod(const char *path, mode_t mode);
int fstat(int fd, struct stat *result);
int lstat(const char *restrict path, struct stat *restrict result);
int mkdir(const char *path, mode_t mode);
int mkfifo(const char *path, mode_t mode);
int stat(const char *restrict path, struct stat *restrict result);
mode_t umask(mode_t mask);
#endif
