#ifndef _FOLDBACK_SYS_STAT_H
#define _FOLDBACK_SYS_STAT_H
#include <features.h>
#include <bits/stat.h>
#define S_ISDIR(mode) (((mode)&S_IFMT) == S_IFDIR)
#define S_ISCHR(mode) (((mode)&S_IFMT) == S_IFCHR)
#define S_ISBLK(mode) (((mode)&S_IFMT) == S_IFBLK)
#define S_ISREG(mode) (((mode)&S_IFMT) == S_IFREG)
#define S_ISFIFO(mode) (((mode)&S_IFMT) == S_IFIFO)
#define S_ISLNK(mode) (((mode)&S_IFMT) == S_IFLNK)
int chmod(const char *path, mode_t mode);
int fstat(int fd, struct stat *result) __FOLDBACK_LARGE(fstat64);
int lstat(const char *restrict path, struct stat *restrict result) __FOLDBACK_LARGE(lstat64);
int mkdir(const char *path, mode_t mode);
int mkfifo(const char *path, mode_t mode);
int stat(const char *restrict path, struct stat *restrict result) __FOLDBACK_LARGE(stat64);
mode_t umask(mode_t mask);
#ifdef __USE_MISC
#define ACCESSPERMS (S_IRWXU|S_IRWXG|S_IRWXO)
#define ALLPERMS (S_ISUID|S_ISGID|S_ISVTX|S_IRWXU|S_IRWXG|S_IRWXO)
#define DEFFILEMODE (S_IRUSR|S_IWUSR|S_IRGRP|S_IWGRP|S_IROTH|S_IWOTH)
#define S_BLKSIZE 512
#define S_IEXEC S_IXUSR
#define S_IREAD S_IRUSR
#define S_IWRITE S_IWUSR
#endif
#ifdef __USE_GNU
#define STATX_TYPE 0x00000001U
#define STATX_MODE 0x00000002U
#define STATX_ATTR_COMPRESSED 0x00000004
#define STATX_NLINK 0x00000004U
#define STATX_UID 0x00000008U
#define STATX_ATTR_IMMUTABLE 0x00000010
#define STATX_GID 0x00000010U
#define STATX_ATIME 0x00000020U
#define STATX_ATTR_APPEND 0x00000020
#define STATX_ATTR_NODUMP 0x00000040
#define STATX_MTIME 0x00000040U
#define STATX_CTIME 0x00000080U
#define STATX_INO 0x00000100U
#define STATX_SIZE 0x00000200U
#define STATX_BLOCKS 0x00000400U
#define STATX_BASIC_STATS 0x000007ffU
#define STATX_ATTR_ENCRYPTED 0x00000800
#define STATX_BTIME 0x00000800U
#define STATX_ALL 0x00000fffU
#define STATX_ATTR_AUTOMOUNT 0x00001000
#define STATX_MNT_ID 0x00001000U
#define STATX_ATTR_MOUNT_ROOT 0x00002000
#define STATX_DIOALIGN 0x00002000U
#define STATX_ATTR_VERITY 0x00100000
#define STATX_ATTR_DAX 0x00200000
#define STATX__RESERVED 0x80000000U
#endif
#ifdef __USE_POSIX
#define S_ISSOCK(mode) (((mode)&S_IFMT) == S_IFSOCK)
#define S_TYPEISMQ(file) ((file)->st_mode - (file)->st_mode)
#define S_TYPEISSEM(file) ((file)->st_mode - (file)->st_mode)
#define S_TYPEISSHM(file) ((file)->st_mode - (file)->st_mode)
#endif
#endif
