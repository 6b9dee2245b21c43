// Words counted in a hash table with chains.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry {
    struct entry *next;
    int count;
    char word[20];
};
static struct entry *table[1024];
static unsigned hash(const char *word) {
    unsigned h = 0;
    for (; *word; word++) h = h * 31 + (unsigned char)*word;
    return h % 1024;
}
static struct entry *find(const char *word) {
    unsigned h = hash(word);
    for (struct entry *e = table[h]; e != NULL; e = e->next)
        if (strcmp(e->word, word) == 0) return e;
    struct entry *e = malloc(sizeof *e);
    if (e == NULL) exit(1);
    strcpy(e->word, word);
    e->count = 0;
    e->next = table[h];
    table[h] = e;
    return e;
}
int main(void) {
    unsigned seed = 1;
    for (int i = 0; i < 200000; i++) {
        seed = seed * 1103515245u + 12345u;
        unsigned n = (seed >> 16) % 3000;
        char word[20];
        int length = 0;
        while (n > 0 || length < 4) {
            word[length++] = (char)('a' + n % 26);
            n /= 26;
        }
        word[length] = 0;
        find(word)->count++;
    }
    int words = 0, most = 0;
    for (int i = 0; i < 1024; i++)
        for (struct entry *e = table[i]; e != NULL; e = e->next) {
            words++;
            if (e->count > most) most = e->count;
        }
    printf("%d %d\n", words, most);
    return 0;
}
