/* What glibc's headers define for other headers, ours and the machine's; attributes that only tell a compiler what to warn of or
   what it may assume are nothing. */
#ifndef _FOLDBACK_SYS_CDEFS_H
#define _FOLDBACK_SYS_CDEFS_H
#include <features.h>
#define __P(arguments) arguments
#define __PMT(arguments) arguments
#define __BEGIN_DECLS
#define __END_DECLS
#define __THROW
#define __THROWNL
#define __NTH(function) function
#define __NTHNL(function) function
#define __LEAF
#define __LEAF_ATTR
#define __CONCAT(x, y) x##y
#define __STRING(x) #x
#define __ptr_t void *
#define __flexarr []
#define __restrict_arr __restrict
#define __always_inline __inline
#define __extern_inline extern __inline __attribute__((__gnu_inline__))
#define __extern_always_inline extern __inline __attribute__((__gnu_inline__))
#define __glibc_likely(condition) (condition)
#define __glibc_unlikely(condition) (condition)
#define __glibc_has_attribute(attribute) 0
#define __glibc_has_builtin(name) 0
#define __glibc_has_extension(extension) 0
#define __HAVE_GENERIC_SELECTION 1
#define __REDIRECT(name, prototype, alias) name prototype __asm__(#alias)
#define __REDIRECT_NTH(name, prototype, alias) name prototype __asm__(#alias)
#define __REDIRECT_NTHNL(name, prototype, alias) name prototype __asm__(#alias)
#define __attr_access(x)
#define __attr_access_none(argument)
#define __attr_dealloc(function, argument)
#define __attr_dealloc_free
#define __attribute_alloc_align__(parameters)
#define __attribute_alloc_size__(parameters)
#define __attribute_artificial__
#define __attribute_const__
#define __attribute_copy__(argument)
#define __attribute_deprecated__
#define __attribute_deprecated_msg__(message)
#define __attribute_format_arg__(x)
#define __attribute_format_strfmon__(a, b)
#define __attribute_malloc__
#define __attribute_maybe_unused__
#define __attribute_noinline__
#define __attribute_nonnull__(parameters)
#define __attribute_nonstring__
#define __attribute_pure__
#define __attribute_used__
#define __attribute_warn_unused_result__
#define __fortified_attr_access(mode, object, size)
#define __nonnull(parameters)
#define __returns_nonnull
#define __wur
#endif
