// property: unreach-call
// expect: ok
extern void abort(void);
extern void reach_error(void);
void assume_abort_if_not(int c) { if (!c) { abort(); } }
int main(void) {
  assume_abort_if_not(0);
  reach_error();
  return 0;
}
