// Every bundled header, together and twice, and what programs use from them.
#include <alloca.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <memory.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
#include <assert.h>
#include <stdio.h>
_Static_assert(sizeof(size_t) == sizeof(void *) && sizeof(intptr_t) == sizeof(void *) && sizeof(int64_t) == 8, "");
_Static_assert(INT_MIN < 0 && LONG_MAX > 0 && ULLONG_MAX == 18446744073709551615ULL && UINT_MAX == 4294967295U, "");
_Static_assert((LONG_MAX == INT_MAX) == (sizeof(long) == 4) && SIZE_MAX == (size_t)-1 && CHAR_MIN == -128, "");
_Static_assert(FLT_EPSILON > 0 && DBL_MAX > 1e308 && DBL_DIG == 15 && LDBL_MANT_DIG == 64, "");
_Static_assert(offsetof(struct timespec, tv_nsec) == sizeof(time_t), "");
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void *thread(void *x) { return x; }
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum(int n, ...) { va_list ap; va_start(ap, n); int s = 0; while (n--) s += va_arg(ap, int); va_end(ap); return s; }
int main(int argc, char **argv) {
  bool ok = true; int v[3] = {3, 1, 2}; qsort(v, 3, sizeof *v, compare); char *s = strdup("x"); free(s); errno = 0;
  printf("%d %" PRId64 "\n", sum(2, 1, 2), (int64_t)1); fprintf(stderr, "%s", strerror(ENOMEM)); double x = sqrt(2.0) + fabs(-1.0) + (isnan(NAN) ? 1 : 0) + M_PI;
  assert(ok && x > 0); char *a = alloca(10); memset(a, 0, 10); pthread_t t; pthread_create(&t, NULL, thread, NULL); pthread_mutex_lock(&lock);
  atomic_int ai = 0; atomic_fetch_add(&ai, 1); struct tm tm = {0}; time_t now = time(NULL); (void)tm; (void)now; if (isinf(x) || signbit(x) || !isfinite(x)) abort();
  static jmp_buf env; if (setjmp(env)) return 1; wchar_t w[] = L"ab"; return (int)wcslen(w) + toupper('a') + atoi(argv[argc - 1]) + EXIT_SUCCESS + RAND_MAX * 0;
}
