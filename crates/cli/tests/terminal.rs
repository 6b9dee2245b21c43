//! What a user sees while a verification runs, and when it is interrupted.

use crate::common::{Scratch, foldback, stderr, stdout};
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Nobody decides it soon.
const HARD: &str = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
    int main(void) { unsigned long long n = __VERIFIER_nondet_uint(), x = 0, y = 1, s = 0;\n\
    while (x < n) { x++; y = y * 6364136223846793005ull + 1442695040888963407ull; s += (y >> 33) * (x ^ s); }\n\
    if (s == 123456789012345ull && n > 1000) reach_error(); return 0; }\n";

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_foldback"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs")
}

fn signal(signal: &str, pid: u32) {
    let sent = Command::new("kill").args([signal, &pid.to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()));
}

/// The processes whose parent is `pid`.
fn children(pid: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(child) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // After the name in parentheses: the state, then the parent.
        let parent = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1));
        if parent == Some(&pid.to_string()) {
            found.push(child);
        }
    }
    found
}

fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next()).is_some_and(|state| state != "Z")
}

/// Interrupts a run and says how long it took to end; what it says and leaves behind is checked.
fn interrupted(by: &str, after: Duration, arguments: &[&str]) -> Duration {
    let mut run = start(arguments);
    std::thread::sleep(after);
    let workers = children(run.id());
    let began = Instant::now();
    signal(by, run.id());
    let status = run.wait().expect("it ends");
    let took = began.elapsed();
    let mut text = String::new();
    run.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
    assert_eq!(status.code(), Some(3), "{text}");
    assert!(text.ends_with("RESULT: unknown(cancelled)\n"), "{text}");
    assert_eq!(text.matches("RESULT").count(), 1, "{text}");
    let patience = Instant::now() + Duration::from_secs(5);
    while workers.iter().any(|worker| is_alive(*worker)) {
        assert!(Instant::now() < patience, "processes are left behind: {workers:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
    took
}

/// On a busy machine a process may wait long for its turn: the fastest of a few tries counts.
#[test]
fn interrupts_end_a_run_at_once() {
    let scratch = Scratch::new("interrupt");
    let file = scratch.file("hard.c", HARD);
    let json = scratch.path("result.json");
    let arguments = ["verify", &file.to_string_lossy(), "--json", &json.to_string_lossy()];
    for by in ["-INT", "-TERM"] {
        let fastest = [60, 700, 1500, 400, 900]
            .into_iter()
            .map(|after| interrupted(by, Duration::from_millis(after), &arguments))
            .min()
            .expect("some tries");
        assert!(fastest < Duration::from_secs(2), "{by}: {fastest:?}");
    }
    let kept = std::fs::read_to_string(&json).expect("the result is kept");
    assert!(kept.contains("\"reason\": \"cancelled\""), "{kept}");
}

#[test]
fn interrupts_end_the_check_of_a_witness() {
    let scratch = Scratch::new("interrupt-witness");
    let file = scratch.file("hard.c", HARD);
    let witness = format!(
        "- entry_type: invariant_set\n  metadata: {{format_version: \"2.0\", task: {{specification: \"G ! \
         call(reach_error())\"}}}}\n  content:\n  - invariant: {{type: loop_invariant, format: c_expression, value: \"s != 5\", \
         location: {{file_name: \"{}\", line: 4}}}}\n",
        file.display()
    );
    let witness = scratch.file("hard.yml", witness);
    let arguments = ["check-witness", &witness.to_string_lossy(), &file.to_string_lossy()];
    interrupted("-INT", Duration::from_millis(1500), &arguments);
}

/// Exit code 0 says that the property holds, whoever reads what is printed.
#[test]
fn exit_codes_need_no_reader() {
    let scratch = Scratch::new("no-reader");
    for (name, body, code) in [("bug.c", "reach_error();", 1), ("fine.c", "", 0)] {
        let file =
            scratch.file(name, format!("extern void reach_error(void);\nint main(void) {{ {body} return 0; }}\n"));
        let arguments = ["verify", "-p", "unreach-call", "--replay", "interpreter", &file.to_string_lossy()];
        let mut closed = start(&arguments);
        drop(closed.stdout.take());
        assert_eq!(closed.wait().expect("it ends").code(), Some(code), "{name}, into a closed pipe");
        if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
            let output = Command::new(env!("CARGO_BIN_EXE_foldback")).args(arguments).stdout(full).output();
            let output = output.expect("the binary runs");
            assert_eq!(output.status.code(), Some(2), "{name}, into a full device");
            assert!(stderr(&output).contains("standard output"), "{}", stderr(&output));
        }
    }
}

#[test]
fn progress_is_json_or_nothing_in_a_pipe() {
    let scratch = Scratch::new("progress");
    let file = scratch.file("hard.c", HARD);
    let run = |flags: &[&str]| {
        let start = ["verify", "--time-limit", "500ms", "--engine", "bmc", &file.to_string_lossy()].map(str::to_owned);
        foldback(start.into_iter().chain(flags.iter().map(|flag| (*flag).to_owned())))
    };
    assert_eq!(stderr(&run(&[])), "");
    assert_eq!(stderr(&run(&["--progress", "none"])), "");
    let lines = stderr(&run(&["--progress", "json"]));
    let events: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect();
    let is = |name: &str| events.iter().any(|event| event["event"] == name && event["seconds"].is_number());
    for name in ["phase", "turn", "bound", "no-error-within"] {
        assert!(is(name), "no event '{name}': {lines}");
    }
}

const SEVERAL: &str = "extern int __VERIFIER_nondet_int(void);\nextern void *malloc(unsigned long);\n\
    int main(void) { int x = __VERIFIER_nondet_int(); int *p = malloc(sizeof *p);\n\
    *p = x + 1; return *p == 5; }\n";

fn verified(name: &str, program: &str, flags: &[&str]) -> (String, Option<i32>) {
    let scratch = Scratch::new(name);
    let file = scratch.file("p.c", program);
    let start =
        ["verify", "--time-limit", "20s", "--replay", "interpreter", &file.to_string_lossy()].map(str::to_owned);
    let output = foldback(start.into_iter().chain(flags.iter().map(|flag| (*flag).to_owned())));
    (stdout(&output), output.status.code())
}

#[test]
fn each_property_has_its_verdict() {
    let flags = ["-p", "valid-deref", "-p", "no-overflow", "-p", "valid-memtrack"];
    let (text, code) = verified("several", SEVERAL, &flags);
    let last: Vec<&str> = text.lines().rev().take(4).collect();
    assert_eq!(
        last,
        [
            "RESULT: false(no-overflow)",
            "valid-memtrack: false(valid-memtrack)",
            "no-overflow: false(no-overflow)",
            "valid-deref: true"
        ],
        "{text}"
    );
    assert_eq!(code, Some(1));
}

/// The witness is about the violation that the result names, whichever was found first.
#[test]
fn a_witness_is_of_the_property_in_the_result() {
    let scratch = Scratch::new("several-witness");
    let witness = scratch.path("w.yml");
    let flags = ["-p", "valid-memtrack", "-p", "no-overflow", "--witness", &witness.to_string_lossy()];
    let (text, code) = verified("several-witness-run", SEVERAL, &flags);
    let written = std::fs::read_to_string(&witness).expect("a witness");
    let formula = match text.lines().last() {
        Some("RESULT: false(no-overflow)") => "G ! overflow",
        Some("RESULT: false(valid-memtrack)") => "G valid-memtrack",
        _ => panic!("{text}"),
    };
    assert_eq!(code, Some(1));
    assert_eq!(written.matches("LTL(").count(), 1, "{written}");
    assert!(written.contains(formula), "{text}{written}");
}

/// What the run with all of them proves is not proved again for each.
#[test]
fn properties_are_proved_together() {
    let program = "int main(void) { int x = 1; return x + 1; }\n";
    let (text, code) = verified("together", program, &["-p", "no-overflow", "-p", "valid-deref", "-p", "assert"]);
    assert!(text.ends_with("no-overflow: true\nvalid-deref: true\nassert: true\nRESULT: true\n"), "{text}");
    assert_eq!(text.matches("no check can fail").count(), 1, "{text}");
    assert_eq!(code, Some(0));
}

const LIBRARY: &str = "struct pair { unsigned char low; int high; struct pair *next; };\n\
    extern void reach_error(void);\n\
    int clamp(int x, _Bool strict) { if (strict && x > 10) return 10; return x; }\n\
    void check(const int *x, unsigned y) { if (x && *x == -7 && y > 4000000000u) reach_error(); }\n\
    void follow(struct pair *p) { if (p && p->next && p->next->low == 200) reach_error(); }\n\
    void by_value(struct pair p) { if (p.low > 255) reach_error(); }\n\
    void null(int *p) { *p = 1; }\n\
    int any(int n, ...) { return n; }\n\
    int listed(__builtin_va_list list) { return 0; }\n\
    void call(int (*f)(int)) { if (f && f(1) == 5) reach_error(); }\n\
    struct steps { void *data; long (*step)(void *, long); };\n\
    void steps(struct steps *s) { if (s && s->step && s->step(s->data, 3) == 1l << 40) reach_error(); }\n\
    void unset(int (*f)(int)) { f(1); }\n\
    void *make(unsigned n) { return __builtin_malloc(n); }\n\
    void lose(unsigned n) { __builtin_malloc(n); }\n\
    void hold(void **out) { if (out) *out = __builtin_malloc(1); }\n\
    int measure(const char *s) { char *copy = __builtin_malloc(1); if (copy && s) *copy = *s; return 0; }\n\
    void bytes(const void *p) { if (p && *(const char *)p == 7) reach_error(); }\n\
    void past(void *p) { if (p) ((char *)p)[1] = 7; }\n\
    struct hidden; void opaque(struct hidden *p, void *q) { if (p && *(char *)p == 7 && p != q) reach_error(); }\n";

#[test]
fn any_function_may_be_the_entry() {
    let verify = |flags: &[&str]| verified("entry", LIBRARY, flags);
    let (text, code) = verify(&["--entry", "clamp", "-p", "no-overflow"]);
    assert_eq!(code, Some(0), "{text}");
    let (text, code) = verify(&["--entry", "check"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("*x = -7\n") && text.contains("note: the program starts at 'check'"), "{text}");
    let y = text.lines().find_map(|line| line.split(": y = ").nth(1)).and_then(|y| y.parse::<u64>().ok());
    assert!(y.is_some_and(|y| y > 4_000_000_000), "{text}");
    let (text, code) = verify(&["--entry", "follow"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("p->next->low = 200\n"), "{text}");
    let (text, code) = verify(&["--entry", "by_value"]);
    assert_eq!(code, Some(0), "{text}");
    let (text, code) = verify(&["--entry", "bytes"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("(those to void and to what is not defined here at one byte)"), "{text}");
    let (text, code) = verify(&["--entry", "opaque"]);
    assert_eq!(code, Some(1), "{text}");
    let (text, _) = verify(&["--entry", "past", "-p", "valid-deref"]);
    assert!(text.ends_with("RESULT: false(valid-deref)\n"), "{text}");
    let (text, _) = verify(&["--entry", "null", "-p", "valid-deref"]);
    assert!(text.ends_with("RESULT: false(valid-deref)\n") && text.contains("p = NULL\n"), "{text}");
}

#[test]
fn functions_that_arguments_point_at_may_do_anything() {
    let verify = |flags: &[&str]| verified("entry-functions", LIBRARY, flags);
    let (text, code) = verify(&["--entry", "call"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("a function of type int (int) returns 5"), "{text}");
    let (text, code) = verify(&["--entry", "steps"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("s->step is not NULL"), "{text}");
    let (text, _) = verify(&["--entry", "unset", "-p", "valid-deref"]);
    assert!(text.ends_with("RESULT: false(valid-deref)\n") && text.contains("f = NULL\n"), "{text}");
}

#[test]
fn what_callers_get_is_not_lost() {
    let verify = |entry: &str| verified("entry-leaks", LIBRARY, &["--entry", entry, "-p", "valid-memtrack"]).0;
    assert!(verify("make").ends_with("RESULT: true\n"), "{}", verify("make"));
    for loses in ["lose", "measure"] {
        assert!(verify(loses).ends_with("RESULT: false(valid-memtrack)\n"), "{}", verify(loses));
    }
    let text = verify("hold");
    assert!(
        text.contains("RESULT: unknown(unsupported: whether a heap block is reachable through other memory"),
        "{text}"
    );
}

#[test]
fn entries_whose_arguments_cannot_be_made_up() {
    let scratch = Scratch::new("no-entry");
    let file = scratch.file("library.c", LIBRARY);
    for (entry, why) in [("any", "any number of arguments"), ("listed", "is a list of arguments")] {
        let output = foldback(["verify", "--entry", entry, &file.to_string_lossy()]);
        assert_eq!(output.status.code(), Some(2), "{entry}: {}", stdout(&output));
        assert!(stderr(&output).contains(why), "{entry}: {}", stderr(&output));
    }
}
