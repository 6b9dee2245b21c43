// Bubble sort of a global array, as in the Stanford benchmarks.
#include <stdio.h>
#define N 4000
static int seed = 74755;
static int sorted[N + 1];
static int number(void) {
    seed = (seed * 1309 + 13849) & 65535;
    return seed;
}
int main(void) {
    for (int i = 1; i <= N; i++) sorted[i] = number() - 32768;
    int top = N;
    while (top > 1) {
        int i = 1;
        while (i < top) {
            if (sorted[i] > sorted[i + 1]) {
                int j = sorted[i];
                sorted[i] = sorted[i + 1];
                sorted[i + 1] = j;
            }
            i = i + 1;
        }
        top = top - 1;
    }
    printf("%d %d %d\n", sorted[1], sorted[N / 2], sorted[N]);
    return 0;
}
