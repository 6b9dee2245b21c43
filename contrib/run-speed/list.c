// A linked list: built, reversed, summed, merge-sorted.
#include <stdio.h>
#include <stdlib.h>
struct node {
    struct node *next;
    int value;
    short flags;
};
static struct node *merge(struct node *a, struct node *b) {
    struct node head, *last = &head;
    while (a != NULL && b != NULL) {
        if (a->value <= b->value) {
            last->next = a;
            a = a->next;
        } else {
            last->next = b;
            b = b->next;
        }
        last = last->next;
    }
    last->next = a != NULL ? a : b;
    return head.next;
}
static struct node *sort(struct node *list) {
    if (list == NULL || list->next == NULL) return list;
    struct node *slow = list, *fast = list->next;
    while (fast != NULL && fast->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct node *back = slow->next;
    slow->next = NULL;
    return merge(sort(list), sort(back));
}
int main(void) {
    struct node *list = NULL;
    unsigned seed = 7;
    for (int i = 0; i < 5000; i++) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL) return 1;
        seed = seed * 1103515245u + 12345u;
        node->value = (int)(seed >> 16 & 0x7fff);
        node->flags = (short)(i & 3);
        node->next = list;
        list = node;
    }
    list = sort(list);
    long sum = 0;
    for (int round = 0; round < 200; round++) {
        struct node *back = NULL;
        while (list != NULL) {
            struct node *next = list->next;
            list->next = back;
            back = list;
            list = next;
        }
        list = back;
        for (struct node *n = list; n != NULL; n = n->next)
            if (n->flags != 2) sum += n->value;
    }
    printf("%ld\n", sum);
    return 0;
}
