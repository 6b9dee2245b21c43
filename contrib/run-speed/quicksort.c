// Quicksort, as in the Stanford benchmarks.
#include <stdio.h>
#define N 50000
static unsigned seed = 1;
static int sorted[N + 1];
static void quicksort(int a[], int l, int r) {
    int i = l, j = r, x = a[(l + r) / 2], w;
    do {
        while (a[i] < x) i = i + 1;
        while (x < a[j]) j = j - 1;
        if (i <= j) {
            w = a[i];
            a[i] = a[j];
            a[j] = w;
            i = i + 1;
            j = j - 1;
        }
    } while (i <= j);
    if (l < j) quicksort(a, l, j);
    if (i < r) quicksort(a, i, r);
}
int main(void) {
    for (int round = 0; round < 5; round++) {
        for (int i = 1; i <= N; i++) {
            seed = seed * 1103515245u + 12345u;
            sorted[i] = (int)(seed >> 8 & 0xffff) - 32768;
        }
        quicksort(sorted, 1, N);
    }
    printf("%d %d %d\n", sorted[1], sorted[N / 2], sorted[N]);
    return 0;
}
