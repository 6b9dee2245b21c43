// Bodies in an array of structs, moved by each other; and structs passed and returned.
#include <stdio.h>
struct vector {
    int x, y, z;
};
struct body {
    struct vector at, speed;
    int mass;
};
static struct body bodies[16];
static struct vector sub(struct vector a, struct vector b) {
    struct vector d = {a.x - b.x, a.y - b.y, a.z - b.z};
    return d;
}
int main(void) {
    for (int i = 0; i < 16; i++) {
        bodies[i].at.x = i * 37 % 101;
        bodies[i].at.y = i * 59 % 103;
        bodies[i].at.z = i * 83 % 107;
        bodies[i].mass = i % 5 + 1;
    }
    for (int step = 0; step < 3000; step++) {
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++) {
                struct body *a = &bodies[i], *b = &bodies[j];
                if (i == j) continue;
                struct vector d = sub(b->at, a->at);
                a->speed.x += d.x / 64 * b->mass;
                a->speed.y += d.y / 64 * b->mass;
                a->speed.z += d.z / 64 * b->mass;
            }
        for (struct body *b = bodies; b < bodies + 16; b++) {
            b->at.x += b->speed.x / 1024;
            b->at.y += b->speed.y / 1024;
            b->at.z += b->speed.z / 1024;
        }
    }
    printf("%d %d %d\n", bodies[3].at.x, bodies[7].at.y, bodies[15].at.z);
    return 0;
}
