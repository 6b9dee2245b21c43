#ifndef _FOLDBACK_DIRENT_H
#define _FOLDBACK_DIRENT_H
#include <features.h>
#include <limits.h>
#include <sys/types.h>
typedef struct __dirstream DIR;
struct dirent {
  ino_t d_ino;
  off_t d_off;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};
#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12
int alphasort(const struct dirent **a, const struct dirent **b) __FOLDBACK_LARGE(alphasort64);
int closedir(DIR *directory);
int dirfd(DIR *directory);
DIR *fdopendir(int fd);
DIR *opendir(const char *path);
struct dirent *readdir(DIR *directory) __FOLDBACK_LARGE(readdir64);
int readdir_r(DIR *restrict directory, struct dirent *restrict entry, struct dirent **restrict result) __FOLDBACK_LARGE(readdir64_r);
void rewinddir(DIR *directory);
int scandir(const char *path, struct dirent ***list, int (*select)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **)) __FOLDBACK_LARGE(scandir64);
void seekdir(DIR *directory, long position);
long telldir(DIR *directory);
#ifdef __USE_MISC
enum {
  DT_WHT = 14
};
#define DT_WHT DT_WHT
#define DTTOIF(dirtype) ((dirtype) << 12)
#define IFTODT(mode) (((mode) & 0170000) >> 12)
#define MAXNAMLEN NAME_MAX
#endif
#define d_fileno d_ino
#endif
