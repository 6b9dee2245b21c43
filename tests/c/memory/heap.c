/* malloc, calloc, realloc, free: a list, a tree, a growing vector. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list { int v; struct list *next; };
struct tree { int key; struct tree *left, *right; };

static struct list *push(struct list *l, int v) {
  struct list *n = malloc(sizeof *n);
  n->v = v;
  n->next = l;
  return n;
}
static struct list *reverse(struct list *l) {
  struct list *r = NULL;
  while (l) {
    struct list *next = l->next;
    l->next = r;
    r = l;
    l = next;
  }
  return r;
}
static void insert(struct tree **t, int key) {
  while (*t)
    t = key < (*t)->key ? &(*t)->left : &(*t)->right;
  *t = calloc(1, sizeof **t);
  (*t)->key = key;
}
static void walk(struct tree *t) {
  if (!t)
    return;
  walk(t->left);
  printf("%d ", t->key);
  walk(t->right);
  free(t);
}

int main(void) {
  struct list *l = NULL;
  for (int i = 0; i < 5; i++)
    l = push(l, i * i);
  l = reverse(l);
  while (l) {
    struct list *dead = l;
    printf("%d ", l->v);
    l = l->next;
    free(dead);
  }
  printf("\n");
  struct tree *t = NULL;
  int keys[] = {5, 2, 8, 1, 9, 3};
  for (int i = 0; i < 6; i++)
    insert(&t, keys[i]);
  walk(t);
  printf("\n");
  int *v = NULL, n = 0, room = 0;
  for (int i = 0; i < 20; i++) {
    if (n == room) {
      room = room ? 2 * room : 4;
      v = realloc(v, room * sizeof *v);
    }
    v[n++] = i;
  }
  int sum = 0;
  while (n)
    sum += v[--n];
  free(v);
  free(NULL);
  printf("%d %d\n", sum, room);
  int *z = calloc(4, sizeof *z);
  printf("%d\n", z[0] | z[1] | z[2] | z[3]);
  z = realloc(z, 2 * sizeof *z);
  printf("%d\n", z[1]);
  free(z);
  char *s = strdup("copy");
  s[0] = 'C';
  printf("%s\n", s);
  free(s);
  int **grid = malloc(3 * sizeof *grid);
  for (int i = 0; i < 3; i++) {
    grid[i] = malloc(4 * sizeof **grid);
    for (int j = 0; j < 4; j++)
      grid[i][j] = i * j;
  }
  printf("%d\n", grid[2][3]);
  for (int i = 0; i < 3; i++)
    free(grid[i]);
  free(grid);
  return 0;
}
