// Memory: arrays, structs by value, pointers to pointers, function pointers, strings, VLAs, compound literals, flexible
// arrays, initialisers, heap, variable arguments.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point {
  int x, y;
};
struct shape {
  char name[8];
  struct point corners[3];
  struct {
    short u;
    union {
      int i;
      float f;
    };
  } inner;
  int (*area)(const struct shape *);
};
struct node {
  struct node *next;
  int value;
};
struct text {
  int length;
  char data[];
};

static int counter(void) {
  static int n = 40;
  return ++n;
}
static int half(const struct shape *s) { return s->corners[1].x / 2; }
static int full(const struct shape *s) { return s->corners[1].x; }
static struct point add(struct point a, struct point b) {
  a.x += b.x;
  a.y += b.y;
  return a;
}
static struct shape shapes[] = {
    {"one", {{1, 2}, [2] = {.y = 9}}, {3, {.i = 4}}, half},
    [2] = {.name = "three", .corners[1] = {30, 31}, .area = full},
};
static int *cursor = &shapes[2].corners[1].y;
static const char *names[] = {"zero", "one", [3] = "three"};
static struct text greeting = {5, "hello"};
static char *tail = greeting.data + 2;

static int total(int count, ...) {
  va_list list, copy;
  int sum = 0;
  va_start(list, count);
  va_copy(copy, list);
  for (int i = 0; i < count; i++)
    sum += i % 2 ? (int)va_arg(list, double) : va_arg(list, int);
  sum += 1000 * va_arg(copy, int);
  va_end(copy);
  va_end(list);
  return sum;
}

static int matrix(int rows, int columns) {
  int m[rows][columns];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      m[i][j] = i * 10 + j;
  int sum = 0;
  for (int(*row)[columns] = m; row < m + rows; row++)
    sum += (*row)[columns - 1];
  return sum + (int)(sizeof m / sizeof m[0]);
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  struct point p = add((struct point){1, 2}, (struct point){.y = 5});
  printf("%d %d %d\n", p.x, p.y, add(p, p).y);
  printf("%s %d %d %d %d\n", shapes[0].name, shapes[0].corners[2].y, shapes[0].inner.i, *cursor, (int)(sizeof shapes / sizeof *shapes));
  shapes[1] = shapes[2];
  shapes[1].area = shapes[0].area;
  for (int i = 1; i < 3; i++)
    printf("%s %d\n", shapes[i].name, shapes[i].area(&shapes[i]));
  printf("%s %d %s %c\n", names[1], names[2] == 0, tail, *names[3]);
  struct node *list = 0;
  for (int i = 0; i < 5; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = counter();
    n->next = list;
    list = n;
  }
  struct node **at = &list;
  while (*at)
    if ((*at)->value % 2) {
      struct node *dead = *at;
      *at = dead->next;
      free(dead);
    } else
      at = &(*at)->next;
  for (struct node *n = list; n; n = n->next)
    printf("%d ", n->value);
  printf("\n%d %d\n", total(4, 1, 2.5, 3, 4.5), matrix(3, 4));
  int numbers[] = {5, 3, 9, -2, 7};
  qsort(numbers, 5, sizeof *numbers, compare);
  for (int i = 0; i < 5; i++)
    printf("%d ", numbers[i]);
  char buffer[32];
  memset(buffer, 'x', sizeof buffer);
  strcpy(buffer + 1, "bcd");
  memmove(buffer + 2, buffer + 1, 4);
  printf("%.6s %d %td\n", buffer, (int)strlen(buffer), strchr(buffer, 'd') - buffer);
  int *grown = calloc(2, sizeof(int));
  grown[1] = 5;
  grown = realloc(grown, 4 * sizeof(int));
  grown[3] = 7;
  printf("%d %d %d\n", grown[0], grown[1], grown[3]);
  free(grown);
  int *q = (int[]){1, 2, 3}, k = 1;
  q[k++] += 2;
  printf("%d %d\n", q[1], k);
  char chars[3][5] = {"ab", "cdefg", {'h'}};
  printf("%c%c%d%s\n", chars[1][4], chars[2][0], chars[0][2], chars[0]);
  return list->value - 44;
}
