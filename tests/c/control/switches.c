/* switch: fall through, default anywhere, nested, ranges, Duff's device, cases in inner blocks, on wide types. */
#include <stdio.h>

static int classify(int c) {
  int r = 0;
  switch (c) {
  default: r = 100;
  case 1: r += 1; break;
  case 'a' ... 'f': r = 16; break;
  case -5: return -5;
  case 2: case 3: r = 23;
  }
  return r;
}

static void duff(char *to, const char *from, int count) {
  int n = (count + 7) / 8;
  switch (count % 8) {
  case 0: do { *to++ = *from++;
  case 7: *to++ = *from++;
  case 6: *to++ = *from++;
  case 5: *to++ = *from++;
  case 4: *to++ = *from++;
  case 3: *to++ = *from++;
  case 2: *to++ = *from++;
  case 1: *to++ = *from++;
    } while (--n > 0);
  }
}

static int nested(int a, int b) {
  switch (a) {
  case 0:
    switch (b) {
    case 0: return 1;
    case 1: break;
    default: return 2;
    }
    return 3;
  case 1: {
    int k = 5;
    while (k--) {
      switch (k) { case 2: continue; case 1: goto out; }
      b += k;
    }
  }
  }
out:
  return b;
}

static int wide(unsigned long long v) {
  switch (v) {
  case 0xffffffffffffffffULL: return 1;
  case 0x100000000ULL: return 2;
  case 0: return 3;
  }
  return 4;
}

static int small(char c) {
  switch (c) {
  case -1: return 1;
  case 127: return 2;
  case 255: return 3;
  }
  return 4;
}

int main(void) {
  int values[] = {0, 1, 2, 3, 4, -5, 'a', 'f', 'g'};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
    printf("%d ", classify(values[i]));
  printf("\n");
  char out[24] = "";
  duff(out, "the quick brown fox", 19);
  printf("%s\n", out);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      printf("%d ", nested(a, b));
  printf("\n%d %d %d %d\n", wide(-1), wide(1ULL << 32), wide(0), wide(1));
  printf("%d %d %d\n", small(-1), small(127), small((char)255));
  int n = 0;
  switch (3) if (0) case 3: n = 7;
  printf("%d\n", n);
  switch (n) { int hidden; case 7: hidden = 8; n += hidden; }
  printf("%d\n", n);
  switch (n) {}
  return n;
}
