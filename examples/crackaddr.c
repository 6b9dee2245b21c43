// The buffer overflow of Sendmail's crackaddr, after T. Dullien's challenge for verifiers: "(" does not take back what ")"
// adds to the limit, so that the limit grows with every "()". One of the inputs below leads 200 characters deep into it;
// examples/crackaddr.danger.yml says which, and why (see docs/engines/danger.md).
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

#define SIZE 200
#define LENGTH 1000000

int main() {
  char localbuf[SIZE];
  unsigned int upperlimit = SIZE - 10;
  int quotation = 0, roundquote = 0;
  unsigned int in = 0, out = 0;
  while (in < LENGTH) {
    char c = __VERIFIER_nondet_char();
    in++;
    if (c == '<' && !quotation) {
      quotation = 1;
      upperlimit--;
    }
    if (c == '>' && quotation) {
      quotation = 0;
      upperlimit++;
    }
    if (c == '(' && !quotation && !roundquote) {
      roundquote = 1;
    }
    if (c == ')' && !quotation && roundquote) {
      roundquote = 0;
      upperlimit++;
    }
    if (out < upperlimit) {
      if (out >= SIZE) {
        reach_error();
      }
      localbuf[out] = c;
      out++;
    }
  }
  return 0;
}
