// The sieve of Eratosthenes.
#include <stdio.h>
#include <string.h>
#define N 8190
static char flags[N + 1];
int main(void) {
    int count = 0;
    for (int round = 0; round < 200; round++) {
        count = 0;
        for (int i = 0; i <= N; i++) flags[i] = 1;
        for (int i = 0; i <= N; i++)
            if (flags[i]) {
                int prime = i + i + 3;
                for (int k = i + prime; k <= N; k += prime) flags[k] = 0;
                count++;
            }
    }
    printf("%d\n", count);
    return 0;
}
