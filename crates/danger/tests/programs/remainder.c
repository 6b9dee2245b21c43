extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int a[8];
int main() {
  for (int i = 0; i < 1000000; i++) a[i % 8]++;
  assert(a[3] != 125000);
}
