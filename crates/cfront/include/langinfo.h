#ifndef _FOLDBACK_LANGINFO_H
#define _FOLDBACK_LANGINFO_H
typedef int nl_item;
#define CODESET 14
char *nl_langinfo(nl_item item);
#endif
