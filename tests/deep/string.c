// A string of inputs is stored, then its end is looked for.
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
static char s[N + 1];

int main(void) {
  unsigned length = 0;
  for (unsigned i = 0; i < N; i++) {
    char c = __VERIFIER_nondet_char();
    if (c == 0)
      break;
    s[i] = c;
  }
  while (s[length])
    length++;
  if (length == N)
    reach_error();
  return 0;
}
