// 128-bit integers, where the data model has them.
int always;
#ifdef __LP64__
__int128 big = 1; unsigned __int128 ubig = (unsigned __int128)1 << 100; _Static_assert(sizeof big == 16 && (__int128)1 << 64 > 0xffffffffffffffff, "");
#endif
