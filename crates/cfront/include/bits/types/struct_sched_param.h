#ifndef _FOLDBACK_STRUCT_SCHED_PARAM_H
#define _FOLDBACK_STRUCT_SCHED_PARAM_H
struct sched_param {
  int sched_priority;
};
#endif
