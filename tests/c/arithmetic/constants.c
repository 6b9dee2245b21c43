/* Types of integer constants, character constants and escapes, adjacent strings. */
#include <stdio.h>
#include <string.h>

#define SIGN(x) ((x) > 0 ? 1 : (x) < 0 ? -1 : 0)

int main(void) {
  printf("%d %d %d %d\n", (int)sizeof(2147483647), (int)sizeof(2147483648), (int)sizeof(0x80000000),
         (int)sizeof(0xffffffffffffffff));
  printf("%d %d\n", SIGN(-2147483648), SIGN(-0x80000000));
  printf("%d %d %d\n", (int)sizeof(1u), (int)sizeof(1ul), (int)sizeof(1ull));
  printf("%d %d %d %d\n", 010, 0x1F, 0b101, '\101');
  printf("%d %d %d %d %d %d\n", '\n', '\t', '\\', '\'', '\0', '\x41');
  printf("%d %d %d\n", '\377', '\xff', 'ab');
  printf("%d\n", L'a');
  const char *s = "one" " two"
                  "\tthree\x41" "B\0hidden";
  printf("%d %s\n", (int)strlen(s), s);
  printf("%d\n", (int)sizeof("a\0b"));
  printf("%s\n", "quotes \"inside\" and a tab\tand a bell? \?\?");
  char text[] = "\a\b\f\v\r\e";
  for (int i = 0; i < (int)sizeof text; i++)
    printf("%d ", text[i]);
  printf("\n");
  int wide[] = {L'x', L'\u00e9'};
  printf("%d %d\n", wide[0], wide[1]);
  unsigned char utf[] = "\u00e9\u20ac";
  for (int i = 0; i < (int)sizeof utf; i++)
    printf("%d ", utf[i]);
  printf("\n%s\n", u8"plain");
  printf("%d %d\n", (int)sizeof(L"ab"), (int)sizeof(u"ab"));
  printf("%c%c%c\n", "xyz"[0], 1["xyz"], *("xyz" + 2));
  return 0;
}
