#ifndef _FOLDBACK_UCHAR_H
#define _FOLDBACK_UCHAR_H
#include <features.h>
#include <stddef.h>
#include <wchar.h>
typedef unsigned short char16_t;
typedef unsigned int char32_t;
size_t c16rtomb(char *restrict to, char16_t c, mbstate_t *restrict state);
size_t c32rtomb(char *restrict to, char32_t c, mbstate_t *restrict state);
size_t mbrtoc16(char16_t *restrict to, const char *restrict from, size_t count, mbstate_t *restrict state);
size_t mbrtoc32(char32_t *restrict to, const char *restrict from, size_t count, mbstate_t *restrict state);
#endif
