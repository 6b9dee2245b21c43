#ifndef _FOLDBACK_SYS_WAIT_H
#define _FOLDBACK_SYS_WAIT_H
#include <bits/waitmacros.h>
#include <signal.h>
pid_t wait(int *status);
pid_t waitpid(pid_t process, int *status, int options);
#endif
