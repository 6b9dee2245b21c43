/* What glibc's headers define for other headers. */
#ifndef _FOLDBACK_SYS_CDEFS_H
#define _FOLDBACK_SYS_CDEFS_H
#define __P(arguments) arguments
#define __PMT(arguments) arguments
#define __BEGIN_DECLS
#define __END_DECLS
#define __THROW
#define __CONCAT(x, y) x##y
#define __STRING(x) #x
#define __ptr_t void *
#endif
