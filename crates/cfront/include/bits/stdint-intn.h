#ifndef _FOLDBACK_STDINT_INTN_H
#define _FOLDBACK_STDINT_INTN_H
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
#endif
