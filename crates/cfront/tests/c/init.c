// Initialisers in all their shapes; sizes of arrays that take their length from them.
int a1[] = {1, 2, 3}; _Static_assert(sizeof a1 / sizeof a1[0] == 3, ""); int a2[] = {[5] = 1, 2, [2] = 3}; _Static_assert(sizeof a2 / sizeof a2[0] == 7, "");
int a3[] = {[0 ... 9] = 7, [3] = 1}; _Static_assert(sizeof a3 / sizeof a3[0] == 10, ""); char s1[] = "abc"; _Static_assert(sizeof s1 == 4, ""); char s2[] = {"abcd"}; _Static_assert(sizeof s2 == 5, "");
char s3[2] = "ab"; char s4[10] = "ab"; unsigned char s5[] = "x\xff"; _Static_assert(sizeof s5 == 3, ""); const char *t[] = {"a", "bc", [4] = "d"}; _Static_assert(sizeof t / sizeof t[0] == 5, "");
int m[][2] = {1, 2, 3, 4, 5}; _Static_assert(sizeof m / sizeof m[0] == 3, ""); int n[2][3] = {{1}, {2, 3}}; char names[][4] = {"ab", "cd", "efg"}; _Static_assert(sizeof names / sizeof names[0] == 3, "");
struct p { int x, y; }; struct p p1 = {1, 2}, p2 = {.y = 3}, p3 = {y : 4, x : 5}, ps[] = {{1, 2}, {.x = 3}, [4] = {5, 6}}; _Static_assert(sizeof ps / sizeof ps[0] == 5, "");
struct q { struct p a, b[2]; char *s; union { int i; float f; } u; } q1 = {1, 2, 3, 4, 5, 6, "s", 7}, q2 = {.a.x = 1, .b[1].y = 2, .u.f = 1.5f}, q3 = {.b = {[1] = {.x = 9}}, .a = {1}};
union v { int i; char c[8]; double d; } v1 = {1}, v2 = {.d = 2.5}, v3 = {.c = "hello"}; int *ip = &a1[1], *iq = a1 + 2; char *cp = "lit" + 1; int (*fp)(void); int *ir = &q1.b[1].y;
struct anon { int k; union { int i; float f; }; struct { int g, h; }; } an = {1, {.f = 2}, {3, 4}}, am = {.k = 1, .g = 5, .i = 3}; struct flex { int n; int d[]; } fl = {2, {10, 20}};
int scalar = {5}; double dd = 1; float ff = 1 / 3.0; long lp = (long)&a1[0]; struct p *pp = &(struct p){7, 8}; int *lit = (int[]){1, 2, 3}; static struct p *nul = 0; void *vn = (void *)0;
_Bool bb = 3; char ch = 'x'; struct bits { unsigned a : 3, : 2, b : 4; int c : 5; } bits = {1, 2, -3}; struct { int a[3]; } arrs[2] = {1, 2, 3, 4};
int f(int k) {
  int loc[] = {k, k + 1, [4] = 2}; struct p lp1 = {k, 2}, lp2 = lp1, lps[2] = {lp1, {3}}; struct q lq = {lp1, .s = "x"}; char str[] = "local"; static int st[] = {1, 2}; static const char *const names2[] = {"a", "b"};
  struct p *c1 = &(struct p){.x = k}; int *c2 = (int[]){k, 2}; union v u = {.c = {1, 2}}; struct p zero = {}; int sc = {k}; (void)c1, (void)c2, (void)u, (void)zero, (void)sc; double da[3] = {1, 2.5f, k};
  _Static_assert(sizeof loc == 20 && sizeof str == 6, ""); return loc[0] + lp2.x + lps[1].y + lq.a.x + str[0] + st[0] + names2[0][0] + da[1] + ((struct p){1, 2}).y + (int){3};
}
const int climit = 5; int useclimit[2] = {1}; static int *self = (int *)&self; extern int tent[]; int tent[4]; int tent2[]; int tent2[] ; struct late; extern struct late lt; struct late { int z; }; struct late lt = {1};
