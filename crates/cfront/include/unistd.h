#ifndef _FOLDBACK_UNISTD_H
#define _FOLDBACK_UNISTD_H
#include <features.h>
#include <stddef.h>
#include <bits/posix-types.h>
typedef __INTPTR_TYPE__ intptr_t;
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#include <bits/file-constants.h>
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_ONLN 84
extern char *optarg;
extern int optind, opterr, optopt;
extern char **environ;
void _exit(int status) __attribute__((noreturn));
int access(const char *path, int mode);
unsigned int alarm(unsigned int seconds);
int chdir(const char *path);
int chown(const char *path, uid_t owner, gid_t group);
int close(int fd);
int dup(int fd);
int dup2(int from, int to);
int execl(const char *path, const char *argument, ...);
int execlp(const char *file, const char *argument, ...);
int execv(const char *path, char *const arguments[]);
int execve(const char *path, char *const arguments[], char *const environment[]);
int execvp(const char *file, char *const arguments[]);
pid_t fork(void);
int fsync(int fd);
int ftruncate(int fd, off_t length) __FOLDBACK_LARGE(ftruncate64);
char *getcwd(char *buffer, size_t size);
gid_t getegid(void);
uid_t geteuid(void);
gid_t getgid(void);
int gethostname(char *name, size_t size);
int getopt(int count, char *const arguments[], const char *options);
int getpagesize(void);
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
int isatty(int fd);
int link(const char *from, const char *to);
off_t lseek(int fd, off_t offset, int origin) __FOLDBACK_LARGE(lseek64);
int pause(void);
int pipe(int fds[2]);
ssize_t read(int fd, void *buffer, size_t count);
ssize_t readlink(const char *restrict path, char *restrict buffer, size_t size);
int rmdir(const char *path);
int setgid(gid_t group);
pid_t setsid(void);
int setuid(uid_t user);
unsigned int sleep(unsigned int seconds);
int symlink(const char *from, const char *to);
long sysconf(int name);
int truncate(const char *path, off_t length) __FOLDBACK_LARGE(truncate64);
int unlink(const char *path);
int usleep(useconds_t microseconds);
ssize_t write(int fd, const void *buffer, size_t count);
int chroot(const char *path);
int fchdir(int fd);
int fchown(int fd, uid_t owner, gid_t group);
int fdatasync(int fd);
int getentropy(void *buffer, size_t size);
char *getlogin(void);
pid_t getpgid(pid_t process);
pid_t getpgrp(void);
pid_t getsid(pid_t process);
int lchown(const char *path, uid_t owner, gid_t group);
int nice(int increment);
long pathconf(const char *path, int name);
ssize_t pread(int fd, void *buffer, size_t count, off_t offset) __FOLDBACK_LARGE(pread64);
ssize_t pwrite(int fd, const void *buffer, size_t count, off_t offset) __FOLDBACK_LARGE(pwrite64);
void *sbrk(__INTPTR_TYPE__ increment);
int brk(void *end);
int setegid(gid_t group);
int seteuid(uid_t user);
int setpgid(pid_t process, pid_t group);
void swab(const void *restrict from, void *restrict to, ssize_t count);
void sync(void);
long syscall(long number, ...);
char *ttyname(int fd);
pid_t vfork(void);
#ifdef __USE_MISC
#define L_INCR SEEK_CUR
#define L_SET SEEK_SET
#define L_XTND SEEK_END
#endif
#ifdef __USE_GNU
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#define CLOSE_RANGE_UNSHARE (1U << 1)
#define SEEK_DATA 3
#define SEEK_HOLE 4
#endif
#ifdef __USE_GNU
/* errno is the business of whoever asks. */
#define TEMP_FAILURE_RETRY(expression) \
  (__extension__({ \
    long __result; \
    do \
      __result = (long)(expression); \
    while (__result == -1L && errno == EINTR); \
    __result; \
  }))
#endif
#endif
