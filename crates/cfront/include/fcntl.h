#ifndef _FOLDBACK_FCNTL_H
#define _FOLDBACK_FCNTL_H
#include <bits/file-constants.h>
#include <bits/stat.h>
#define O_RDONLY 00
#define O_WRONLY 01
#define O_RDWR 02
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define FD_CLOEXEC 1
int creat(const char *path, mode_t mode);
int fcntl(int fd, int command, ...);
int open(const char *path, int flags, ...);
#define O_CLOEXEC 02000000
#define O_DIRECTORY 0200000
#define O_NOFOLLOW 0400000
#define O_SYNC 04010000
#define F_GETLK 5
#define F_SETLK 6
#define F_SETLKW 7
#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2
#define AT_FDCWD (-100)
struct flock {
  short l_type;
  short l_whence;
  off_t l_start;
  off_t l_len;
  pid_t l_pid;
};
int openat(int fd, const char *path, int flags, ...);
#define AT_EACCESS 0x200
#define AT_EMPTY_PATH 0x1000
#define AT_NO_AUTOMOUNT 0x800
#define AT_RECURSIVE 0x8000
#define AT_REMOVEDIR 0x200
#define AT_STATX_DONT_SYNC 0x4000
#define AT_STATX_FORCE_SYNC 0x2000
#define AT_STATX_SYNC_AS_STAT 0x0000
#define AT_STATX_SYNC_TYPE 0x6000
#define AT_SYMLINK_FOLLOW 0x400
#define AT_SYMLINK_NOFOLLOW 0x100
#define F_EXLCK 4
#define F_GETLEASE 1025
#define F_NOTIFY 1026
#define F_SETLEASE 1024
#define F_SHLCK 8
#define O_ACCMODE 0003
#define O_ASYNC 020000
#define O_FSYNC 04010000
#define O_NDELAY 04000
#define O_NOCTTY 0400
#define O_RSYNC 04010000
#endif
