/* Computed goto: a small byte-code machine. */
#include <stdio.h>

static int run(const unsigned char *code) {
  static const void *ops[] = {&&op_push, &&op_add, &&op_mul, &&op_dup, &&op_halt};
  int stack[16], sp = 0;
  goto *ops[*code++];
op_push:
  stack[sp++] = *code++;
  goto *ops[*code++];
op_add:
  sp--;
  stack[sp - 1] += stack[sp];
  goto *ops[*code++];
op_mul:
  sp--;
  stack[sp - 1] *= stack[sp];
  goto *ops[*code++];
op_dup:
  stack[sp] = stack[sp - 1];
  sp++;
  goto *ops[*code++];
op_halt:
  return stack[sp - 1];
}

int main(void) {
  unsigned char program[] = {0, 3, 0, 4, 1, 3, 2, 0, 1, 1, 4};
  printf("%d\n", run(program));
  int i = 0;
  void *where = &&first;
again:
  goto *where;
first:
  printf("first\n");
  where = &&second;
  goto again;
second:
  if (i++ < 2)
    goto again;
  printf("second %d\n", i);
  return 0;
}
