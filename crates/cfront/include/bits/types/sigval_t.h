#ifndef _FOLDBACK_SIGVAL_T_H
#define _FOLDBACK_SIGVAL_T_H
#define ____sigval_t_defined
union sigval {
  int sival_int;
  void *sival_ptr;
};
typedef union sigval __sigval_t;
typedef union sigval sigval_t;
#endif
