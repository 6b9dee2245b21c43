/* As glibc has them: setjmp and sigsetjmp are macros, too. */
#ifndef _FOLDBACK_SETJMP_H
#define _FOLDBACK_SETJMP_H
#include <features.h>
typedef struct { long __registers[sizeof(long) == 8 ? 25 : 39]; } jmp_buf[1];
typedef jmp_buf sigjmp_buf;
int setjmp(jmp_buf environment) __attribute__((returns_twice));
int _setjmp(jmp_buf environment) __attribute__((returns_twice));
int __sigsetjmp(sigjmp_buf environment, int save) __attribute__((returns_twice));
void longjmp(jmp_buf environment, int value) __attribute__((noreturn));
void _longjmp(jmp_buf environment, int value) __attribute__((noreturn));
void siglongjmp(sigjmp_buf environment, int value) __attribute__((noreturn));
#define setjmp(environment) _setjmp(environment)
#define sigsetjmp(environment, save) __sigsetjmp(environment, save)
#endif
