#ifndef _FOLDBACK_UNISTD_H
#define _FOLDBACK_UNISTD_H
#include <stddef.h>
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
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
int ftruncate(int fd, off_t length);
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
off_t lseek(int fd, off_t offset, int origin);
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
int truncate(const char *path, off_t length);
int unlink(const char *path);
int usleep(useconds_t microseconds);
ssize_t write(int fd, const void *buffer, size_t count);
#endif
