// All solutions of the queens' problem, with boards of flags.
#include <stdio.h>
#define N 11
static int rows[N], up[2 * N], down[2 * N], solutions;
static void place(int column) {
    if (column == N) {
        solutions++;
        return;
    }
    for (int row = 0; row < N; row++)
        if (!rows[row] && !up[row + column] && !down[row - column + N]) {
            rows[row] = up[row + column] = down[row - column + N] = 1;
            place(column + 1);
            rows[row] = up[row + column] = down[row - column + N] = 0;
        }
}
int main(void) {
    place(0);
    printf("%d\n", solutions);
    return 0;
}
