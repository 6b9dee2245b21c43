// One counter goes up while another, chosen by the input, goes down.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned up = 0, down = __VERIFIER_nondet_uint();
  while (down > 0) {
    up++;
    down--;
  }
  if (up == N)
    reach_error();
  return 0;
}
