#ifndef _FOLDBACK_SYS_WAIT_H
#define _FOLDBACK_SYS_WAIT_H
#include <features.h>
#include <bits/waitmacros.h>
#include <signal.h>
pid_t wait(int *status);
pid_t waitpid(pid_t process, int *status, int options);
#ifdef __USE_MISC
#define WAIT_MYPGRP 0
#define WAIT_ANY (-1)
#define WCOREFLAG 0x80
#endif
#ifdef __USE_MISC
#define WCOREFLAG 0x80
#define WCOREDUMP(status) ((status)&WCOREFLAG)
#define W_EXITCODE(result, signal) ((result) << 8 | (signal))
#define W_STOPCODE(signal) ((signal) << 8 | 0x7f)
#endif
#endif
