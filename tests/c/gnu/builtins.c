/* __builtin functions, overflow arithmetic, attributes, atomics on one thread. */
#include <stdio.h>

static int pure_one(int) __attribute__((const, unused));
static int pure_one(int x) { return x + 1; }
static int used __attribute__((unused, aligned(8))) = 3;

int main(void) {
  printf("%d %d %d\n", __builtin_popcount(0xff0f), __builtin_clz(1), __builtin_ctz(8));
  printf("%d %d %d\n", __builtin_popcountll(~0ULL), __builtin_clzll(1), __builtin_ctzll(1ULL << 40));
  printf("%d %d %d\n", __builtin_ffs(0), __builtin_ffs(24), __builtin_parity(7));
  printf("%d %d\n", __builtin_clrsb(0), __builtin_clrsb(-1));
  printf("%x %llx %x\n", __builtin_bswap32(0x12345678), (unsigned long long)__builtin_bswap64(0x123456789abcdef0ULL),
         __builtin_bswap16(0x1234));
  int r;
  unsigned char c;
  long long ll;
  printf("%d", __builtin_add_overflow(2147483647, 1, &r));
  printf(" %d\n", r);
  printf("%d", __builtin_sub_overflow(5, 10, &c));
  printf(" %d\n", c);
  printf("%d", __builtin_mul_overflow(1LL << 40, 1 << 20, &ll));
  printf(" %lld\n", ll);
  printf("%d", __builtin_mul_overflow(1LL << 40, 1 << 24, &ll));
  printf(" %lld\n", ll);
  printf("%d", __builtin_sadd_overflow(1, 2, &r));
  printf(" %d\n", r);
  printf("%d %d\n", __builtin_expect(r == 3, 1) ? 1 : 0, pure_one(used));
  printf("%d\n", __builtin_constant_p(3));
  printf("%d\n", __builtin_choose_expr(1, 5, "no"));
  printf("%d %d\n", __builtin_types_compatible_p(int, signed), __builtin_types_compatible_p(int, long));
  if (0)
    __builtin_unreachable();
  printf("%d %d\n", __builtin_abs(-4), (int)__builtin_strlen("four"));
  int v = 5;
  printf("%d ", __sync_fetch_and_add(&v, 3));
  printf("%d ", __sync_add_and_fetch(&v, 2));
  printf("%d ", __sync_bool_compare_and_swap(&v, 10, 11));
  printf("%d ", __sync_val_compare_and_swap(&v, 3, 4));
  printf("%d ", __sync_lock_test_and_set(&v, 20));
  __sync_synchronize();
  printf("%d ", __atomic_fetch_or(&v, 3, __ATOMIC_SEQ_CST));
  __atomic_store_n(&v, 8, __ATOMIC_RELAXED);
  int expected = 7;
  printf("%d ", __atomic_compare_exchange_n(&v, &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  printf("%d %d\n", expected, __atomic_load_n(&v, __ATOMIC_SEQ_CST));
  char *p = __builtin_alloca(10);
  __builtin_memset(p, 'q', 9);
  p[9] = 0;
  printf("%s\n", p);
  return 0;
}
