#ifndef _FOLDBACK_STDIO_H
#define _FOLDBACK_STDIO_H
#include <features.h>
#include <sys/cdefs.h>
#include <stdarg.h>
#include <stddef.h>
#include <bits/posix-types.h>
/* As large as the system's; what is in it is the library's business. */
struct _IO_FILE { long __state[sizeof(long) == 8 ? 27 : 37]; };
typedef struct _IO_FILE FILE;
/* As large as the system's: compiled programs give it to the real library. */
#if defined __USE_FILE_OFFSET64
typedef struct { __INT64_TYPE__ __position; int __state[2]; } fpos_t;
#else
typedef struct { long __position; int __state[2]; } fpos_t;
#endif
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
int asprintf(char **restrict text, const char *restrict format, ...);
void clearerr(FILE *stream);
int dprintf(int fd, const char *restrict format, ...);
int fclose(FILE *stream);
FILE *fdopen(int fd, const char *mode);
int feof(FILE *stream);
int ferror(FILE *stream);
int fflush(FILE *stream);
int fgetc(FILE *stream);
int fgetpos(FILE *restrict stream, fpos_t *restrict position) __FOLDBACK_LARGE(fgetpos64);
char *fgets(char *restrict text, int size, FILE *restrict stream);
int fileno(FILE *stream);
FILE *fopen(const char *restrict path, const char *restrict mode);
FILE *fopen64(const char *restrict path, const char *restrict mode);
int fprintf(FILE *restrict stream, const char *restrict format, ...);
int fputc(int c, FILE *stream);
int fputs(const char *restrict text, FILE *restrict stream);
size_t fread(void *restrict block, size_t size, size_t count, FILE *restrict stream);
FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream);
int fscanf(FILE *restrict stream, const char *restrict format, ...);
int fseek(FILE *stream, long offset, int origin);
int fseeko(FILE *stream, off_t offset, int origin) __FOLDBACK_LARGE(fseeko64);
int fsetpos(FILE *stream, const fpos_t *position) __FOLDBACK_LARGE(fsetpos64);
long ftell(FILE *stream);
off_t ftello(FILE *stream) __FOLDBACK_LARGE(ftello64);
size_t fwrite(const void *restrict block, size_t size, size_t count, FILE *restrict stream);
int getc(FILE *stream);
int getchar(void);
ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream);
ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict stream);
char *gets(char *text);
int pclose(FILE *stream);
void perror(const char *text);
FILE *popen(const char *command, const char *mode);
int printf(const char *restrict format, ...);
int putc(int c, FILE *stream);
int putchar(int c);
int puts(const char *text);
int remove(const char *path);
int rename(const char *from, const char *to);
void rewind(FILE *stream);
int scanf(const char *restrict format, ...);
void setbuf(FILE *restrict stream, char *restrict buffer);
int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size);
int snprintf(char *restrict text, size_t size, const char *restrict format, ...);
int sprintf(char *restrict text, const char *restrict format, ...);
int sscanf(const char *restrict text, const char *restrict format, ...);
FILE *tmpfile(void);
char *tmpnam(char *text);
int ungetc(int c, FILE *stream);
int vasprintf(char **restrict text, const char *restrict format, va_list list);
int vfprintf(FILE *restrict stream, const char *restrict format, va_list list);
int vfscanf(FILE *restrict stream, const char *restrict format, va_list list);
int vprintf(const char *restrict format, va_list list);
int vscanf(const char *restrict format, va_list list);
int vsnprintf(char *restrict text, size_t size, const char *restrict format, va_list list);
int vsprintf(char *restrict text, const char *restrict format, va_list list);
int vsscanf(const char *restrict text, const char *restrict format, va_list list);
void clearerr_unlocked(FILE *stream);
char *ctermid(char *text);
int feof_unlocked(FILE *stream);
int ferror_unlocked(FILE *stream);
int fflush_unlocked(FILE *stream);
int fgetc_unlocked(FILE *stream);
char *fgets_unlocked(char *restrict text, int size, FILE *restrict stream);
size_t fread_unlocked(void *restrict block, size_t size, size_t count, FILE *restrict stream);
size_t fwrite_unlocked(const void *restrict block, size_t size, size_t count, FILE *restrict stream);
int fileno_unlocked(FILE *stream);
void flockfile(FILE *stream);
FILE *fmemopen(void *restrict buffer, size_t size, const char *restrict mode);
int fputc_unlocked(int c, FILE *stream);
int fputs_unlocked(const char *restrict text, FILE *restrict stream);
int ftrylockfile(FILE *stream);
void funlockfile(FILE *stream);
int getc_unlocked(FILE *stream);
int getchar_unlocked(void);
FILE *open_memstream(char **text, size_t *size);
int putc_unlocked(int c, FILE *stream);
int putchar_unlocked(int c);
void setbuffer(FILE *stream, char *buffer, size_t size);
void setlinebuf(FILE *stream);
int vdprintf(int fd, const char *restrict format, va_list list);
#ifdef __USE_POSIX
#define L_ctermid 9
#endif
#if defined __USE_MISC || defined __USE_XOPEN
#define P_tmpdir "/tmp"
#endif
#ifdef __USE_GNU
#define L_cuserid 9
#define RENAME_EXCHANGE (1 << 1)
#define RENAME_NOREPLACE (1 << 0)
#define RENAME_WHITEOUT (1 << 2)
#define SEEK_DATA 3
#define SEEK_HOLE 4
#endif
#endif
