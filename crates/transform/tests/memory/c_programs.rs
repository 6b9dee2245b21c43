//! C programs that treat memory in unusual ways: both forms must agree, under both data models, with and without checks.

use super::compare::{compare, flatten};
use cfa::{Op, Origin, Program, Property, Var};
use cfront::types::DataModel;
use cfront::{Input, Options};

fn inlined(input: Input, model: DataModel, properties: &[Property]) -> Option<Program> {
    let options = lower::Options {
        properties: properties.to_vec(),
        main_arguments: lower::MainArguments::None,
        ..lower::Options::default()
    };
    let unit = lower::library::load(&[input], &Options::new(model), &options.entry).ok()?;
    let program = cfront::with_big_stack(|| lower::lower(&unit, &options)).ok()?;
    let settings = transform::inline::Settings { depth: 8, ..Default::default() };
    Some(transform::inline::inline(program, &settings).0)
}

const SAFETY: [Property; 3] = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack];

/// Whether a run depends on the seed of its inputs.
fn asks(program: &Program) -> bool {
    let is_input = |op: &Op| matches!(op, Op::Havoc { origin: Origin::Input(_) | Origin::Extern(_), .. });
    program.functions.values().any(|f| f.edges.values().any(|edge| is_input(&edge.op)))
}

type Form = (DataModel, &'static [Property]);

/// Both data models with both kinds of properties.
const FORMS: [Form; 4] = [
    (DataModel::Lp64, &[Property::UnreachCall]),
    (DataModel::Lp64, &SAFETY),
    (DataModel::Ilp32, &[Property::UnreachCall]),
    (DataModel::Ilp32, &SAFETY),
];

/// How many runs could be compared, in all these forms, in their variables of these names (all of the user's numbers if
/// none).
fn compared(name: &str, input: impl Fn() -> Input, forms: &[Form], names: &[&str]) -> usize {
    let mut count = 0;
    for &(model, properties) in forms {
        let Some(original) = inlined(input(), model, properties) else { continue };
        let flat = flatten(&original);
        let numbers = |v: &Var| match names {
            [] => original.vars[*v].source.as_ref().is_some_and(|s| !s.pointer),
            _ => names.contains(&original.name(*v)),
        };
        let vars: Vec<Var> = original.vars.ids().filter(numbers).collect();
        for seed in 0..if asks(&original) { 4 } else { 1 } {
            match compare(&original, &flat, seed, &vars, 100_000) {
                Ok(both) => count += usize::from(both),
                Err(message) => panic!("{name}, {model:?}, seed {seed}: {message}"),
            }
        }
    }
    count
}

fn agree(text: &str) {
    let text = format!("extern int __VERIFIER_nondet_int(void);\n{text}");
    let input = || Input::Text { name: "test.c".to_owned(), text: text.clone() };
    assert!(compared("test.c", input, &FORMS, &[]) >= 2, "no run is free of undefined behaviour");
}

/// The same, of programs in which only copies and fills of unknown length would be loops: there are none in the flat form.
fn agree_in_one_step(text: &str) {
    agree(text);
    let text = format!("extern int __VERIFIER_nondet_int(void);\n{text}");
    let input = Input::Text { name: "test.c".to_owned(), text };
    let flat = flatten(&inlined(input, DataModel::Lp64, &SAFETY).expect("it is accepted"));
    assert_eq!(flow::wto::Wto::new(flat.main()).heads().count(), 0, "{}", cfa::print(&flat));
}

#[test]
fn copies_of_unknown_length() {
    agree_in_one_step(
        "#include <string.h>
        unsigned char from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8] = {11, 12, 13, 14, 15, 16, 17, 18};
        int main(void) {
            unsigned long n = __VERIFIER_nondet_int() & 3, d = __VERIFIER_nondet_int() & 3, s = __VERIFIER_nondet_int() & 3;
            memcpy(to + d, from + s, n);
            from[s] = 99;
            int at = __VERIFIER_nondet_int() & 7;
            int read = to[at];
            to[at] = 50;
            int sum = 0;
            sum = sum * 3 + to[0]; sum = sum * 3 + to[1]; sum = sum * 3 + to[2]; sum = sum * 3 + to[3];
            sum = sum * 3 + to[4]; sum = sum * 3 + to[5]; sum = sum * 3 + to[6]; sum = sum * 3 + to[7];
            return sum + read;
        }",
    );
}

#[test]
fn copies_upon_copies() {
    agree_in_one_step(
        "#include <string.h>
        unsigned char a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {11, 12, 13, 14, 15, 16, 17, 18};
        int main(void) {
            unsigned long n = __VERIFIER_nondet_int() & 3, m = __VERIFIER_nondet_int() & 3, k = __VERIFIER_nondet_int() & 3;
            memcpy(b + m, a + n, k);
            if (__VERIFIER_nondet_int() & 1) { a[n + 1] = 77; memcpy(a + k, b + 1, n + m); }
            else if (__VERIFIER_nondet_int() & 1) memset(b + k, 66, m);
            b[k] = 9;
            memmove(b + 1, b + m, n + 2);
            memset(b + n, 55, k);
            a[m] = b[k + 1];
            int sum = 0;
            sum = sum * 3 + a[0]; sum = sum * 3 + a[1]; sum = sum * 3 + a[2]; sum = sum * 3 + a[3];
            sum = sum * 3 + a[4]; sum = sum * 3 + a[5]; sum = sum * 3 + a[6]; sum = sum * 3 + a[7];
            sum = sum * 3 + b[0]; sum = sum * 3 + b[1]; sum = sum * 3 + b[2]; sum = sum * 3 + b[3];
            sum = sum * 3 + b[4]; sum = sum * 3 + b[5]; sum = sum * 3 + b[6]; sum = sum * 3 + b[7];
            return sum;
        }",
    );
}

#[test]
fn copies_between_allocated_objects_and_in_loops() {
    agree(
        "#include <stdlib.h>
        #include <string.h>
        struct item { short id; short weight; int value; };
        int main(void) {
            unsigned long n = __VERIFIER_nondet_int() & 3, m = 1 + (__VERIFIER_nondet_int() & 3);
            struct item *p = calloc(8, sizeof *p), *q = malloc(8 * sizeof *q);
            int sum = 0;
            for (int i = 0; i < 8; i++) { p[i].id = i; p[i].value = 10 + i; q[i].id = 20 + i; q[i].weight = 3; q[i].value = 30 + i; }
            memcpy(q + m, p + n, n * sizeof *p);
            memmove(p + 1, __VERIFIER_nondet_int() & 1 ? p : p + m, m * sizeof *p);
            for (int i = 0; i < 3; i++) { q[i + n].value += i; memcpy(p + i, q + m, n * sizeof *q); }
            memset((char *)(q + n), 7, m * 4);
            for (int i = 0; i < 8; i++) sum = sum * 5 + p[i].id + p[i].value + q[i].id + q[i].weight * 7 + q[i].value;
            memset(q, 0, 8 * sizeof *q);
            sum += q[n].value + q[m].id;
            free(p); free(q);
            return sum;
        }",
    );
}

#[test]
fn pointers_as_numbers() {
    agree(
        "int main(void) {
            int x = 1, y = 2;
            unsigned long n = (unsigned long)&x ^ (unsigned long)&y;
            int *p = (int *)(n ^ (unsigned long)&y);
            *p = 5;
            int *q = (int *)((unsigned long)&y + 0);
            *q += x;
            int a[4] = {1, 2, 3, 4};
            int *r = (int *)((char *)a + 2 * sizeof(int));
            return *r * 100 + x * 10 + y;
        }",
    );
}

#[test]
fn pointers_copied_word_by_word() {
    agree(
        "struct pair { int *first; int *second; };
        int main(void) {
            int x = 3, y = 4;
            struct pair a = { &x, &y }, b;
            long *from = (long *)&a, *to = (long *)&b;
            for (unsigned i = 0; i < sizeof a / sizeof *from; i++) to[i] = from[i];
            *b.first = 7;
            *b.second += 1;
            return x * 10 + y;
        }",
    );
}

#[test]
fn pointers_copied_bit_by_bit() {
    agree(
        "int main(void) {
            int x = 3, y = 4;
            int *from = __VERIFIER_nondet_int() & 1 ? &x : &y;
            unsigned long bits = (unsigned long)from, copy = 0;
            for (unsigned i = 0; i < 8 * sizeof bits; i++)
                if (bits >> i & 1) copy |= 1ul << i;
            *(int *)copy = 9;
            return x * 10 + y;
        }",
    );
}

#[test]
fn unions_and_floats() {
    agree(
        "union u { double d; unsigned char b[8]; unsigned w[2]; float f; };
        int main(void) {
            union u u;
            u.d = 1.5;
            unsigned high = u.w[1];
            u.b[7] ^= 0x80;
            double d = u.d;
            u.f = 0.25f;
            union u v = u;
            long double l = 2.5L;
            long double m;
            char *p = (char *)&m, *q = (char *)&l;
            for (int i = 0; i < 10; i++) p[i] = q[i];
            return (int)(high >> 24) + (int)(d * 2) + (int)(v.f * 8) + (int)(m * 2);
        }",
    );
}

#[test]
fn arrays_of_structs_and_copies() {
    agree(
        "struct point { int x, y; char tag; short s[3]; };
        struct point table[6];
        int main(void) {
            struct point grid[2][3], row[3];
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 3; j++) {
                    grid[i][j].x = i; grid[i][j].y = j; grid[i][j].tag = 'a' + i;
                    for (int k = 0; k < 3; k++) grid[i][j].s[k] = i + j * k;
                }
            int n = __VERIFIER_nondet_int() & 1;
            for (int j = 0; j < 3; j++) row[j] = grid[n][j];
            table[2] = row[1];
            table[3 + n] = table[2];
            struct point *p = &table[3 + n];
            p->y += 5;
            p[-1].x = 8;
            return table[2].x + 10 * table[3 + n].y + table[3 + n].s[2] + row[2].tag;
        }",
    );
}

#[test]
fn memory_functions() {
    agree(
        "#include <string.h>
        #include <stdlib.h>
        int main(void) {
            int a[12], b[12];
            for (int i = 0; i < 12; i++) a[i] = i;
            memcpy(b, a, sizeof b);
            memmove(a + 1, a, 8 * sizeof(int));
            unsigned n = __VERIFIER_nondet_int() & 7;
            memset(b + 2, 0, n * sizeof(int));
            memcpy(a, b + n, 3 * sizeof(int));
            int *c = calloc(n + 1, sizeof(int));
            c[n] += b[11];
            c = realloc(c, (n + 4) * sizeof(int));
            c[n + 3] = 1;
            char s[20] = \"hello\";
            strcat(s, \" you\");
            int r = c[n] + c[n + 3] + a[1] + a[2] * 3 + b[5] + (int)strlen(s);
            free(c);
            return r;
        }",
    );
}

#[test]
fn lists_and_locals_in_loops() {
    agree(
        "#include <stdlib.h>
        struct node { int data; struct node *next; struct node **back; };
        static int sum(struct node *n) { int s = 0; while (n) { s += n->data; n = n->next; } return s; }
        int main(void) {
            struct node *head = 0;
            int n = __VERIFIER_nondet_int() & 7;
            for (int i = 0; i < n; i++) {
                int local[2] = { i, i + 1 };
                int *p = &local[i & 1];
                struct node *x = malloc(sizeof *x);
                x->data = *p; x->next = head; x->back = &head;
                head = x;
                *p = 0;
            }
            struct node **at = &head;
            while (*at && (*at)->data < 3) at = &(*at)->next;
            if (*at) { struct node *gone = *at; *at = gone->next; free(gone); }
            int r = sum(head);
            while (head) { struct node *next = head->next; free(head); head = next; }
            return r;
        }",
    );
}

#[test]
fn programs_of_the_repository() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut files = Vec::new();
    for folder in std::fs::read_dir(root).expect("the C feature programs").flatten() {
        let Ok(entries) = std::fs::read_dir(folder.path()) else { continue };
        files.extend(entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "c")));
    }
    files.sort();
    // Some hold addresses as numbers, and objects are numbered differently: the exit code must do. Each program takes one of
    // the forms, the next one the next.
    let runs = |(number, f): (usize, &std::path::PathBuf)| {
        let form = FORMS[number % FORMS.len()];
        compared(&f.display().to_string(), || Input::Path(f.clone()), &[form], &["$exit_code"])
    };
    let count: usize = files.iter().enumerate().map(runs).sum();
    assert!(count > files.len() / 4, "only {count} runs of {} programs could be compared", files.len());
}

/// The variables that memory becomes, object tables included: `name: sort`.
fn variables(text: &str, model: DataModel, properties: &[Property]) -> Vec<String> {
    let input = Input::Text { name: "test.c".to_owned(), text: text.to_owned() };
    let original = inlined(input, model, properties).expect("it compiles");
    let flat = flatten(&original);
    let made = flat.vars.iter().skip(original.vars.len());
    made.map(|(v, info)| format!("{}: {:?}", flat.name(v), info.sort)).collect()
}

#[test]
fn the_check_for_leaks_leaves_heap_blocks_apart() {
    let text = "void *malloc(unsigned long); void free(void *);
        int main(void) {
            int *x = malloc(4);
            double *y = malloc(8);
            *x = 1; *y = 2;
            free(x); free(y);
            return 0;
        }";
    let expected = ["malloc: bv32", "malloc#2: f11_53", "$live.malloc: bool", "$live.malloc#2: bool"];
    let mut found = variables(text, DataModel::Lp64, &SAFETY);
    found.sort();
    let mut expected = expected.map(str::to_owned).to_vec();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn objects_that_never_die_need_no_tables() {
    let text = "int a[10], b[10];
        static int get(int *p, int i) { return p[i]; }
        int main(void) { int s = 0; for (int i = 0; i < 10; i++) s += get(a, i) + get(b, i); return s; }";
    let found = variables(text, DataModel::Lp64, &SAFETY);
    assert_eq!(found, ["a: [bv32 -> bv32]", "b: [bv32 -> bv32]"]);
}

#[test]
fn a_local_in_a_loop_is_one_object_unless_its_address_is_kept() {
    let kept = "int main(void) {
            int *old = 0;
            for (int i = 0; i < 3; i++) { int x = i; if (old) *old = 1; old = &x; }
            return 0;
        }";
    // Without checks using the old address is undefined; with them the second object must be another one.
    assert_eq!(variables(kept, DataModel::Lp64, &[Property::UnreachCall]), ["main::x: bv32"]);
    let found = variables(kept, DataModel::Lp64, &SAFETY);
    assert!(found.iter().any(|v| v.starts_with("$next")), "{found:?}");
    let unkept = "int main(void) {
            int s = 0;
            for (int i = 0; i < 3; i++) { int x = i; int *p = &x; *p += 1; s += x; }
            return s;
        }";
    let found = variables(unkept, DataModel::Lp64, &SAFETY);
    assert!(found.contains(&"main::x: bv32".to_owned()) && !found.iter().any(|v| v.starts_with("$next")), "{found:?}");
}

/// The endings of runs of the flattened program with different inputs.
fn endings(text: &str) -> Vec<interpreter::Ending> {
    let text = format!("extern void reach_error(void);\n{text}");
    let input = Input::Text { name: "test.c".to_owned(), text };
    let flat = flatten(&inlined(input, DataModel::Lp64, &[Property::UnreachCall]).expect("compiles"));
    let machine = interpreter::Machine::new(&flat).expect("executable");
    let run = |seed| machine.run(&mut interpreter::Random::new(seed), &interpreter::Limits::steps(100_000)).ending;
    (1..40).map(run).collect()
}

/// A number that is not the address of anything is outside of the program: what is copied from there is anything, and nothing known
/// changes by what is copied there.
#[test]
fn copies_from_and_to_wild_numbers() {
    let program = |check: &str| {
        format!(
            "#include <string.h>
            struct s {{ int a, b; char rest[100]; }};
            int main(void) {{
                struct s x;
                memset(&x, 0, sizeof x);
                struct s *wild = (struct s *)0x100000;
                memcpy(wild, &x, sizeof x);
                memcpy(&x, wild, 4);
                if (x.b != 0) reach_error();
                x = *wild;
                if ({check}) reach_error();
                return 0;
            }}"
        )
    };
    let is_error = |e: &interpreter::Ending| matches!(e, interpreter::Ending::Error(_));
    assert!(!endings(&program("0")).iter().any(is_error), "bytes beyond the copy stay");
    assert!(endings(&program("x.a != 0")).iter().any(is_error), "a copy brings anything");
    assert!(endings(&program("x.rest[99] != 0")).iter().any(is_error), "a copy brings anything, to the last byte");
}
