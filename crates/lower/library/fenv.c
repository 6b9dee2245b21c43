/* fenv.h and locale.h. The locale is "C": other choices are not modelled. Exceptions are
   flags that arithmetic may raise, which is not modelled: a test of them says anything. */

typedef __typeof__(sizeof(0)) size_t;

int __foldback_unknown_int(void);
void __VERIFIER_assume(int condition);
void __foldback_unsupported(const char *what);
void __foldback_check_read(const void *p, size_t n);

/* The lowering rounds as this says; a program that does not use it rounds to nearest. */
static int __foldback_rounding;

int fegetround(void) { return __foldback_rounding; }

int fesetround(int mode) {
  if (mode != 0 && mode != 0x400 && mode != 0x800 && mode != 0xc00)
    return 1;
  __foldback_rounding = mode;
  return 0;
}

int feclearexcept(int exceptions) {
  (void)exceptions;
  return 0;
}

int feraiseexcept(int exceptions) {
  (void)exceptions;
  return 0;
}

int fetestexcept(int exceptions) {
  int raised = __foldback_unknown_int();
  return raised & exceptions & 61;
}

char *setlocale(int category, const char *locale) {
  if (category < 0 || category > 12)
    return 0;
  if (locale != 0 && !(locale[0] == 'C' && locale[1] == 0)) {
    if (!(locale[0] == 'P' && locale[1] == 'O' && locale[2] == 'S' && locale[3] == 'I' && locale[4] == 'X' && locale[5] == 0))
      __foldback_unsupported("a locale other than \"C\"");
  }
  return "C";
}

/* As glibc lays it out: ten strings, then fourteen characters, in the "C" locale. */
struct __foldback_lconv {
  char *text[10];
  char number[14];
};

static struct __foldback_lconv __foldback_locale;

void *localeconv(void) {
  int i = 0;
  while (i < 10) {
    __foldback_locale.text[i] = i == 0 ? "." : "";
    i++;
  }
  i = 0;
  while (i < 14) {
    __foldback_locale.number[i] = 127;
    i++;
  }
  return &__foldback_locale;
}
