// Permutations, as in the Stanford benchmarks.
#include <stdio.h>
static int permarray[11];
static int count;
static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}
static void permute(int n) {
    count = count + 1;
    if (n != 1) {
        permute(n - 1);
        for (int k = n - 1; k >= 1; k--) {
            swap(&permarray[n], &permarray[k]);
            permute(n - 1);
            swap(&permarray[n], &permarray[k]);
        }
    }
}
int main(void) {
    for (int i = 1; i <= 10; i++) permarray[i] = i - 1;
    permute(10);
    printf("%d\n", count);
    return 0;
}
