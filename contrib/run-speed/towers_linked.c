// Towers of Hanoi: stacks are linked discs, as in the AWFY benchmarks.
#include <stdio.h>
#include <stdlib.h>
struct disc {
    int size;
    struct disc *next;
};
static struct disc *piles[3];
static int moves;
static void push(struct disc *disc, int pile) {
    struct disc *top = piles[pile];
    if (top != NULL && disc->size >= top->size) exit(1);
    disc->next = top;
    piles[pile] = disc;
}
static struct disc *pop(int pile) {
    struct disc *top = piles[pile];
    if (top == NULL) exit(1);
    piles[pile] = top->next;
    top->next = NULL;
    return top;
}
static void move_top(int from, int to) {
    push(pop(from), to);
    moves++;
}
static void move_discs(int n, int from, int to) {
    if (n == 1) {
        move_top(from, to);
        return;
    }
    int other = 3 - from - to;
    move_discs(n - 1, from, other);
    move_top(from, to);
    move_discs(n - 1, other, to);
}
int main(void) {
    for (int size = 19; size >= 0; size--) {
        struct disc *disc = malloc(sizeof *disc);
        if (disc == NULL) return 1;
        disc->size = size;
        disc->next = NULL;
        push(disc, 0);
    }
    move_discs(20, 0, 1);
    printf("%d\n", moves);
    return 0;
}
