#ifndef _FOLDBACK_STDNORETURN_H
#define _FOLDBACK_STDNORETURN_H
#define noreturn _Noreturn
#endif
