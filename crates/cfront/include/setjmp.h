/* Declared so that programs parse; a call of these is not modelled. */
#ifndef _FOLDBACK_SETJMP_H
#define _FOLDBACK_SETJMP_H
typedef struct { long __registers[25]; } jmp_buf[1];
typedef jmp_buf sigjmp_buf;
int setjmp(jmp_buf environment) __attribute__((returns_twice));
int _setjmp(jmp_buf environment) __attribute__((returns_twice));
int sigsetjmp(sigjmp_buf environment, int save) __attribute__((returns_twice));
void longjmp(jmp_buf environment, int value) __attribute__((noreturn));
void siglongjmp(sigjmp_buf environment, int value) __attribute__((noreturn));
#define setjmp(environment) setjmp(environment)
#endif
