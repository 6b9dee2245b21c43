//! Loops over bytes are executed many iterations at once (`interpreter::byte_loop`), and nothing may be seen of it: every program
//! here comes to the same as by code that stops at each edge, where nothing is done at once.

use cfront::Input;
use cfront::types::DataModel;
use interpreter::{Ending, Inputs, Limit, Limits, Machine, Outcome, Random, Watch, Zero};

fn lowered(text: &str, model: DataModel) -> cfa::Program {
    let options = lower::Options {
        main_arguments: lower::MainArguments::None,
        places: lower::Places::Fixed,
        properties: vec![cfa::Property::UnreachCall],
        ..lower::Options::default()
    };
    let input = Input::Text { name: "test.c".into(), text: text.to_owned() };
    let unit = lower::library::load(&[input], &cfront::Options::new(model), "main")
        .unwrap_or_else(|f| panic!("{}", f.render()));
    lower::lower(&unit, &options).unwrap()
}

/// A run at once, which is the same as step by step.
fn run(text: &str, model: DataModel, inputs: fn() -> Box<dyn Inputs>) -> (Outcome, String) {
    let program = lowered(text, model);
    let limits = Limits::steps(3_000_000);
    let [at_once, by_steps] = [false, true].map(|edges| {
        let machine = Machine::watching(&program, &Watch { edges, locations: Vec::new() }).unwrap();
        let mut out = Vec::new();
        let outcome = machine.run_with(&mut *inputs(), &limits, &mut out, None);
        (outcome, String::from_utf8(out).unwrap())
    });
    assert_eq!(at_once, by_steps, "{text}");
    at_once
}

fn zero() -> Box<dyn Inputs> {
    Box::new(Zero)
}

fn random() -> Box<dyn Inputs> {
    Box::new(Random::new(3))
}

const INCLUDES: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";

/// What the body of `main` prints, and the undefined behaviour that is noted.
fn both(body: &str) -> (String, Vec<String>) {
    let text = format!("{INCLUDES}\nint main(void) {{\n{body}\nreturn 0;\n}}\n");
    let mut result = None;
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        for inputs in [zero, random] {
            let (outcome, printed) = run(&text, model, inputs);
            assert!(matches!(outcome.ending, Ending::End(_)), "{body}: {:?}", outcome.ending);
            let notes: Vec<String> = outcome.undefined.into_iter().map(|note| note.message).collect();
            result.get_or_insert((printed, notes));
        }
    }
    result.expect("a run")
}

fn prints(body: &str, expected: &str) {
    let (printed, notes) = both(body);
    assert_eq!((printed.as_str(), &notes[..]), (expected, &[][..]), "{body}");
}

const OUTSIDE: &str = "access outside the bounds of an object";

fn is_noted(body: &str, note: &str) {
    let (_, notes) = both(body);
    assert!(notes.iter().any(|n| n == note), "{body}: {notes:?}");
}

#[test]
fn strings_end_where_they_end() {
    prints(r#"char s[200]; memset(s, 'a', 199); s[199] = 0; printf("%zu", strlen(s));"#, "199");
    prints(r#"char s[200]; memset(s, 'a', 200); s[70] = 0; printf("%zu %zu", strlen(s), strlen(s + 70));"#, "70 0");
    prints(r#"char s[9] = "ab"; strcat(s, "cd"); strcat(s, ""); strcat(s, "e"); printf("%s", s);"#, "abcde");
    prints(
        r#"char s[9]; strncpy(s, "ab", 9); printf("%d %s", s[8], s); strncpy(s, "abcdefghij", 3); printf(" %s", s);"#,
        "0 ab abc",
    );
    prints(r#"char s[9] = "x"; strncat(s, "abcdef", 3); printf("%s", s);"#, "xabc");
    prints(
        r#"char *s = "hello"; printf("%td %td %d", strchr(s, 'l') - s, strrchr(s, 'l') - s, strchr(s, 'q') == 0);"#,
        "2 3 1",
    );
    prints(r#"char *s = "hello"; printf("%td %d", strchr(s, 0) - s, memchr(s, 'o', 4) == 0);"#, "5 1");
    prints(r#"printf("%d %d", strchr("a\377b", '\377' + 256) != 0, memchr("a\377b", -1, 3) != 0);"#, "1 1");
}

#[test]
fn comparisons_stop_where_they_differ() {
    prints(
        r#"char a[100], b[100]; memset(a, 'x', 100); memset(b, 'x', 100); a[99] = b[99] = 0; b[98] = 'y';
              printf("%d %d ", strcmp(a, b) < 0, strcmp(b, a) > 0);
              printf("%d %d ", strncmp(a, b, 98), strncmp(a, b, 99) < 0);
              printf("%d %d", memcmp(a, b, 98), memcmp(a, b, 100) < 0);"#,
        "1 1 0 1 0 1",
    );
    prints(r#"printf("%d %d %d", strcmp("a", "a"), strcmp("a", "ab") < 0, strcmp("\377", "a") > 0);"#, "0 1 1");
    // All bytes count, whatever stands before: the last is outside.
    is_noted(r#"char a[4] = "abc", b[5] = "xbcd"; return memcmp(a, b, 5) == 0;"#, OUTSIDE);
    prints(r#"char a[4] = "abc", b[5] = "abd"; printf("%d", strncmp(a, b, (size_t)-1) < 0);"#, "1");
}

#[test]
fn no_terminator_is_noticed_at_the_end_of_the_object() {
    is_noted(r#"char s[3] = {'a', 'b', 'c'}; char next[8] = "next"; return strlen(s) + next[0] == 0;"#, OUTSIDE);
    is_noted(r#"char *s = malloc(40); if (s == 0) return 0; memset(s, 'x', 40); return strlen(s) == 0;"#, OUTSIDE);
    is_noted(r#"char to[4] = "abc"; strcpy(to, "four"); printf("%.4s", to);"#, OUTSIDE);
    is_noted(
        r#"char to[4] = "abc"; unsigned long i = 0; while (i < 9) { to[i] = 'z'; i++; } printf("%.4s", to);"#,
        OUTSIDE,
    );
    is_noted(r#"char to[8] = "12345"; strcat(to, "678");"#, OUTSIDE);
    is_noted(r#"char from[3] = {1, 2, 3}; char to[50]; strcpy(to, from);"#, OUTSIDE);
    is_noted(r#"char a[2] = {1, 1}, b[9] = {1, 1, 1}; return strcmp(a, b) == 77;"#, OUTSIDE);
    is_noted(r#"char a[2] = {1, 1}; return memchr(a, 2, 3) != 0;"#, OUTSIDE);
}

#[test]
fn pointers_to_nothing_are_noticed() {
    is_noted("char *s = 0; return strlen(s) == 7;", "access through a null or invalid pointer");
    is_noted("char *s = 0; strcpy(s, \"a\");", "access through a null or invalid pointer");
    is_noted(
        "char *s = malloc(9); if (!s) return 0; s[0] = 0; free(s); return strlen(s) == 7;",
        "access to an object that is no longer live",
    );
}

#[test]
fn bytes_that_were_written_before_are_read() {
    // Each byte is copied to where the next iteration reads it.
    prints(
        r#"char s[10] = "abcdefgh"; char *to = s + 1, *from = s;
              unsigned long n = 8; while (n != 0) { *to = *from; to++; from++; n--; } printf("%s", s);"#,
        "aaaaaaaaa",
    );
    prints(
        r#"char s[40] = "0123456789abcdefghijklmnopqrst"; char *to = s + 4, *from = s; unsigned long i = 0;
              while (i < 20) { to[i] = from[i]; i++; } printf("%s", s);"#,
        "012301230123012301230123opqrst",
    );
    prints(r#"char s[10] = "abcdefgh"; strcpy(s, s + 3); printf("%s", s);"#, "defgh");
    prints(r#"char s[10] = "abcdefgh"; memmove(s + 2, s, 5); memmove(s, s + 1, 3); printf("%s", s);"#, "babbcdeh");
    // What is read was written in the same iteration.
    prints(
        r#"char s[10] = "abcdefgh"; unsigned long i = 0; while (i < 8) { s[i] = 'x'; if (s[i] != 'x') break; i++; }
              printf("%s %lu", s, i);"#,
        "xxxxxxxx 8",
    );
    prints(
        r#"char s[10] = "abcdefgh"; unsigned long i = 0; while (i < 8) { s[i] = 'x'; if (s[i] == 'x') break; i++; }
              printf("%s %lu", s, i);"#,
        "xbcdefgh 0",
    );
    // It runs into its own end.
    is_noted(
        r#"char s[30] = "abc"; char *end = s + 3, *from = s; while ((*end = *from) != 0) { end++; from++; }"#,
        OUTSIDE,
    );
}

#[test]
fn what_an_iteration_leaves_behind_is_there() {
    prints(
        r#"char s[] = "hello, world"; char c, last = '-'; char *p = s; while ((c = *p) != 'w') { last = c; p++; }
              printf("%c%c%td", c, last, p - s);"#,
        "w 7",
    );
    prints(
        r#"char s[] = "hello, world"; char c = '-'; unsigned long i = 0; while (i < 5) { c = s[i]; i++; }
              printf("%c%lu", c, i);"#,
        "o5",
    );
    prints(
        r#"char s[] = "0123456789abcdefghij", t[21] = "...................."; char *to = t, *from = s; unsigned long n = 12;
              while (n != 0) { *to = *from; to++; from++; n--; } printf("%s %lu", t, n);"#,
        "0123456789ab........ 0",
    );
    prints(
        r#"char s[80]; char *p = s; unsigned n = 79; while (n-- > 0) *p++ = 'z'; *p = 0; printf("%u %zu", n + 1, strlen(s));"#,
        "0 79",
    );
    prints(
        r#"char s[80]; unsigned char n = 79; char *p = s; while (n) { *p = n; p++; n--; } printf("%d %d", s[0], s[78]);"#,
        "79 1",
    );
    prints(
        r#"char s[300]; memset(s, 7, 300); unsigned char i = 250; unsigned n = 0; while (s[i] == 7 && n != 20) { i++; n++; }
              printf("%d %u", i, n);"#,
        "14 20",
    );
    prints(
        r#"char s[64]; for (int i = 0; i < 64; i += 2) { s[i] = 'a'; s[i + 1] = 'b'; }
              char *p = s; unsigned n = 0; while (n < 30) { if (*p != 'a') break; p += 2; n++; } printf("%u", n);"#,
        "30",
    );
    prints(
        r#"char s[64]; char *p = s + 63; for (int i = 0; i < 64; i++) s[i] = i; while (*p != 5) p--; printf("%td", p - s);"#,
        "5",
    );
}

#[test]
fn contents_of_new_memory_are_any() {
    both(r#"char *s = malloc(300); if (!s) return 0; s[299] = 0; printf("%zu", strlen(s));"#);
    both(
        r#"char *s = malloc(300), *t = malloc(300); if (!s || !t) return 0; s[299] = 0; strcpy(t, s); printf("%d", strcmp(s, t));"#,
    );
}

#[test]
fn a_users_own_definition_is_meant() {
    let text = "#include <stdio.h>\nunsigned long strlen(const char *s) { unsigned long n = 3; while (s[n - 3] != 0) n++; return n; }
        char *strcpy(char *to, const char *from) { while ((*to = *from) != 0) { to++; from++; } return to; }
        int main(void) { char s[20]; char *end = strcpy(s, \"hello\"); printf(\"%lu %d\", strlen(s), (int)(end - s)); return 0; }";
    let (_, printed) = run(text, DataModel::Lp64, zero);
    assert_eq!(printed, "8 5");
}

#[test]
fn literals_are_written_as_before() {
    let text = format!("{INCLUDES}int main(void) {{ char *s = \"abc\"; strcpy(s, \"x\"); return s[0]; }}");
    run(&text, DataModel::Lp64, zero);
}

#[test]
fn long_strings_take_their_steps() {
    let text = format!(
        "{INCLUDES}static char s[400001];
        int main(void) {{ memset(s, 'a', 400000); printf(\"%zu\", strlen(s)); return 0; }}"
    );
    let (outcome, printed) = run(&text, DataModel::Lp64, zero);
    assert_eq!(printed, "400000");
    assert!(outcome.steps > 1_200_000, "{}", outcome.steps);

    let program = lowered(&text, DataModel::Lp64);
    let machine = Machine::new(&program).unwrap();
    for steps in [10, 1_000, 262_143, 262_144, 262_145, 700_001] {
        let outcome = machine.run(&mut Zero, &Limits::steps(steps));
        assert_eq!(outcome.ending, Ending::Limit(Limit::Steps));
        assert!((steps..steps + 20).contains(&outcome.steps), "{steps}: {}", outcome.steps);
    }
}

#[test]
fn all_places_and_lengths() {
    both(
        r#"char a[100], b[100], c[100]; unsigned long sum = 0;
        for (int start = 0; start < 40; start += 3)
          for (int length = 0; length < 50; length += 7)
            for (int shift = 0; shift < 6; shift++) {
              for (int i = 0; i < 100; i++) { a[i] = 'a' + i % 3; b[i] = 'a' + i % 3; c[i] = 1; }
              a[start + length] = 0;
              b[start + length + shift] = 0;
              sum = sum * 31 + strlen(a + start);
              sum = sum * 31 + (strcmp(a + start, b + start) + 1000);
              sum = sum * 31 + (strncmp(a + start, b + start, length + 2) + 1000);
              sum = sum * 31 + (memcmp(a + start, b + start, 40) + 1000);
              sum = sum * 31 + (strcmp(a + start, a + start + shift) + 1000);
              char *found = strchr(a + start, 'c');
              sum = sum * 31 + (found ? found - a : 99);
              found = memchr(a + start, 0, 55);
              sum = sum * 31 + (found ? found - a : 99);
              strcpy(c + shift, a + start);
              strncpy(b, a + start, 20 + shift);
              if (length > shift) strcpy(a + start, a + start + shift);
              for (int i = 0; i < 100; i++) sum = sum * 31 + a[i] + 3 * b[i] + 5 * c[i];
            }
        printf("%lx", sum & 0xffffffff);"#,
    );
}
