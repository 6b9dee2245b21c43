// Towers of Hanoi as in the Stanford benchmarks: stacks are lists in an array of cells.
#include <stdio.h>
#include <stdlib.h>
#define STACKS 3
#define CELLS 22
struct element {
    int size;
    int next;
};
static int stack[STACKS + 1];
static struct element cells[CELLS + 1];
static int freelist, moves;
static void error(const char *message) {
    printf("error: %s\n", message);
    exit(1);
}
static void makenull(int s) { stack[s] = 0; }
static int getelement(void) {
    int temp = 0;
    if (freelist > 0) {
        temp = freelist;
        freelist = cells[freelist].next;
    } else
        error("out of space");
    return temp;
}
static void push(int i, int s) {
    int errorfound = 0, localel;
    if (stack[s] > 0)
        if (cells[stack[s]].size <= i) {
            errorfound = 1;
            error("disc size");
        }
    if (!errorfound) {
        localel = getelement();
        cells[localel].next = stack[s];
        stack[s] = localel;
        cells[localel].size = i;
    }
}
static void init(int s, int n) {
    makenull(s);
    for (int disc = n; disc >= 1; disc--) push(disc, s);
}
static int pop(int s) {
    int temp, temp1;
    if (stack[s] > 0) {
        temp1 = cells[stack[s]].size;
        temp = cells[stack[s]].next;
        cells[stack[s]].next = freelist;
        freelist = stack[s];
        stack[s] = temp;
        return temp1;
    } else
        error("nothing to pop");
    return 0;
}
static void move(int s1, int s2) {
    push(pop(s1), s2);
    moves = moves + 1;
}
static void tower(int i, int j, int k) {
    int other;
    if (k == 1)
        move(i, j);
    else {
        other = 6 - i - j;
        tower(i, other, k - 1);
        move(i, j);
        tower(other, j, k - 1);
    }
}
int main(void) {
    for (int i = 1; i <= CELLS; i++) cells[i].next = i - 1;
    freelist = CELLS;
    init(1, 20);
    makenull(2);
    makenull(3);
    tower(1, 2, 20);
    printf("%d\n", moves);
    return 0;
}
