#ifndef _FOLDBACK_SIZE_T_H
#define _FOLDBACK_SIZE_T_H
typedef __SIZE_TYPE__ size_t;
#endif
