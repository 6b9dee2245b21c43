#ifndef _FOLDBACK_LOCALE_T_H
#define _FOLDBACK_LOCALE_T_H
typedef struct __locale_struct *__locale_t;
typedef __locale_t locale_t;
#endif
