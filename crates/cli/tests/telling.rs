//! What a C developer is told: failing values, exact memory errors, the library in C's words, nothing of our own.

use crate::common::{Scratch, foldback, stderr, stdout};

/// What `verify` prints of some files, and that no form of the result names what is ours.
fn told(name: &str, files: &[(&str, &str)], property: &str) -> String {
    let scratch = Scratch::new(&format!("telling-{name}"));
    let paths: Vec<_> = files.iter().map(|(name, text)| scratch.file(name, text)).collect();
    let sources = paths.iter().filter(|path| path.extension().is_some_and(|end| end == "c"));
    let kept = ["page.html", "result.sarif"].map(|name| scratch.path(name));
    let mut arguments = vec!["verify".into(), "-p".into(), property.into(), "--time-limit".into(), "60s".into()];
    arguments.extend(["--html".into(), kept[0].clone().into_os_string()]);
    arguments.extend(["--sarif".into(), kept[1].clone().into_os_string()]);
    arguments.extend(sources.map(|path| path.clone().into_os_string()));
    let output = foldback(&arguments);
    let text = stdout(&output) + &stderr(&output);
    let others = kept.map(|path| std::fs::read_to_string(path).expect("it was written"));
    for all in [&text, &others[0], &others[1]] {
        for ours in
            ["__foldback", "<library>", "%3Clibrary", "&lt;library", "where objects lie", "$start", "(approximated)"]
        {
            assert!(!all.contains(ours), "{name}: '{ours}' in {all}");
        }
    }
    text.replace(&format!("{}/", scratch.path("").display()).replace("//", "/"), "")
}

fn assert_tells(text: &str, expected: &[&str]) {
    for line in expected {
        assert!(text.contains(line), "no '{line}' in:\n{text}");
    }
}

const RING_H: &str = "#define CAP 8\nstruct ring { int data[CAP]; unsigned head, count; };\n\
    void ring_init(struct ring *r);\nint ring_put(struct ring *r, int v);\n";
const RING_C: &str = "#include <assert.h>\n#include \"ring.h\"\n\
    void ring_init(struct ring *r) { r->head = 0; r->count = 0; }\n\
    int ring_put(struct ring *r, int v) {\n  if (r->count > CAP) return -1;\n\
    \x20 r->data[(r->head + r->count) % CAP] = v;\n  r->count++;\n  assert(r->count <= CAP);\n  return 0;\n}\n";
const RING_MAIN: &str = "#include \"ring.h\"\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n\
    \x20 struct ring r;\n  ring_init(&r);\n  for (int i = 0; i < 12; i++)\n    ring_put(&r, __VERIFIER_nondet_int());\n}\n";

#[test]
fn members_in_two_files() {
    let text = told("ring", &[("ring.h", RING_H), ("ring.c", RING_C), ("main.c", RING_MAIN)], "assert");
    assert_tells(&text, &["8 iterations, i: 0 -> 8, r.count: 0 -> 8", "ring.c:7:3: ring_put: r.count = 9"]);
    assert_tells(&text, &["where r.count = 9, CAP = 8\n", "called from main.c:7:5"]);
    assert!(!text.contains("nondet"), "what is put into the buffer does not matter: {text}");
}

#[test]
fn cells_of_arrays_and_operands() {
    let program = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
        struct account { int balance; int log[4]; int n; };\n\
        static void withdraw(struct account *a, int amount) {\n  if (amount <= a->balance + 10) {\n\
        \x20   a->balance -= amount;\n    a->log[a->n++] = amount;\n  }\n}\n\
        int main(void) {\n  struct account a = { 100, {0}, 0 };\n  for (int i = 0; i < 3; i++) {\n\
        \x20   int x = __VERIFIER_nondet_int(), unused;\n    if (x > 0 && x < 1000) withdraw(&a, x);\n  }\n\
        \x20 assert(a.log[2] == 0 || a.balance >= 0);\n}\n";
    let text = told("account", &[("account.c", program)], "assert");
    assert_tells(&text, &["x = ", ", from __VERIFIER_nondet_int()", "a.balance: 100 -> -", "a.log[2]: 0 -> "]);
    assert_tells(&text, &["  where a.log[2] = "]);
    assert!(!text.contains("unused"), "{text}");
}

#[test]
fn conditions_that_a_function_is_given() {
    let program = "void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint a[5];\n\
        void __VERIFIER_assert(int cond) {\n  if (!cond) {\n    ERROR: { reach_error(); }\n  }\n}\n\
        int main(void) {\n  int n = __VERIFIER_nondet_int();\n  if (n < 0 || n > 4) return 0;\n  a[n] = n;\n\
        \x20 __VERIFIER_assert(n < 4 || a[4] != 4);\n}\n";
    let text = told("given", &[("given.c", program)], "unreach-call");
    assert_tells(&text, &["where n = 4, a[4] = 4\n"]);
    assert!(!text.contains("cond = 0"), "{text}");
}

const COPY: &str = "#include <string.h>\nextern char __VERIFIER_nondet_char(void);\nint main(void) {\n\
    \x20 char input[16], copy[8];\n  for (int i = 0; i < 15; i++) input[i] = __VERIFIER_nondet_char();\n\
    \x20 input[15] = 0;\n  strcpy(copy, input);\n  return copy[0];\n}\n";

#[test]
fn the_library_is_told_by_its_call() {
    let text = told("copy", &[("copy.c", COPY)], "memsafety");
    assert_tells(&text, &["strcpy(copy, input) is out of bounds: writes index 8 of copy[8], one past its end"]);
    assert_tells(&text, &["input[i] = ", ", from __VERIFIER_nondet_char()", "input = \""]);
    let scan = "#include <stdio.h>\n#include <assert.h>\nint main(void) {\n  int k;\n  char name[8];\n\
        \x20 if (scanf(\"%d\", &k) != 1) return 1;\n  if (!fgets(name, sizeof name, stdin)) return 1;\n\
        \x20 assert(k != 42 || name[0] != 'x');\n}\n";
    let text = told("scan", &[("scan.c", scan)], "assert");
    assert_tells(&text, &["scan.c:6:7: main: scanf stored k = 42", "scan.c:7:8: main: fgets stored name = \"x"]);
    assert_tells(&text, &["where k = 42, name[0] = 'x'\n"]);
}

#[test]
fn memory_errors_name_the_object() {
    let head = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n";
    let freed = "struct node { int v; struct node *next; };\nstatic struct node *make(int v) {\n\
        \x20 struct node *n = malloc(sizeof *n);\n  n->v = v; n->next = 0;\n  return n;\n}\nint main(void) {\n\
        \x20 struct node *a = make(1), *b = make(2);\n  a->next = b;\n  if (__VERIFIER_nondet_int() == 7) free(b);\n\
        \x20 int s = a->next->v;\n  if (s) exit(0);\n}\n";
    let text = told("freed", &[("freed.c", &format!("{head}{freed}"))], "valid-deref");
    assert_tells(
        &text,
        &["a->next = block 2", "a->next->v is in block 2, which was freed", "__VERIFIER_nondet_int() = 7"],
    );
    assert_tells(&text, &["freed.c:12:37: note: freed here", "freed.c:5:20: note: allocated here"]);

    let twice =
        "static void drop(int *p) { free(p); }\nint main(void) {\n  int *p = malloc(16);\n  drop(p);\n  drop(p);\n}\n";
    let text = told("twice", &[("twice.c", &format!("{head}{twice}"))], "valid-free");
    assert_tells(
        &text,
        &["free(p) frees block 1 a second time", "twice.c:3:28: note: freed first here", "called from twice.c:7:3"],
    );

    let null = "struct item { int key, value; } items[2] = {{1, 10}, {2, 20}};\nstruct item *find(int key) {\n\
        \x20 for (int i = 0; i < 2; i++)\n    if (items[i].key == key) return &items[i];\n  return 0;\n}\n\
        int main(void) {\n  struct item *it = find(__VERIFIER_nondet_int());\n  return it->value;\n}\n";
    let text = told("null", &[("null.c", &format!("{head}{null}"))], "valid-deref");
    assert_tells(
        &text,
        &[
            "it->value goes through a null pointer",
            "main: it = NULL",
            "where it = NULL\n",
            "null.c:10:21: note: it is NULL since here\n",
            "null.c:7:3: note: find returned NULL here\n",
        ],
    );

    let heap = "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  if (n < 1 || n > 5) return 1;\n\
        \x20 int *p = malloc(n * sizeof *p);\n  for (int i = 0; i <= n; i++) p[i] = i;\n}\n";
    let text = told("heap", &[("heap.c", &format!("{head}{heap}"))], "valid-deref");
    assert_tells(
        &text,
        &["p[i] is out of bounds: writes index ", " of block 1, which has room for ", "one past its end"],
    );
    assert_tells(&text, &["heap.c:6:12: note: allocated here", "where n = "]);

    let leak =
        "int main(void) {\n  char *p = malloc(10);\n  if (__VERIFIER_nondet_int() > 3) return 2;\n  free(p);\n}\n";
    let text = told("leak", &[("leak.c", &format!("{head}{leak}"))], "valid-memtrack");
    assert_tells(
        &text,
        &["leak.c:4:13: error: valid-memtrack: the block of 10 bytes that is allocated here is never freed"],
    );
    assert_tells(&text, &["leak.c:5:7: __VERIFIER_nondet_int() = "]);

    let before = "int a[3];\nint main(void) {\n  int i = __VERIFIER_nondet_int();\n  if (i < -2 || i > 2) return 0;\n  return a[i];\n}\n";
    let text = told("before", &[("before.c", &format!("{head}{before}"))], "valid-deref");
    assert_tells(&text, &["a[i] is out of bounds: reads index -", " of a[3], before its start"]);
}

/// Which function returned a null pointer, whether or not it is kept in a variable, and through how many calls it goes.
#[test]
fn null_pointers_come_from_a_function() {
    let head = "#include <string.h>\nextern int __VERIFIER_nondet_int(void);\nstruct item { int value; } items[2];\n\
        static struct item *at(int i) {\n  struct item *found = &items[0];\n  if (i > 1)\n    found = 0;\n  return found;\n}\n\
        static struct item *first(int i) {\n  return at(i);\n}\n";
    let used = "static int value(struct item *item) {\n  return item->value;\n}\nint main(void) {\n\
        \x20 return value(first(__VERIFIER_nondet_int()));\n}\n";
    let text = told("returned", &[("returned.c", &format!("{head}{used}"))], "valid-deref");
    assert_tells(&text, &["item->value goes through a null pointer", "returned.c:8:3: note: at returned NULL here\n"]);
    let unnamed = "int main(void) {\n  return first(__VERIFIER_nondet_int())->value;\n}\n";
    let text = told("unnamed", &[("unnamed.c", &format!("{head}{unnamed}"))], "valid-deref");
    assert_tells(
        &text,
        &["where first(__VERIFIER_nondet_int()) = NULL\n", "unnamed.c:8:3: note: at returned NULL here\n"],
    );
    let library = "int main(void) {\n  char *dot = strchr(\"name\", '.');\n  return *dot;\n}\n";
    let text = told("library-null", &[("library.c", &format!("{head}{library}"))], "valid-deref");
    assert_tells(&text, &["*dot goes through a null pointer", "library.c:14:15: note: strchr returned NULL here\n"]);
    assert!(!text.contains("since here"), "the same place once: {text}");
    // Not what was assigned last.
    let later = "int main(void) {\n  struct item *p = first(0);\n  if (__VERIFIER_nondet_int())\n    p = 0;\n  return p->value;\n}\n";
    let text = told("later-null", &[("later.c", &format!("{head}{later}"))], "valid-deref");
    assert_tells(&text, &["later.c:16:5: note: p is NULL since here\n"]);
    assert!(!text.contains("returned NULL"), "{text}");
}

/// One pointer that led to several blocks in a loop, and what was changed in each.
#[test]
fn cells_of_several_blocks_are_told_apart() {
    let program = "#include <assert.h>\n#include <stdlib.h>\nstruct node { int key; struct node *next; };\nint main(void) {\n\
        \x20 struct node *list = 0;\n  for (int i = 1; i < 3; i++) {\n    struct node *n = malloc(sizeof *n);\n    n->key = 10 * i;\n\
        \x20   n->next = list;\n    list = n;\n  }\n  assert(list->key + list->next->key < 30);\n}\n";
    let text = told("blocks", &[("blocks.c", program)], "assert");
    assert_tells(&text, &["n->key in block 1: ", " -> 10", "n->key in block 2: ", " -> 20"]);
}

/// What an engine says of single formulas is for its developers.
#[test]
fn the_page_has_no_formulas_of_engines() {
    let program = "#include <stdlib.h>\nextern void reach_error(void);\nint main(int argc, char **argv) {\n  if (argc < 3) return 1;\n\
        \x20 unsigned n = atoi(argv[1]) & 0xffff, m = atoi(argv[2]) & 0xffff, s = 0;\n  for (unsigned i = 0; i < n; i++) s += m;\n\
        \x20 if (s != n * m) reach_error();\n}\n";
    for engine in ["guess", "houdini", "portfolio"] {
        let scratch = Scratch::new(&format!("telling-formulas-{engine}"));
        let file = scratch.file("p.c", program);
        let page = scratch.path("page.html");
        let (file, page) = (file.to_string_lossy(), page.to_string_lossy());
        let flags =
            ["verify", "-p", "unreach-call", "--engine", engine, "--time-limit", "2s", "-v", "--html", &page, &file];
        let text = stdout(&foldback(flags));
        let page = std::fs::read_to_string(&*page).expect("it was written");
        for all in [&text, &page] {
            assert!(!all.contains("(bv") && !all.contains("not kept from L"), "{engine}: {all}");
        }
    }
}

/// Leaks that cannot be decided, since a block may be reachable through another.
#[test]
fn what_helps_where_leaks_are_not_decided() {
    let program = "#include <stdlib.h>\nstatic char **keep;\nint main(void) {\n  keep = malloc(sizeof *keep);\n\
        \x20 if (keep) *keep = malloc(32);\n}\n";
    let text = told("undecided", &[("undecided.c", program)], "valid-memtrack");
    assert_tells(&text, &["whether all memory is freed in the end is easier to say, --property memcleanup"]);
    let text = told("cleanup", &[("undecided.c", program)], "memcleanup");
    assert_tells(&text, &["error: valid-memcleanup: the block of ", "is still allocated when the program ends"]);
}

/// What an operation is given, by the names that it has there, whoever calls it.
#[test]
fn operands_have_their_own_names() {
    let program = "extern int __VERIFIER_nondet_int(void);\nint add(int a, int b) {\n  return a + b;\n}\nint main(void) {\n\
        \x20 int x = __VERIFIER_nondet_int();\n  return add(x, 1);\n}\n";
    let text = told("operands", &[("operands.c", program)], "no-overflow");
    assert_tells(&text, &["signed integer overflow in a + b", "where a = 2147483647, b = 1\n"]);
}

/// What the library's functions keep for themselves.
#[test]
fn the_librarys_variables_are_not_shown() {
    let program = "#include <stdio.h>\n#include <string.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n\
        \x20 int n = __VERIFIER_nondet_int();\n  char out[8];\n  sprintf(out, \"id %d\", n);\n  return out[0];\n}\n";
    let text = told("sprintf", &[("sprintf.c", program)], "valid-deref");
    assert_tells(&text, &["sprintf(out, \"id %d\", n) is out of bounds: writes index 8 of out[8], one past its end\n"]);
    assert!(!text.contains("sink") && !text.contains("spec."), "{text}");
}

#[test]
fn functions_without_body_are_one_line() {
    let program = "#include <assert.h>\nint next(void);\nint main(void) {\n  int sum = 0;\n\
        \x20 for (int i = 0; i < 12; i++) sum += next() & 7;\n  assert(sum < 20);\n}\n";
    let text = told("bodyless", &[("bodyless.c", program)], "assert");
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("next() = ")).collect();
    assert!(
        matches!(lines[..], [line] if line.ends_with("as it has no body: add the file that defines it, or a stub")),
        "{text}"
    );
    let program = "#include <assert.h>\nint main(void) {\n  int x, y;\n  y = 3;\n  assert(x != 5 || y == 4);\n}\n";
    let text = told("open", &[("open.c", program)], "assert");
    assert_tells(&text, &["x = 5, as nothing was assigned to it", "where x = 5, y = 3\n"]);
    assert!(!text.contains("y = 0"), "{text}");
}

#[test]
fn unknown_says_what_to_do() {
    let hard = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
        int main(void) { unsigned long long n = __VERIFIER_nondet_uint(), x = 0, y = 1, s = 0;\n\
        while (x < n) { x++; y = y * 6364136223846793005ull + 1442695040888963407ull; s += (y >> 33) * (x ^ s); }\n\
        if (s == 123456789012345ull && n > 1000) reach_error(); return 0; }\n";
    let scratch = Scratch::new("telling-unknown");
    let file = scratch.file("hard.c", hard);
    let run = |flag: &str| {
        stdout(&foldback(["verify", "-p", "unreach-call", flag, "--time-limit", "2s", &file.to_string_lossy()]))
    };
    let text = run("--malloc-may-fail");
    assert_tells(&text, &["what would help:\n  - More time: a larger --time-limit", "RESULT: unknown(time limit)\n"]);
    assert!(!text.contains("engine ") && !text.contains("(bv") && !text.contains("Some("), "{text}");
    assert!(run("-v").lines().any(|line| line.starts_with("engine ")));
    assert_eq!(run("-q"), "RESULT: unknown(time limit)\n");
}

#[test]
fn names_that_may_be_meant() {
    let scratch = Scratch::new("telling-near");
    let file = scratch.file("near.c", "int main(void) { return 0; }\nint parse(int x) { return x; }\n");
    let file = file.to_string_lossy();
    for (flag, word, meant) in
        [("--entry", "prase", "parse"), ("--engine", "kindd", "kind"), ("--property", "memsafty", "memsafety")]
    {
        let output = foldback(["verify", flag, word, &file]);
        assert_eq!(output.status.code(), Some(2));
        assert_tells(&stderr(&output), &[&format!("did you mean '{meant}'?")]);
    }
}

#[test]
fn help_is_in_groups_and_the_version_names_its_commit() {
    let help = stdout(&foldback(["verify", "--help"]));
    assert_tells(
        &help,
        &["What is checked:", "The program:", "Limits:", "Files to write:", "Examples:", "[default: main]"],
    );
    let version = stdout(&foldback(["--version"]));
    assert!(version.starts_with(&format!("foldback {}", env!("CARGO_PKG_VERSION"))), "{version}");
}

/// What bash offers where a value is to be typed.
fn offered(script: &std::path::Path, before: &str, word: &str) -> Vec<String> {
    let ask = format!(
        "source '{}'; COMP_WORDS=(foldback {before} '{word}'); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
         _foldback foldback '{word}' \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.display()
    );
    let output = std::process::Command::new("bash").args(["-c", &ask]).output().expect("bash runs");
    stdout(&output).lines().map(str::to_owned).collect()
}

#[test]
fn shells_offer_values() {
    let scratch = Scratch::new("telling-completions");
    let script = scratch.file("foldback.bash", stdout(&foldback(["completions", "bash"])));
    assert_eq!(offered(&script, "verify --property", "mem"), ["memsafety", "memcleanup"]);
    assert_eq!(offered(&script, "run -p", "valid-d"), ["valid-deref"]);
    assert_eq!(offered(&script, "verify --engine", "bs"), ["bse", "bself"]);
    assert_eq!(offered(&script, "verify --data-model", ""), ["ilp32", "lp64"]);
    for shell in ["zsh", "fish"] {
        let script = stdout(&foldback(["completions", shell]));
        assert!(script.contains("houdini") && script.contains("memcleanup"), "{shell}");
    }
}
