// Large numbers in integers that could hold an address are numbers all the same.
#include <stdint.h>
#include <stdio.h>

union word {
  uint64_t number;
  char *pointer;
};

static uint64_t mix(union word w, uint64_t key) {
  w.number ^= key;
  w.number *= 0x9e3779b97f4a7c15u;
  return w.number ^ w.number >> 29;
}

int main(void) {
  union word a, b;
  a.number = 0x8000000000001234u;
  b.number = 0xfedcba9876543210u;
  printf("%llx %llx\n", (unsigned long long)(a.number >> 4), (unsigned long long)(b.number & 0xff));
  printf("%d %d %d\n", (int)(a.number % 97), a.number < b.number, b.number - a.number > 1000);
  printf("%x %.0f\n", (unsigned)b.number, (double)a.number);
  printf("%llx %llx\n", (unsigned long long)mix(a, 1), (unsigned long long)mix(b, 0x123456789abcdef0u));
  char text[] = "text";
  a.pointer = text;
  a.pointer += 2;
  printf("%c\n", *a.pointer);
  return 0;
}
