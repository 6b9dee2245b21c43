// String functions that the program defines itself, and a text reversed and folded byte by byte.
#include <stdio.h>
static char from[64] = "The quick brown fox jumps over the lazy dog", to[128];
static char *append(char *d, const char *s) {
    char *start = d;
    while (*d) d++;
    while ((*d++ = *s++)) {}
    return start;
}
static unsigned hash(const char *s) {
    unsigned h = 5381;
    while (*s) h = h * 33 + (unsigned char)*s++;
    return h;
}
static void reverse(char *s) {
    int n = 0;
    while (s[n]) n++;
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        char c = s[i];
        s[i] = s[j];
        s[j] = c;
    }
}
int main(void) {
    unsigned sum = 0;
    for (int i = 0; i < 30000; i++) {
        to[0] = 0;
        append(to, from);
        append(to, from);
        reverse(to);
        sum += hash(to);
    }
    printf("%u\n", sum);
    return 0;
}
