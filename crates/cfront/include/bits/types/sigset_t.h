#ifndef _FOLDBACK_SIGSET_T_H
#define _FOLDBACK_SIGSET_T_H
#include <bits/types/__sigset_t.h>
typedef __sigset_t sigset_t;
#endif
