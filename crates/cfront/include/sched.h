#ifndef _FOLDBACK_SCHED_H
#define _FOLDBACK_SCHED_H
#include <time.h>
#include <bits/types/struct_sched_param.h>
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
int sched_get_priority_max(int policy);
int sched_get_priority_min(int policy);
int sched_yield(void);
#endif
