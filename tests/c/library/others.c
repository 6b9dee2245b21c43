/* Functions that programs use now and then. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fenv.h>
#include <inttypes.h>
#include <locale.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <tgmath.h>
#include <unistd.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int calls;
static void once(void) { calls++; }

int main(void) {
  imaxdiv_t d = imaxdiv(-17, 5);
  printf("%jd %jd %jd\n", imaxabs(-5), d.quot, d.rem);
  printf("%jd %ju\n", strtoimax("-12", 0, 10), strtoumax("ff", 0, 16));
  printf("%ld %s\n", a64l("zz."), l64a(123456));
  printf("%d %d %d\n", ffs(40), ffsl(0), ffsll(1LL << 40));
  printf("%d %d\n", fegetround() == FE_TONEAREST, fesetround(FE_TONEAREST));
  printf("%s %s\n", setlocale(LC_ALL, "C"), localeconv()->decimal_point);
  char text[] = "abcdef", swapped[8] = "";
  swab(text, swapped, 6);
  explicit_bzero(text, 3);
  printf("%s %d\n", swapped, text[2]);
  void *block;
  printf("%d ", posix_memalign(&block, 64, 10));
  free(block);
  printf("%d\n", posix_memalign(&block, 3, 10));
  int numbers[8] = {3, 1, 2}, key = 2;
  size_t count = 3;
  printf("%td\n", (int *)lfind(&key, numbers, &count, sizeof key, compare) - numbers);
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_once_t flag = PTHREAD_ONCE_INIT;
  printf("%d ", pthread_mutex_lock(&lock));
  printf("%d ", pthread_mutex_trylock(&lock));
  printf("%d ", pthread_mutex_unlock(&lock));
  printf("%d\n", pthread_mutex_destroy(&lock));
  pthread_once(&flag, once);
  pthread_once(&flag, once);
  printf("%d\n", calls);
  printf("%x %x %x\n", htons(0x1234), ntohl(0x12345678), inet_addr("127.0.0.1"));
  printf("%zu %zu %zu\n", sizeof(sqrt(2.0f)), sizeof(sqrt(2)), sizeof(sqrt(2.0L)));
  int n = -1;
  printf("four%n\n", &n);
  int m = printf("seven %d\n", 7);
  printf("%d %d\n", n, m);
  const char *format = "%s %d\n";
  printf(format, "by a variable", 1);
  fprintf(stderr, "not to be seen\n");
  return 3;
}
