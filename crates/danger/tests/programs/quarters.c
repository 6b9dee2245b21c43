extern void reach_error(void);
#define assert(c) do { if (!(c)) reach_error(); } while (0)

int count;
void tick(int i) {
  if (i % 4 == 0) count++;
}
int main() {
  for (int i = 0; i < 1000000; i++) tick(i);
  assert(count != 250000);
}
