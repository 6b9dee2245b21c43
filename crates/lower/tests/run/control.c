// Control flow: goto in and out of scopes, switch with ranges and fall-through, Duff's device, loops with break and
// continue, computed goto, nested conditionals, statement expressions.
#include <stdio.h>

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

static int classify(int c) {
  switch (c) {
  case 'a' ... 'z': return 1;
  case 'A' ... 'Z': return 2;
  case '0' ... '9': return 3;
  case -5 ... -1: return 4;
  default: return 0;
  case ' ': return 5;
  }
}

static int interpret(const unsigned char *code) {
  static void *const table[] = {&&add, &&twice, &&stop};
  int acc = 1;
  goto *table[*code++];
add:
  acc += 5;
  goto *table[*code++];
twice:
  acc *= 2;
  goto *table[*code++];
stop:
  return acc;
}

static int into_scope(int n) {
  int total = 0;
  if (n > 3)
    goto inside;
  {
    int local[4];
    local[0] = n;
    total += local[0];
  inside:
    local[1] = 7;
    total += local[1];
  }
again:
  {
    int x = total;
    int *p = &x;
    if (*p < 30) {
      total = *p + 10;
      goto again;
    }
  }
  return total;
}

static int side(int *n) { return ++*n; }

int main(void) {
  char out[21] = "", in[21] = "abcdefghijklmnopqrst";
  duff(out, in, 19);
  printf("%s\n", out);
  for (int c = -7; c < 128; c += 9)
    printf("%d", classify(c));
  printf("\n%d\n", interpret((const unsigned char *)"\0\1\1\0\2"));
  printf("%d %d\n", into_scope(1), into_scope(5));

  int n = 0, sum = 0;
  while (1) {
    if (++n > 20)
      break;
    if (n % 3 == 0)
      continue;
    for (int i = 0;; i++) {
      if (i == n)
        break;
      sum += i;
    }
  }
  printf("%d\n", sum);
  int calls = 0;
  int a = side(&calls) && side(&calls) > 5 || !side(&calls);
  int b = calls > 2 ? side(&calls) : 0;
  int c = side(&calls) ?: 9;
  int d = (side(&calls), calls * 2);
  printf("%d %d %d %d %d\n", a, b, c, d, calls);
  int max = ({ int x = a + 3, y = d; x > y ? x : y; });
  printf("%d\n", max);
  int depth = 0;
  do {
    switch (depth) {
    case 2:
      continue;
    default:
      depth++;
    case 0:
      depth++;
      break;
    }
  } while (depth < 2 || (depth == 2 && depth++ < 2));
  printf("%d\n", depth);
  return 0;
}
