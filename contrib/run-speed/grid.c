// Conway's game of life on a grid, and shortest ways by dynamic programming.
#include <stdio.h>
#define N 64
static unsigned char grid[N][N], next[N][N];
static long cost[N][N];
int main(void) {
    unsigned seed = 3;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            seed = seed * 1103515245u + 12345u;
            grid[i][j] = seed >> 16 & 1;
        }
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                int n = 0;
                for (int di = -1; di <= 1; di++)
                    for (int dj = -1; dj <= 1; dj++)
                        if (di || dj) n += grid[(i + di + N) % N][(j + dj + N) % N];
                next[i][j] = n == 3 || (n == 2 && grid[i][j]);
            }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) grid[i][j] = next[i][j];
    }
    for (int round = 0; round < 100; round++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                long best = i == 0 ? (j == 0 ? 0 : cost[i][j - 1]) : cost[i - 1][j];
                if (i > 0 && j > 0 && cost[i][j - 1] < best) best = cost[i][j - 1];
                cost[i][j] = best + grid[i][j] + 1;
            }
    printf("%ld\n", cost[N - 1][N - 1]);
    return 0;
}
