// Products of matrices of doubles and of integers, in global arrays of two dimensions.
#include <stdio.h>
#define N 120
static double a[N][N], b[N][N], c[N][N];
static int ia[N][N], ib[N][N], ic[N][N];
static int inner(int i, int j) {
    int sum = 0;
    for (int k = 0; k < N; k++) sum += ia[i][k] * ib[k][j];
    return sum;
}
int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i + j;
            b[i][j] = i - j;
            ia[i][j] = i % 7 - j % 5;
            ib[i][j] = i % 3 + j % 11;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            c[i][j] = 0;
            for (int k = 0; k < N; k++) c[i][j] += a[i][k] * b[k][j];
            ic[i][j] = inner(i, j);
        }
    printf("%.0f %d\n", c[N - 1][N / 2], ic[N - 1][N / 2]);
    return 0;
}
