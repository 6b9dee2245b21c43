/* arpa/inet.h: addresses as texts; a seed of one's own; the difference of times. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void read_address(const char *text) {
  unsigned char bytes[4] = {9, 9, 9, 9};
  int r = inet_pton(AF_INET, text, bytes);
  printf("%s: %d %d.%d.%d.%d\n", text, r, bytes[0], bytes[1], bytes[2], bytes[3]);
}

int main(void) {
  struct in_addr a;
  a.s_addr = htonl(0x01020304);
  printf("%s\n", inet_ntoa(a));
  a.s_addr = htonl(0xff6300c8);
  printf("%s\n", inet_ntoa(a));
  char text[16];
  for (unsigned size = 12; size <= 16; size++) {
    errno = 0;
    memset(text, 'x', 16);
    const char *r = inet_ntop(AF_INET, &a, text, size);
    printf("%u %d %d %c\n", size, r == text, errno == ENOSPC, text[0]);
  }
  errno = 0;
  printf("%d", inet_ntop(99, &a, text, 16) == 0);
  printf(" %d\n", errno == EAFNOSUPPORT);
  read_address("10.20.30.40");
  read_address("255.255.255.255");
  read_address("256.0.0.1");
  read_address("01.0.0.1");
  read_address("0.0.0.0");
  read_address("1.2.3");
  read_address("1.2.3.4.5");
  read_address("1..3.4");
  read_address("");
  read_address("1.2.3.4 ");
  unsigned seed = 1;
  for (int i = 0; i < 5; i++) {
    int r = rand_r(&seed);
    printf("%d %u\n", r, seed);
  }
  printf("%.1f %.1f\n", difftime(5, 7), difftime(0x7fffffff, 1));
  printf("%.1f %.1f\n", difftime(7, 5), difftime(-0x7fffffff, 0x7ffffffe));
#ifdef __LP64__
  printf("%.1f %.1f\n", difftime((1L << 53) + 1, 1L << 53), difftime(-(1L << 62) - 1, (1L << 62) - 3));
#endif
  struct tm d = {.tm_sec = 3, .tm_min = 4, .tm_hour = 5, .tm_mday = 6, .tm_mon = 7, .tm_year = 108, .tm_wday = 2};
  printf("%s", asctime(&d));
  d.tm_mday = 31;
  d.tm_year = 8099;
  printf("%s", asctime(&d));
  d.tm_year = 8100;
  printf("%s", asctime(&d));
  d.tm_wday = 7;
  d.tm_year = -1000;
  printf("%s", asctime(&d));
  return 0;
}
