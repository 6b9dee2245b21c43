// Towers of Hanoi: stacks are arrays with a height.
#include <stdio.h>
#define DISCS 20
static int discs[3][DISCS];
static int height[3];
static long moves;
static void push(int peg, int disc) { discs[peg][height[peg]++] = disc; }
static int pop(int peg) { return discs[peg][--height[peg]]; }
static void move(int from, int to) {
    push(to, pop(from));
    moves++;
}
static void tower(int n, int from, int to, int over) {
    if (n == 0) return;
    tower(n - 1, from, over, to);
    move(from, to);
    tower(n - 1, over, to, from);
}
int main(void) {
    for (int disc = DISCS; disc > 0; disc--) push(0, disc);
    tower(DISCS, 0, 2, 1);
    printf("%ld %d\n", moves, discs[2][0]);
    return 0;
}
