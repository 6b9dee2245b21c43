// A string without end in its buffer is copied beyond the end of another.
static char from[N + 2], to[N];

int main(void) {
  unsigned i;
  for (i = 0; i < N + 1u; i++)
    from[i] = 'x';
  for (i = 0; from[i]; i++)
    to[i] = from[i];
  return 0;
}
