/* time.h and sys/time.h: the clock is an input; sleeping takes no time. Dates in UTC are computed; what the time zone of the
   machine makes of them is any date. Texts are those of the "C" locale. */

typedef __typeof__(sizeof(0)) size_t;

long __VERIFIER_nondet_long(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __foldback_unsupported(const char *what);
void __foldback_errno_if(int condition, int value);
void __foldback_errno_any_if(int condition);
void __foldback_errno_may_if(int condition);
int __foldback_unknown_int(void);
long __foldback_unknown_long(void);
void __foldback_check_read(const void *p, size_t n);
void __foldback_havoc(void *p, size_t n);

struct __foldback_tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

struct __foldback_timespec {
  long seconds;
  long fraction;
};

long time(long *result) {
  long now = __VERIFIER_nondet_long();
  __VERIFIER_assume(now >= -1);
  __foldback_errno_any_if(now == -1);
  if (result != 0)
    *result = now;
  return now;
}

/* Time that was used does not become less; a long of 32 bits wraps around. */
static long __foldback_last_ticks;

long clock(void) {
  long ticks = __VERIFIER_nondet_long();
  __VERIFIER_assume(ticks >= -1 && (sizeof(long) == 4 || ticks == -1 || ticks >= __foldback_last_ticks));
  if (ticks != -1)
    __foldback_last_ticks = ticks;
  return ticks;
}

/* The difference itself is rounded, not the two times. */
double difftime(long later, long earlier) {
  if (later < earlier)
    return -(double)((unsigned long)earlier - (unsigned long)later);
  return (double)((unsigned long)later - (unsigned long)earlier);
}

/* Seconds and a fraction below `limit`. */
static int __foldback_clock(struct __foldback_timespec *now, long limit, int fails) {
  __foldback_errno_any_if(fails != 0);
  if (fails != 0)
    return -1;
  if (now != 0) {
    now->seconds = __VERIFIER_nondet_long();
    now->fraction = __VERIFIER_nondet_long();
    __VERIFIER_assume(now->seconds >= 0 && now->fraction >= 0 && now->fraction < limit);
  }
  return 0;
}

/* The clocks from CLOCK_MONOTONIC (1) to CLOCK_MONOTONIC_RAW (4) never go back. */
static struct __foldback_timespec __foldback_last[4];

/* Whether Linux has no room for a clock of this number: it then has none, and says EINVAL (22). */
static int __foldback_is_no_clock(int clock) {
  __foldback_errno_if(clock > 15, 22);
  return clock > 15;
}

int clock_gettime(int clock, struct __foldback_timespec *now) {
  if (__foldback_is_no_clock(clock))
    return -1;
  int result = __foldback_clock(now, 1000000000, __VERIFIER_nondet_int());
  if (result == 0 && now != 0 && clock >= 1 && clock <= 4) {
    struct __foldback_timespec *last = &__foldback_last[clock - 1];
    __VERIFIER_assume(now->seconds > last->seconds || now->seconds == last->seconds && now->fraction >= last->fraction);
    last->seconds = now->seconds;
    last->fraction = now->fraction;
  }
  return result;
}

int clock_getres(int clock, struct __foldback_timespec *step) {
  if (__foldback_is_no_clock(clock))
    return -1;
  return __foldback_clock(step, 1000000000, __VERIFIER_nondet_int());
}

int gettimeofday(struct __foldback_timespec *now, void *zone) {
  if (zone != 0)
    __foldback_unsupported("the time zone of gettimeofday");
  return __foldback_clock(now, 1000000, 0);
}

int timespec_get(struct __foldback_timespec *now, int base) {
  if (base != 1)
    return 0;
  return __foldback_clock(now, 1000000000, __VERIFIER_nondet_int()) == 0 ? 1 : 0;
}

/* What is left when a signal comes. */
static int __foldback_sleep(const struct __foldback_timespec *time, struct __foldback_timespec *rest, int fails) {
  __foldback_check_read(time, sizeof(*time));
  if (fails != 0 && rest != 0)
    __foldback_clock(rest, 1000000000, 0);
  return fails != 0 ? -1 : 0;
}

int nanosleep(const struct __foldback_timespec *time, struct __foldback_timespec *rest) {
  int fails = __VERIFIER_nondet_int();
  __foldback_errno_any_if(fails != 0);
  return __foldback_sleep(time, rest, fails);
}

unsigned sleep(unsigned seconds) {
  unsigned left = (unsigned)__VERIFIER_nondet_int();
  __VERIFIER_assume(left <= seconds);
  return left;
}

/* Calendar: days from 1970-01-01, years that begin in March. */

static long long __foldback_days(long long year, int month, int day) {
  long long y = month <= 1 ? year - 1 : year;
  long long era = (y >= 0 ? y : y - 399) / 400;
  long long of_era = y - era * 400;
  long long of_year = (153 * ((month + 10) % 12) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int __foldback_leap(long long year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

static struct __foldback_tm *__foldback_date(long time, struct __foldback_tm *result) {
  long long days = time / 86400;
  int seconds = (int)(time % 86400);
  if (seconds < 0) {
    seconds += 86400;
    days--;
  }
  long long z = days + 719468;
  long long era = (z >= 0 ? z : z - 146096) / 146097;
  long long of_era = z - era * 146097;
  long long years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  long long of_year = of_era - (365 * years + years / 4 - years / 100);
  int march = (int)((5 * of_year + 2) / 153);
  int month = march < 10 ? march + 2 : march - 10;
  long long year = years + era * 400 + (month <= 1);
  __foldback_errno_if(year - 1900 > 2147483647 || year - 1900 < -2147483647 - 1, 75);
  if (year - 1900 > 2147483647 || year - 1900 < -2147483647 - 1)
    return 0;
  result->tm_sec = seconds % 60;
  result->tm_min = seconds / 60 % 60;
  result->tm_hour = seconds / 3600;
  result->tm_mday = (int)(of_year - (153 * march + 2) / 5) + 1;
  result->tm_mon = month;
  result->tm_year = (int)(year - 1900);
  result->tm_wday = (int)(((days % 7) + 11) % 7);
  result->tm_yday = (int)(days - __foldback_days(year, 0, 1));
  result->tm_isdst = 0;
  result->tm_gmtoff = 0;
  result->tm_zone = "GMT";
  return result;
}

static struct __foldback_tm __foldback_static_date;

struct __foldback_tm *gmtime_r(const long *time, struct __foldback_tm *result) { return __foldback_date(*time, result); }
struct __foldback_tm *gmtime(const long *time) { return __foldback_date(*time, &__foldback_static_date); }

/* Fields out of range are carried over. */
long timegm(struct __foldback_tm *date) {
  long long month = (long long)date->tm_mon;
  long long year = 1900 + (long long)date->tm_year + (month >= 0 ? month / 12 : -((11 - month) / 12));
  int of_year = (int)(month % 12 + 12) % 12;
  long long days = __foldback_days(year, of_year, 1) + (long long)date->tm_mday - 1;
  long long time = ((days * 24 + date->tm_hour) * 60 + date->tm_min) * 60 + date->tm_sec;
  if (sizeof(long) == 4) {
    int fits = time >= -2147483647LL - 1 && time <= 2147483647LL;
    __foldback_errno_if(!fits, 75);
    if (!fits)
      return -1;
  }
  __foldback_date((long)time, date);
  return (long)time;
}

/* What the time zone makes of a time: the machine's library knows. No zone is further from UTC than 26 hours, so that the
   year is an int but for times at the very ends, and has four digits where that of UTC has for a day before and after. */
static struct __foldback_tm *__foldback_local(long long time, struct __foldback_tm *result) {
  int may_fail = time > 67768036191583000LL || time < -67768040609647000LL;
  int fails = may_fail && __foldback_unknown_int() != 0;
  __foldback_errno_if(fails, 75);
  if (fails)
    return 0;
  result->tm_sec = __foldback_unknown_int();
  result->tm_min = __foldback_unknown_int();
  result->tm_hour = __foldback_unknown_int();
  int day = __foldback_unknown_int();
  result->tm_mday = 1 + day;
  result->tm_mon = __foldback_unknown_int();
  result->tm_year = __foldback_unknown_int();
  result->tm_wday = __foldback_unknown_int();
  result->tm_yday = __foldback_unknown_int();
  result->tm_isdst = __foldback_unknown_int();
  result->tm_gmtoff = __foldback_unknown_long();
  result->tm_zone = "";
  __VERIFIER_assume(result->tm_sec >= 0 && result->tm_sec <= 60 && result->tm_min >= 0 && result->tm_min <= 59);
  __VERIFIER_assume(result->tm_hour >= 0 && result->tm_hour <= 23 && day >= 0 && day <= 30);
  __VERIFIER_assume(result->tm_mon >= 0 && result->tm_mon <= 11 && result->tm_wday >= 0 && result->tm_wday <= 6);
  __VERIFIER_assume(result->tm_yday >= 0 && result->tm_yday <= 365 && result->tm_isdst >= -1 && result->tm_isdst <= 1);
  __VERIFIER_assume(result->tm_gmtoff >= -93600 && result->tm_gmtoff <= 93600);
  if (time > -30610224000LL + 100000 && time < 253402300800LL - 100000)
    __VERIFIER_assume(result->tm_year >= 1000 - 1900 && result->tm_year <= 9999 - 1900);
  return result;
}

struct __foldback_tm *localtime_r(const long *time, struct __foldback_tm *result) { return __foldback_local(*time, result); }
struct __foldback_tm *localtime(const long *time) { return __foldback_local(*time, &__foldback_static_date); }

long mktime(struct __foldback_tm *date) {
  __foldback_check_read(date, sizeof(*date));
  long time = __foldback_unknown_long();
  __foldback_errno_may_if(time == -1);
  if (time != -1 || __foldback_unknown_int() != 0)
    __VERIFIER_assume(__foldback_local(time, date) != 0);
  return time;
}

long timelocal(struct __foldback_tm *date) { return mktime(date); }

/* Texts. */

static const char *const __foldback_weekdays[7] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};
static const char *const __foldback_months[12] = {"January", "February", "March",     "April",   "May",      "June",
                                                  "July",    "August",   "September", "October", "November", "December"};

struct __foldback_sink {
  char *out;
  size_t room;
  size_t at;
};

void __foldback_put(struct __foldback_sink *sink, char c);

static void __foldback_text_string(struct __foldback_sink *text, const char *s, int most) {
  int i = 0;
  while (i < most && s[i] != 0) {
    __foldback_put(text, s[i]);
    i++;
  }
}

/* At least `width` characters, filled with `fill`. */
static void __foldback_text_number(struct __foldback_sink *text, long long value, int width, char fill) {
  char digits[24];
  int count = 0;
  unsigned long long rest = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
  do {
    digits[count] = (char)('0' + rest % 10);
    rest = rest / 10;
    count++;
  } while (rest != 0);
  if (value < 0 && fill == '0')
    __foldback_put(text, '-');
  int missing = width - count - (value < 0);
  while (missing > 0) {
    __foldback_put(text, fill);
    missing--;
  }
  if (value < 0 && fill != '0')
    __foldback_put(text, '-');
  while (count > 0) {
    count--;
    __foldback_put(text, digits[count]);
  }
}

static void __foldback_two_digits(char *out, int number) {
  out[0] = (char)('0' + number / 10);
  out[1] = (char)('0' + number % 10);
}

/* Where every field is in its range, each character has its place. */
static int __foldback_plain_asctime(const struct __foldback_tm *date, char *out) {
  int day = date->tm_wday;
  int month = date->tm_mon;
  int year = date->tm_year;
  int in_month = date->tm_mday;
  int hour = date->tm_hour;
  int minute = date->tm_min;
  int second = date->tm_sec;
  if (day < 0 || day > 6 || month < 0 || month > 11 || year < 1000 - 1900 || year > 9999 - 1900 || in_month < 0 ||
      in_month > 99 || hour < 0 || hour > 99 || minute < 0 || minute > 99 || second < 0 || second > 99)
    return 0;
  const char *name = __foldback_weekdays[day];
  out[0] = name[0];
  out[1] = name[1];
  out[2] = name[2];
  out[3] = ' ';
  name = __foldback_months[month];
  out[4] = name[0];
  out[5] = name[1];
  out[6] = name[2];
  out[7] = ' ';
  __foldback_two_digits(out + 8, in_month);
  if (in_month < 10)
    out[8] = ' ';
  out[10] = ' ';
  __foldback_two_digits(out + 11, hour);
  out[13] = ':';
  __foldback_two_digits(out + 14, minute);
  out[16] = ':';
  __foldback_two_digits(out + 17, second);
  out[19] = ' ';
  __foldback_two_digits(out + 20, (year + 1900) / 100);
  __foldback_two_digits(out + 22, (year + 1900) % 100);
  out[24] = '\n';
  out[25] = 0;
  return 1;
}

static char *__foldback_asctime(const struct __foldback_tm *date, char *out, size_t room) {
  if (__foldback_plain_asctime(date, out))
    return out;
  struct __foldback_sink text;
  text.out = out;
  text.room = room;
  text.at = 0;
  int day = date->tm_wday;
  int month = date->tm_mon;
  __foldback_text_string(&text, day >= 0 && day <= 6 ? __foldback_weekdays[day] : "???", 3);
  __foldback_put(&text, ' ');
  __foldback_text_string(&text, month >= 0 && month <= 11 ? __foldback_months[month] : "???", 3);
  __foldback_text_number(&text, date->tm_mday, 3, ' ');
  __foldback_put(&text, ' ');
  __foldback_text_number(&text, date->tm_hour, 2, '0');
  __foldback_put(&text, ':');
  __foldback_text_number(&text, date->tm_min, 2, '0');
  __foldback_put(&text, ':');
  __foldback_text_number(&text, date->tm_sec, 2, '0');
  __foldback_put(&text, ' ');
  __foldback_text_number(&text, 1900 + (long long)date->tm_year, 1, '0');
  __foldback_put(&text, '\n');
  __foldback_errno_if(text.at >= room, 75);
  if (text.at >= room)
    return 0;
  out[text.at] = 0;
  return out;
}

static char __foldback_static_text[114];

/* The caller's buffer has room for 26 characters; for longer texts the original's behaviour is undefined. */
char *asctime_r(const struct __foldback_tm *date, char *out) { return __foldback_asctime(date, out, 26); }
char *asctime(const struct __foldback_tm *date) { return __foldback_asctime(date, __foldback_static_text, 114); }

char *ctime(const long *time) {
  if (__foldback_local(*time, &__foldback_static_date) == 0)
    return 0;
  return __foldback_asctime(&__foldback_static_date, __foldback_static_text, 114);
}

char *ctime_r(const long *time, char *out) {
  struct __foldback_tm date;
  if (__foldback_local(*time, &date) == 0)
    return 0;
  return __foldback_asctime(&date, out, 26);
}

/* The week of ISO 8601; *year is that of the week. */
static int __foldback_iso_week(const struct __foldback_tm *date, long long *year) {
  *year = 1900 + (long long)date->tm_year;
  int week = (date->tm_yday - (date->tm_wday + 6) % 7 + 10) / 7;
  if (week < 1) {
    *year = *year - 1;
    int days = 365 + __foldback_leap(*year);
    return (date->tm_yday + days - (date->tm_wday + 6) % 7 + 10) / 7;
  }
  if (week == 53 && date->tm_yday - (date->tm_wday + 6) % 7 + 3 >= 365 + __foldback_leap(*year)) {
    *year = *year + 1;
    return 1;
  }
  return week;
}

static void __foldback_strftime(struct __foldback_sink *text, const char *format, const struct __foldback_tm *date) {
  while (*format != 0) {
    char c = *format;
    format++;
    if (c != '%') {
      __foldback_put(text, c);
      continue;
    }
    c = *format;
    if (c == 0)
      __foldback_unsupported("a format of strftime that ends within a conversion");
    format++;
    long long year = 1900 + (long long)date->tm_year;
    int hour = date->tm_hour % 12 == 0 ? 12 : date->tm_hour % 12;
    int day = date->tm_wday;
    int month = date->tm_mon;
    if (c == 'a')
      __foldback_text_string(text, day >= 0 && day <= 6 ? __foldback_weekdays[day] : "?", 3);
    else if (c == 'A')
      __foldback_text_string(text, day >= 0 && day <= 6 ? __foldback_weekdays[day] : "?", 99);
    else if (c == 'b' || c == 'h')
      __foldback_text_string(text, month >= 0 && month <= 11 ? __foldback_months[month] : "?", 3);
    else if (c == 'B')
      __foldback_text_string(text, month >= 0 && month <= 11 ? __foldback_months[month] : "?", 99);
    else if (c == 'c')
      __foldback_strftime(text, "%a %b %e %H:%M:%S %Y", date);
    else if (c == 'C') {
      /* Libraries differ in how they fill it. */
      if (year < 1000)
        __foldback_unsupported("%C of a year before 1000 in strftime");
      __foldback_text_number(text, year / 100, 2, '0');
    } else if (c == 'd')
      __foldback_text_number(text, date->tm_mday, 2, '0');
    else if (c == 'D' || c == 'x')
      __foldback_strftime(text, "%m/%d/%y", date);
    else if (c == 'e')
      __foldback_text_number(text, date->tm_mday, 2, ' ');
    else if (c == 'F')
      __foldback_strftime(text, "%Y-%m-%d", date);
    else if (c == 'H')
      __foldback_text_number(text, date->tm_hour, 2, '0');
    else if (c == 'I')
      __foldback_text_number(text, hour, 2, '0');
    else if (c == 'j')
      __foldback_text_number(text, 1 + (long long)date->tm_yday, 3, '0');
    else if (c == 'm')
      __foldback_text_number(text, 1 + (long long)month, 2, '0');
    else if (c == 'M')
      __foldback_text_number(text, date->tm_min, 2, '0');
    else if (c == 'n')
      __foldback_put(text, '\n');
    else if (c == 'p')
      __foldback_text_string(text, date->tm_hour > 11 ? "PM" : "AM", 2);
    else if (c == 'r')
      __foldback_strftime(text, "%I:%M:%S %p", date);
    else if (c == 'R')
      __foldback_strftime(text, "%H:%M", date);
    else if (c == 'S')
      __foldback_text_number(text, date->tm_sec, 2, '0');
    else if (c == 't')
      __foldback_put(text, '\t');
    else if (c == 'T' || c == 'X')
      __foldback_strftime(text, "%H:%M:%S", date);
    else if (c == 'u')
      __foldback_text_number(text, (day + 6) % 7 + 1, 1, '0');
    else if (c == 'U')
      __foldback_text_number(text, (date->tm_yday - day + 7) / 7, 2, '0');
    else if (c == 'w')
      __foldback_text_number(text, day, 1, '0');
    else if (c == 'W')
      __foldback_text_number(text, (date->tm_yday - (day + 6) % 7 + 7) / 7, 2, '0');
    else if (c == 'y')
      __foldback_text_number(text, (year % 100 + 100) % 100, 2, '0');
    else if (c == 'Y')
      __foldback_text_number(text, year, 1, '0');
    else if (c == 'G' || c == 'g' || c == 'V') {
      long long of_week;
      int week = __foldback_iso_week(date, &of_week);
      if (c == 'V')
        __foldback_text_number(text, week, 2, '0');
      else if (c == 'G')
        __foldback_text_number(text, of_week, 1, '0');
      else
        __foldback_text_number(text, (of_week % 100 + 100) % 100, 2, '0');
    } else if (c == '%')
      __foldback_put(text, '%');
    else
      __foldback_unsupported("a conversion of strftime");
  }
}

size_t strftime(char *out, size_t size, const char *format, const struct __foldback_tm *date) {
  struct __foldback_sink text;
  text.out = out;
  text.room = size;
  text.at = 0;
  __foldback_strftime(&text, format, date);
  if (text.at >= size) {
    __foldback_errno_if(1, 34);
    return 0;
  }
  out[text.at] = 0;
  return text.at;
}

/* A number of at most `width` digits within a range, after spaces; *s moves on. */
static int __foldback_date_number(const char **s, int width, int least, int most, int *value) {
  while (**s == ' ')
    *s = *s + 1;
  if (**s < '0' || **s > '9')
    return 0;
  int number = 0;
  while (width > 0 && **s >= '0' && **s <= '9') {
    number = number * 10 + (**s - '0');
    *s = *s + 1;
    width--;
  }
  *value = number;
  return number >= least && number <= most;
}

/* Which of the names, in full or its first three letters, whatever its case; -1: none. */
static int __foldback_date_name(const char **s, const char *const *names, int count) {
  int n = 0;
  while (n < count) {
    int i = 0;
    while (names[n][i] != 0 && ((*s)[i] | 32) == (names[n][i] | 32))
      i++;
    if (names[n][i] == 0 || i >= 3) {
      *s = *s + (names[n][i] == 0 ? i : 3);
      return n;
    }
    n++;
  }
  return -1;
}

/* Fields that the text says; where that makes the date known, the day of the week and of the year too. */
char *strptime(const char *s, const char *format, struct __foldback_tm *date) {
  int value;
  int has_year = 0, has_month = 0, has_day = 0;
  while (*format != 0) {
    char c = *format;
    format++;
    if (c == ' ' || (c >= 9 && c <= 13)) {
      while (*s == ' ' || (*s >= 9 && *s <= 13))
        s++;
      continue;
    }
    if (c != '%') {
      if (*s != c)
        return 0;
      s++;
      continue;
    }
    c = *format;
    format++;
    if (c == 'Y') {
      if (!__foldback_date_number(&s, 4, 0, 9999, &value))
        return 0;
      date->tm_year = value - 1900;
      has_year = 1;
    } else if (c == 'm') {
      if (!__foldback_date_number(&s, 2, 1, 12, &value))
        return 0;
      date->tm_mon = value - 1;
      has_month = 1;
    } else if (c == 'd' || c == 'e') {
      if (!__foldback_date_number(&s, 2, 1, 31, &value))
        return 0;
      date->tm_mday = value;
      has_day = 1;
    } else if (c == 'H') {
      if (!__foldback_date_number(&s, 2, 0, 23, &value))
        return 0;
      date->tm_hour = value;
    } else if (c == 'M') {
      if (!__foldback_date_number(&s, 2, 0, 59, &value))
        return 0;
      date->tm_min = value;
    } else if (c == 'S') {
      if (!__foldback_date_number(&s, 2, 0, 61, &value))
        return 0;
      date->tm_sec = value;
    } else if (c == 'b' || c == 'B' || c == 'h') {
      value = __foldback_date_name(&s, __foldback_months, 12);
      if (value < 0)
        return 0;
      date->tm_mon = value;
      has_month = 1;
    } else if (c == '%') {
      if (*s != '%')
        return 0;
      s++;
    } else {
      __foldback_unsupported("a conversion of strptime");
    }
  }
  if (has_year && has_month && has_day) {
    long long days = __foldback_days(1900 + (long long)date->tm_year, date->tm_mon, date->tm_mday);
    date->tm_wday = (int)(((days % 7) + 11) % 7);
    date->tm_yday = (int)(days - __foldback_days(1900 + (long long)date->tm_year, 0, 1));
  } else if (has_year || has_month || has_day) {
    __foldback_unsupported("strptime with a part of a date");
  }
  return (char *)s;
}

/* A date after the machine's templates: any, or one of eight errors. */
int getdate_err = 0;

struct __foldback_tm *getdate(const char *text) {
  while (*text != 0)
    text++;
  int error = __VERIFIER_nondet_int();
  __VERIFIER_assume(error >= 0 && error <= 8);
  if (error != 0) {
    getdate_err = error;
    return 0;
  }
  __VERIFIER_assume(__foldback_local(__VERIFIER_nondet_long(), &__foldback_static_date) != 0);
  return &__foldback_static_date;
}

/* Timers that are never set: what setting one does is not modelled. */
int timer_create(int clock, const void *event, void **timer) {
  (void)clock;
  if (event != 0)
    __foldback_check_read(event, 64);
  int fails = __VERIFIER_nondet_int();
  __foldback_errno_any_if(fails != 0);
  if (fails != 0)
    return -1;
  __foldback_havoc(timer, sizeof(void *));
  return 0;
}
