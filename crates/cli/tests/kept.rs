//! Blocks that static memory points to when the program ends, and blocks that it does not: parts of structs and tables are asked like
//! variables; what may lie in other blocks nobody knows.

use crate::common::check_answers;

const HEAD: &str = "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
    extern int __VERIFIER_nondet_int(void);\n";

const ANSWERS: &[(&str, &str, &str)] = &[
    (
        "valid-memtrack",
        "const char *const names[] = { \"a\", \"b\" }; int main(void){ char *m = malloc(4); if(!m) return 1; m[0]=1; int k=__VERIFIER_nondet_int(); return m[0]+names[k&1][0]; }",
        "false(valid-memtrack)",
    ),
    (
        "valid-memtrack",
        "const char *names[] = { \"a\", \"b\" }; int main(void){ char *m = malloc(4); if(!m) return 1; names[1]=m; return 0; }",
        "true",
    ),
    (
        "valid-memtrack",
        "const char *names[] = { \"a\", \"b\" }; int main(void){ char *m = malloc(4); if(!m) return 1; names[1]=m; names[1]=\"c\"; return 0; }",
        "false(valid-memtrack)",
    ),
    (
        "valid-memtrack",
        "static int x; static int *p=&x; int main(void){ int *q=malloc(4); return 0; }",
        "false(valid-memtrack)",
    ),
    ("valid-memtrack", "static int *g; int main(void){ g=malloc(4); g=malloc(4); return 0; }", "false(valid-memtrack)"),
    ("valid-memtrack", "static struct { char *p; int n; } s; int main(void){ s.p=malloc(3); return 0; }", "true"),
    (
        "valid-memtrack",
        "static struct { char *p; int n; } s; int main(void){ s.p=malloc(3); s.p++; return 0; }",
        "true",
    ),
    (
        "valid-memtrack",
        "static struct { char *p; int n; } s; int main(void){ s.p=malloc(3); s.p=0; return 0; }",
        "false(valid-memtrack)",
    ),
    (
        "valid-memtrack",
        "static char *arr[4]; int main(void){ for(int i=0;i<4;i++) arr[i]=malloc(2); return 0; }",
        "true",
    ),
    (
        "valid-memtrack",
        "static char *arr[4]; int main(void){ for(int i=0;i<5;i++) arr[i%4]=malloc(2); return 0; }",
        "false(valid-memtrack)",
    ),
    (
        "valid-memtrack",
        "struct n { struct n *next; }; static struct n *head; int main(void){ for(int i=0;i<3;i++){ struct n *x=malloc(sizeof *x); if(!x) return 0; x->next=head; head=x; } return 0; }",
        "unknown",
    ),
    (
        "valid-memtrack",
        "struct s { char *p; }; static struct s *g=&(struct s){0}; int main(void){ g->p=malloc(4); return 0; }",
        "true",
    ),
    (
        "valid-memtrack",
        "struct s { char *p; }; static struct s *get(void){ static struct s s; return &s; } static struct s *g; int main(void){ g=get(); g->p=malloc(4); return 0; }",
        "true",
    ),
    ("valid-memtrack", "static union { long n; char *p; } u; int main(void){ u.p=malloc(4); return 0; }", "true"),
    (
        "valid-memtrack",
        "static union { long n; char *p; } u; int main(void){ u.p=malloc(4); u.n=0; return 0; }",
        "false(valid-memtrack)",
    ),
    (
        "valid-memtrack",
        "static int f(void){return 1;} static int (*tab[2])(void)={f,f}; int main(void){ char *m=malloc(4); return tab[0](); }",
        "false(valid-memtrack)",
    ),
    (
        "valid-memtrack",
        "struct in { int k; char *v; }; static struct { struct in in[2]; long t; } st; int main(void){ st.in[1].v=malloc(1); return 0; }",
        "true",
    ),
    ("valid-memtrack", "static char **pp; static char *q; int main(void){ pp=&q; *pp=malloc(3); return 0; }", "true"),
    (
        "valid-memtrack",
        "static char **pp; int main(void){ char *q; pp=&q; *pp=malloc(3); return 0; }",
        "false(valid-memtrack)",
    ),
    (
        "valid-memtrack",
        "static char **pp; int main(void){ pp=malloc(sizeof *pp); if(!pp) return 0; *pp=malloc(3); return 0; }",
        "unknown",
    ),
    (
        "valid-memtrack",
        "static void *v[2]; int main(void){ int x; v[0]=&x; v[1]=malloc(3); v[0]=v[1]; v[1]=0; return 0; }",
        "true",
    ),
    ("valid-memtrack", "static uintptr_t w[2]; int main(void){ w[0]=(uintptr_t)malloc(3); return 0; }", "unknown"),
    (
        "valid-memtrack",
        "static int *g; static void set(int **p, int *v){ *p=v; } int main(void){ int **h=malloc(sizeof *h); if(!h) return 0; g=(int*)0; static int **k; k=h; set(h,malloc(4)); return 0; }",
        "unknown",
    ),
    (
        "valid-memtrack",
        "struct n {struct n *next;}; static struct n *g; int main(void){ g=malloc(sizeof *g); if(!g) return 0; struct n v={malloc(sizeof v)}; *g=v; return 0; }",
        "unknown",
    ),
    (
        "valid-memtrack",
        "struct n {struct n *next;}; static struct n *g; int main(void){ g=malloc(sizeof *g); if(!g) return 0; struct n v={malloc(sizeof v)}; memcpy(g,&v,sizeof v); return 0; }",
        "unknown",
    ),
    (
        "valid-memtrack",
        "static char *g; int main(void){ g=malloc(20); if(!g) return 0; char *p=malloc(3); memcpy(g,&p,sizeof p); return 0; }",
        "unknown",
    ),
    (
        "valid-memtrack",
        "static char **g; int main(void){ g=malloc(20); if(!g) return 0; char b[]=\"12\"; strtol(b,g,10); return 0; }",
        "true",
    ),
    (
        "valid-memtrack",
        "static void **g; int main(void){ g=calloc(1,sizeof *g); if(!g) return 0; __atomic_store_n(g,malloc(3),5); return 0; }",
        "unknown",
    ),
    (
        "valid-memtrack",
        "static char **g; int main(void){ g=calloc(1,sizeof *g); if(!g) return 0; size_t n=0; getline(g,&n,stdin); return 0; }",
        "unknown",
    ),
    (
        "valid-memtrack",
        "static struct {char *a,*b;} *g; int main(void){ g=calloc(1,sizeof *g); if(!g) return 0; char **q=&g->b; *q=malloc(3); return 0; }",
        "unknown",
    ),
    (
        "valid-memtrack",
        "static struct {char *a; char *b[2];} *g; int main(void){ g=calloc(1,sizeof *g); if(!g) return 0; g->b[1]=malloc(3); return 0; }",
        "unknown",
    ),
    (
        "valid-memtrack",
        "static struct {char *a; char *b[2];} g,*p=&g; int main(void){ p->b[1]=malloc(3); return 0; }",
        "true",
    ),
];

#[test]
fn blocks_that_static_memory_keeps() {
    check_answers("kept", HEAD, ANSWERS);
}
