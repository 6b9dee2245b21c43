#ifndef _FOLDBACK___SIGSET_T_H
#define _FOLDBACK___SIGSET_T_H
typedef struct { unsigned long __bits[1024 / (8 * sizeof(unsigned long))]; } __sigset_t;
#endif
