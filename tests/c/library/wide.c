/* Wide characters in the "C" locale. */
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

static int sign(int x) { return x < 0 ? -1 : x > 0; }

int main(void) {
  wchar_t a[32], b[32];
  wcscpy(a, L"hello");
  wcscat(a, L", wide");
  wcsncat(a, L" world", 3);
  printf("%ls %zu %.3ls|%10ls|%lc\n", a, wcslen(a), a, L"x", L'y');
  wmemset(b, L'z', 5);
  b[5] = 0;
  wcsncpy(b, L"ab", 3);
  printf("%ls %d %d\n", b, b[4], sign(wcscmp(a, b)));
  printf("%d %d\n", sign(wcsncmp(L"abc", L"abd", 2)), sign(wmemcmp(L"abc", L"abd", 3)));
  printf("%td %td %td\n", wcschr(a, L'l') - a, wcsrchr(a, L'l') - a, wcsstr(a, L"wide") - a);
  printf("%d %d\n", wcschr(a, L'q') == 0, wmemchr(a, L'q', 5) == 0);
  printf("%zu %zu\n", wcsspn(L"aabc", L"ab"), wcscspn(L"aabc", L"c"));
  wchar_t *copy = wcsdup(a), *rest;
  for (wchar_t *word = wcstok(copy, L", ", &rest); word; word = wcstok(0, L", ", &rest))
    printf("[%ls]", word);
  printf("\n");
  free(copy);
  printf("%d %d %d %d\n", (int)btowc('x'), (int)btowc(200), wctob(L'x'), wctob(300));
  printf("%d %d %d %d\n", iswdigit(L'5') != 0, iswalpha(L'5') != 0, iswspace(L' ') != 0, iswpunct(L'!') != 0);
  printf("%c %c %d %d\n", (int)towupper(L'q'), (int)towlower(L'Q'), wcwidth(L'a'), wcwidth(0));
  printf("%d ", swprintf(b, 32, L"%d-%s-%ls-%5d|", 42, "narrow", L"wide", 7));
  printf("%ls\n", b);
  wchar_t *end;
  printf("%ld ", wcstol(L" -0x1fz", &end, 0));
  printf("%ls %lu\n", end, wcstoul(L"77", 0, 8));
  printf("%lu %lu %lld %ld\n", wcstoul(L"-1", 0, 10), wcstoul(L"-99999999999999999999", 0, 10), wcstoll(L"-9999999999999999999", 0, 0),
         wcstol(L"\t+12", 0, 3));
  printf("%d %d %d\n", sign(wcscasecmp(L"WIDE", L"wide")), sign(wcsncasecmp(L"aBx", L"AbY", 3)), sign(wcscoll(L"b", L"a")));
  printf("%td %td %ls\n", wcpcpy(b, L"four") - b, wcpncpy(b, L"ab", 6) - b, wcspbrk(a, L"ow"));
  printf("%zu %zu\n", mbstowcs(a, "bytes", 32), wcstombs((char[32]){0}, a, 32));
  printf("%ls %zu %zu\n", a, mbrlen("x", 1, 0), mbrtowc(a, "q", 1, 0));
  return iswupper(L'A') ? 7 : 8;
}
