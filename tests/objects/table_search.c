// property: valid-deref valid-free valid-memtrack
/* Binary search in a table of records, of which only the number of bytes is known when it is searched.
   BUG: it looks at where the key would have to be put. */
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

struct record {
  int key;
  int value;
};

static struct record *find(struct record *table, size_t count, int key) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (table[middle].key == key)
      return &table[middle];
    if (table[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
#ifdef BUG
  return table[low].key > key ? &table[low] : NULL;
#else
  return NULL;
#endif
}

int main(void) {
  int count = __VERIFIER_nondet_int();
  if (count < 1 || count > 100000)
    return 0;
  struct record *table = malloc(count * sizeof *table);
  if (!table)
    return 1;
  struct record *found = find(table, count, __VERIFIER_nondet_int());
  if (found)
    found->value = 7;
  free(table);
  return 0;
}
