/* __builtin_*_overflow with operands and targets of all pairs of types, at the borders of their ranges. */
extern int printf(const char *, ...);

static unsigned long long digest = 17;

static void note(int lost, unsigned long long result) {
  digest = digest * 31 + (unsigned long long)lost;
  digest = digest * 31 + result;
}

#define TRY(A, B, R)                                                                                                                                 \
  do {                                                                                                                                               \
    static const long long borders[] = {0, 1, -1, 2, 127, -128, 255, 32767, -32768, 2147483647, -2147483648LL, 4294967295LL, 9223372036854775807LL, \
                                        -9223372036854775807LL - 1};                                                                                 \
    digest = 17;                                                                                                                                     \
    for (int i = 0; i < 14; i++)                                                                                                                     \
      for (int j = 0; j < 14; j++) {                                                                                                                 \
        A a = (A)borders[i];                                                                                                                         \
        B b = (B)borders[j];                                                                                                                         \
        R r;                                                                                                                                         \
        int lost = __builtin_add_overflow(a, b, &r);                                                                                                 \
        note(lost, (unsigned long long)r);                                                                                                                \
        lost = __builtin_sub_overflow(a, b, &r);                                                                                                     \
        note(lost, (unsigned long long)r);                                                                                                                \
        lost = __builtin_mul_overflow(a, b, &r);                                                                                                     \
        note(lost, (unsigned long long)r);                                                                                                                \
        note(__builtin_mul_overflow_p(a, b, (R)0), 0);                                                                                               \
      }                                                                                                                                              \
    printf("%llu\n", digest);                                                                                                                         \
  } while (0)

int main() {
  TRY(int, int, int);
  TRY(unsigned, unsigned, unsigned);
  TRY(long long, long long, long long);
  TRY(unsigned long long, unsigned long long, unsigned long long);
  TRY(signed char, signed char, signed char);
  TRY(int, unsigned, int);
  TRY(int, unsigned, unsigned);
  TRY(int, int, unsigned);
  TRY(unsigned, unsigned, int);
  TRY(long long, unsigned long long, long long);
  TRY(unsigned long long, unsigned long long, long long);
  TRY(long long, long long, unsigned long long);
  TRY(long long, int, short);
  TRY(short, unsigned char, long long);
  TRY(unsigned long long, int, signed char);
  return 0;
}
