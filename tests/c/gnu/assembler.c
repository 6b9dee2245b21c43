/* Inline assembler of which kernels make operations on bits and counters. */
#include <stdio.h>

static void set_bit(unsigned nr, volatile unsigned *word) {
  __asm__ volatile(".pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\tlock; btsl %1,%0"
                   : "+m"(*word)
                   : "Ir"(nr)
                   : "memory");
}

static int test_and_clear_bit(int nr, volatile unsigned *word) {
  int old;
  __asm__ volatile("lock; btrl %2,%1\n\tsbbl %0,%0" : "=r"(old), "+m"(*word) : "Ir"(nr) : "memory");
  return old;
}

static int test_bit(int nr, const volatile unsigned *word) {
  int old;
  __asm__ volatile("btl %2,%1\n\tsbbl %0,%0" : "=r"(old) : "m"(*word), "Ir"(nr));
  return old;
}

static _Bool test_and_change_bit(int nr, volatile unsigned *word) {
  unsigned char changed;
  __asm__ volatile("lock btcl %2, %0; setc %1" : "+m"(*word), "=qm"(changed) : "Ir"(nr) : "memory");
  return changed;
}

struct counter {
  int value;
};

static void increment(struct counter *c) { __asm__ volatile("lock; incl %0" : "+m"(c->value)); }

static int decrement_and_test(struct counter *c) {
  unsigned char is_zero;
  __asm__ volatile("lock; decl %0; sete %1" : "+m"(c->value), "=qm"(is_zero) : : "memory");
  return is_zero != 0;
}

static int add_negative(int i, struct counter *c) {
  unsigned char is_negative;
  __asm__ volatile("lock; addl %2,%0; sets %1" : "+m"(c->value), "=qm"(is_negative) : "ir"(i) : "memory");
  return is_negative;
}

static int add_return(int i, struct counter *c) {
  int old = i;
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(old), "+m"(c->value) : : "memory");
  return old + i;
}

static unsigned exchange(unsigned to, unsigned *word) {
  __asm__ volatile("xchgl %[to],%[word]" : [to] "+r"(to), [word] "+m"(*word) : : "memory");
  return to;
}

static void write_long(unsigned value, volatile void *address) {
  __asm__ volatile("movl %0,%1" : : "r"(value), "m"(*(volatile unsigned *)address) : "memory");
}

static unsigned read_long(const volatile void *address) {
  unsigned value;
  __asm__ volatile("movl %1,%0" : "=r"(value) : "m"(*(volatile unsigned *)address) : "memory");
  return value;
}

static void set_far_bit(int nr, unsigned *words) {
  __asm__ volatile("btsl %1,%0" : "+m"(*words) : "r"(nr) : "memory");
}

int main(void) {
  unsigned word = 0x10;
  for (unsigned nr = 0; nr < 32; nr += 5)
    set_bit(nr, &word);
  printf("%x\n", word);
  for (int nr = 0; nr < 32; nr += 2) {
    printf("%d", test_bit(nr, &word));
    printf(" %d", test_and_clear_bit(nr, &word));
    printf(" %d\n", test_and_change_bit(31 - nr, &word));
  }
  printf("%x\n", word);
  struct counter c = {1};
  increment(&c);
  printf("%d", c.value);
  printf(" %d", decrement_and_test(&c));
  printf(" %d", decrement_and_test(&c));
  printf(" %d\n", c.value);
  printf("%d", add_negative(7, &c));
  printf(" %d", add_negative(-9, &c));
  printf(" %d", add_return(40, &c));
  printf(" %d\n", c.value);
  unsigned old = exchange(123, &word);
  printf("%x %u\n", old, word);
  write_long(77, &word);
  printf("%u\n", read_long(&word));
  unsigned a = 12, b = 10;
  __asm__("andl %1,%0" : "+r"(a) : "r"(b));
  __asm__("orl %1,%0" : "+r"(b) : "r"(a));
  __asm__("notl %0\n\tnegl %0" : "+r"(b));
  __asm__("xorl %1,%0\n\tsubl %1,%0" : "+r"(a) : "r"(b));
  printf("%u %u\n", a, b);
  unsigned words[4] = {0};
  for (int nr = -30; nr < 90; nr += 13)
    set_far_bit(nr, words + 1);
  printf("%x %x %x %x\n", words[0], words[1], words[2], words[3]);
  return 0;
}
