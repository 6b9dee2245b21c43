/* What fcntl.h and sys/stat.h share. */
#ifndef _FOLDBACK_STAT_H
#define _FOLDBACK_STAT_H
#include <bits/time-types.h>
#include <sys/types.h>
/* As large as the system's, with each member where the system has it: compiled programs give it to the real library. */
struct stat {
  dev_t st_dev;
#ifdef __LP64__
  ino_t st_ino;
  nlink_t st_nlink;
  mode_t st_mode;
  uid_t st_uid;
  gid_t st_gid;
  int __pad;
  dev_t st_rdev;
  off_t st_size;
  blksize_t st_blksize;
  blkcnt_t st_blocks;
#else
#ifdef __USE_TIME_BITS64
  ino_t st_ino;
#else
  unsigned short __pad1;
#ifdef __USE_FILE_OFFSET64
  unsigned long __st_ino;
#else
  ino_t st_ino;
#endif
#endif
  mode_t st_mode;
  nlink_t st_nlink;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
#ifndef __USE_TIME_BITS64
  unsigned short __pad2;
#endif
  off_t st_size;
  blksize_t st_blksize;
  blkcnt_t st_blocks;
#endif
  struct timespec st_atim;
  struct timespec st_mtim;
  struct timespec st_ctim;
#ifdef __LP64__
  long __reserved[3];
#elif !defined __USE_FILE_OFFSET64
  unsigned long __reserved[2];
#elif !defined __USE_TIME_BITS64
  ino_t st_ino;
#endif
};
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec
#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_IFBLK 0060000
#define S_IFREG 0100000
#define S_IFIFO 0010000
#define S_IFLNK 0120000
#define S_IFSOCK 0140000
#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXU 0700
#define S_IRGRP 040
#define S_IWGRP 020
#define S_IXGRP 010
#define S_IRWXG 070
#define S_IROTH 04
#define S_IWOTH 02
#define S_IXOTH 01
#define S_IRWXO 07
#ifdef __USE_POSIX
#define UTIME_NOW ((1l << 30) - 1l)
#define UTIME_OMIT ((1l << 30) - 2l)
#endif
#endif
