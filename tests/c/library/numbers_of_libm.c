/* What the models compute of math.h, and what they leave to the machine's library. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  static const double values[] = {0.5, 1, -1, 2.5, 1e-5, 1234.5678, -0.1, 1e300, 5e-324};
  char text[1500];
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    double x = values[i];
    int e, q;
    double m = frexp(x, &e);
    printf("%g %d %g %d %g\n", m, e, logb(x), ilogb(x), scalbn(x, 7));
    printf("%a %a\n", nextafter(x, 1e9), nextafterf((float)x, -1));
    printf("%g", remquo(x, 0.7, &q));
    printf(" %d\n", q & 7);
    printf("%.17g %.17g %.17g %.17g\n", sin(x), cos(x), atan(x), exp(x / 1e300));
    printf("%.9g %.9g\n", sinf((float)x), log1p(fabs(x)));
    sprintf(text, "%f|%12.3e|%-12g|%+a|%G|%020.5f|% .0f", x, x, x, x, x, x / 3, x);
    printf("%s %zu\n", text, strlen(text));
  }
  printf("%g %g %g\n", pow(2, 10), pow(-3, 3), pow(1.5, 2.5));
  printf("%g %g %g\n", strtod("1e100", 0), strtod("123456789012345678901234567890", 0), strtod("2.2250738585072011e-308", 0));
  printf("%.9g %.9g\n", strtof("0.1", 0), strtof("-3.4028236e38", 0));
  printf("%g %g\n", hypot(3, 4), atan2(1, 1));
  srand(42);
  int a = rand(), b = rand();
  srand(42);
  printf("%d %d\n", a == rand(), b == rand());
  return 0;
}
