// An array is filled; elements in the middle and at the end are asked for.
extern void reach_error(void);
static unsigned char a[N + 1];

int main(void) {
  for (unsigned i = 0; i <= N; i++)
    a[i] = (unsigned char)(i + 3);
  if (a[N / 2] == (unsigned char)(N / 2 + 3) && a[N] == (unsigned char)(N + 3))
    reach_error();
  return 0;
}
