// Short strings: copied, joined, compared, and one long string by repeated strcat.
#include <stdio.h>
#include <string.h>
static char buffer[256], other[256], text[100001];
int main(void) {
    unsigned long sum = 0;
    for (int i = 0; i < 200000; i++) {
        strcpy(buffer, "hello, ");
        strcat(buffer, i & 1 ? "world" : "everybody");
        memcpy(other, buffer, strlen(buffer) + 1);
        other[i % 7] = 'x';
        sum += strlen(buffer) + (unsigned long)(strcmp(buffer, other) > 0) + (unsigned long)(memcmp(buffer, other, 4) == 0);
        memset(other, 0, 16);
    }
    for (int i = 0; i < 10000; i++) strcat(text, "0123456789");
    printf("%lu %lu\n", sum, (unsigned long)strlen(text));
    return 0;
}
