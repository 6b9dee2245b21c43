// property: memsafety
// expect: violates valid-deref at 7
struct s { int a, b; };
static int get(struct s *p) { return p->b; }
int main(void) {
  struct s *p = 0;
  return p->b + get(p);
}
