//! The same tokens as the C compiler of the machine: `cc -E` is the oracle, spelling by spelling. Every C file of this
//! repository, every bundled header, files of nasty macros, random macros, random conditions.
//!
//! By hand: `FOLDBACK_PP_FILES=DIR` compares every C file below a directory (`FOLDBACK_PP_ALL=1`: preprocessed ones too;
//! `FOLDBACK_PP_INCLUDE=DIR:DIR` is searched for headers), `FOLDBACK_PP_ROUNDS=N` and `FOLDBACK_PP_SEED=S` hunt longer.

#![allow(clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::process::Command;

use super::*;

/// Spellings, or why there are none.
type Outcome = Result<Vec<String>, String>;

fn spellings(stream: &TokenStream) -> Vec<String> {
    stream.tokens.iter().map(|token| decode(stream.bytes(token))).collect()
}

fn outcome(read: Result<TokenStream, Vec<Diagnostic>>, sources: &Sources) -> Outcome {
    let shown = |ds: Vec<Diagnostic>| ds.iter().map(|d| d.render(sources)).collect::<Vec<_>>().join("\n");
    read.map(|stream| spellings(&stream)).map_err(shown)
}

fn ours(path: &Path, text: Vec<u8>, options: &Options) -> Outcome {
    let (mut names, mut sources) = (Names::new(), Sources::new());
    let predefined = Predefined::new(options, &mut names).map_err(|ds| format!("{ds:?}"))?;
    let name = path.display().to_string();
    let source = Source { name: &name, path: Some(path), text, language: Language::C };
    let read = tokens(source, &predefined, options, &mut names, &mut sources);
    outcome(read, &sources)
}

fn theirs(path: &Path, options: &Options) -> Outcome {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let mut command = Command::new("cc");
    command.args(["-E", "-std=gnu17", "-undef", "-nostdinc", "-x", "c", "-w"]);
    command.arg(match options.model {
        DataModel::Ilp32 => "-D__FOLDBACK_ILP32__=1",
        DataModel::Lp64 => "-D__FOLDBACK_LP64__=1",
    });
    command.arg("-include").arg(include.join("predefined.h"));
    options.include_dirs.iter().for_each(|dir| {
        command.arg("-I").arg(dir);
    });
    command.arg("-isystem").arg(&include).arg(path);
    let output = command.env("SOURCE_DATE_EPOCH", "0").env("LC_ALL", "C").output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let (mut names, mut sources) = (Names::new(), Sources::new());
    let source = Source { name: "cc", path: None, text: output.stdout, language: Language::Preprocessed };
    let read = tokens(source, &Predefined::default(), options, &mut names, &mut sources);
    outcome(read, &sources)
}

/// What the two disagree about.
fn disagreement(path: &Path, options: &Options) -> Option<String> {
    let text = std::fs::read(path).ok()?;
    if text.contains(&0) {
        return None;
    }
    match (ours(path, text, options), theirs(path, options)) {
        (Ok(ours), Ok(theirs)) => {
            let at = ours.iter().zip(&theirs).position(|(a, b)| a != b).unwrap_or(ours.len().min(theirs.len()));
            let around = |all: &[String]| all[at.saturating_sub(8)..(at + 4).min(all.len())].join(" ");
            (ours != theirs).then(|| format!("ours:   … {} …\ntheirs: … {} …", around(&ours), around(&theirs)))
        }
        (Err(_), Err(_)) => None,
        (Err(message), Ok(_)) => Some(format!("only we refuse it: {message}")),
        (Ok(_), Err(message)) => Some(format!("only cc refuses it: {message}")),
    }
}

fn has_compiler() -> bool {
    let there = Command::new("cc")
        .arg("--version")
        .output()
        .is_ok_and(|out| out.stdout.starts_with(b"cc") || out.stdout.starts_with(b"gcc"));
    if !there {
        eprintln!("skipped: no gcc here to compare with");
    }
    there
}

fn check(paths: impl IntoIterator<Item = PathBuf>) {
    let mut complaints = Vec::new();
    let (mut compared, mut refused) = (0, Vec::new());
    for path in paths {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            compared += 1;
            let mut options = Options::new(model);
            if let Some(dirs) = std::env::var_os("FOLDBACK_PP_INCLUDE") {
                options.include_dirs = std::env::split_paths(&dirs).collect();
            }
            if let Err(message) = ours(&path, std::fs::read(&path).expect("readable"), &options) {
                refused.push(message);
            }
            if let Some(what) = disagreement(&path, &options) {
                complaints.push(format!("{} ({model:?}):\n{what}", path.display()));
            }
        }
    }
    assert!(complaints.is_empty(), "{} of {compared}:\n{}", complaints.len(), complaints.join("\n"));
    eprintln!("{compared} comparisons, {} refused by both:\n{}", refused.len(), refused.join("\n"));
    assert!(refused.is_empty() || std::env::var_os("FOLDBACK_PP_FILES").is_some(), "{}", refused.join("\n"));
}

fn c_files(below: &Path, all: bool, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(below) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            c_files(&path, all, out);
        } else if extension == "c" || (all && extension == "i") {
            out.push(path);
        }
    }
}

/// A folder for the files of one test; it goes when the test passes.
fn scratch(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("foldback-pp-{}-{test}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("scratch folder");
    folder
}

fn written(path: PathBuf, text: &str) -> PathBuf {
    std::fs::write(&path, text).expect("scratch file");
    path
}

#[test]
fn files_of_the_repository() {
    if !has_compiler() {
        return;
    }
    let mut paths = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in ["examples", "crates", "tests"] {
        c_files(&root.join(folder), false, &mut paths);
    }
    // Harnesses for libraries whose headers are not in the repository.
    paths.retain(|path| !path.starts_with(root.join("examples/projects/libraries")));
    if let Some(folder) = std::env::var_os("FOLDBACK_PP_FILES") {
        paths.clear();
        c_files(Path::new(&folder), std::env::var_os("FOLDBACK_PP_ALL").is_some(), &mut paths);
    }
    check(paths);
}

#[test]
fn bundled_headers() {
    if !has_compiler() {
        return;
    }
    let mut texts: Vec<String> = headers::names().map(|name| format!("#include <{name}>\n")).collect();
    texts.push(texts.concat());
    texts.push(texts.concat().repeat(2));
    let folder = scratch("headers");
    let write = |(index, text): (usize, &String)| written(folder.join(format!("{index}.c")), text);
    check(texts.iter().enumerate().map(write).collect::<Vec<_>>());
    std::fs::remove_dir_all(folder).expect("scratch folder");
}

#[test]
fn nasty_macros() {
    if !has_compiler() {
        return;
    }
    let mut paths = Vec::new();
    c_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/macros"), false, &mut paths);
    assert!(!paths.is_empty());
    check(paths);
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n.max(1) as u64) as usize
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    fn blank(&mut self) -> &'static str {
        self.one(&["", " ", " ", " ", "  ", "/* c */", " /**/ ", "\\\n", " \\\n "])
    }
}

/// A macro of the generator: its name and how many arguments it wants, if it is function-like.
struct Wanted {
    name: String,
    params: Option<usize>,
    variadic: bool,
}

fn definition(index: usize, r: &mut Random) -> (Wanted, String) {
    let name = format!("M{index}");
    let params = (r.below(4) > 0).then(|| r.below(4));
    let variadic = params.is_some() && r.below(3) == 0;
    let mut named: Vec<String> = (0..params.unwrap_or(0)).map(|i| format!("p{i}")).collect();
    let mut text = format!("#define {name}");
    if params.is_some() {
        let rest = if r.below(3) == 0 { "rest" } else { "__VA_ARGS__" };
        let mut shown = named.clone();
        if variadic {
            shown.push(if rest == "rest" { "rest...".to_owned() } else { "...".to_owned() });
            named.push(rest.to_owned());
        }
        text += &format!("({})", shown.join(r.one(&[",", ", ", " , "])));
    }
    let function_like = params.is_some();
    let param = |r: &mut Random| named.get(r.below(named.len())).cloned().unwrap_or("a".to_owned());
    let mut open = 0;
    text += " ";
    for _ in 0..r.below(8) {
        text += &match r.below(20) {
            0..=5 => param(r),
            6..=8 => format!("M{}", r.below(6)),
            9 if function_like && !named.is_empty() => format!("#{}{}", r.one(&["", " "]), param(r)),
            10 => format!("{} ## {}", r.one(&["a", "x", "M", "L"]), param(r)),
            11 if !named.is_empty() => format!("{} ## {}", param(r), r.one(&["1", "b", "0"])),
            12 => {
                open += 1;
                "(".to_owned()
            }
            13 if open > 0 => {
                open -= 1;
                ")".to_owned()
            }
            14 => format!("M{} ({})", r.below(6), param(r)),
            15 if variadic => format!(", ## {}", named[named.len() - 1]),
            16 if variadic => format!(
                "{}__VA_OPT__({} {} {})",
                r.one(&["", "a ## ", "#", "p0 ", "p0 ## "]).replace("p0", &named[0]),
                param(r),
                r.one(&["x", "+", "## b", "M1"]),
                r.one(&["", "(y)", "M2", "## c"]),
            ),
            17 => r.one(&["\"s\\n\"", "'\\\"'", "\"a b\"", "L'x'"]).to_owned(),
            18 => r.one(&["__LINE__", "__COUNTER__", "__FILE__"]).to_owned(),
            _ => r.one(&["a", "b", "1", "+", "-", "&&", ",", "[", "]"]).to_owned(),
        };
        text += r.one(&[" ", " ", " ", "  ", "/**/"]);
    }
    text += &")".repeat(open);
    (Wanted { name, params, variadic }, text + "\n")
}

/// Something to expand; `depth` bounds nested calls.
fn usage(macros: &[Wanted], r: &mut Random, depth: usize) -> String {
    let mut text = String::new();
    for _ in 0..=r.below(5) {
        text += &match r.below(8) {
            0..=3 if depth > 0 => {
                let chosen = &macros[r.below(macros.len())];
                let mut call = chosen.name.clone();
                if let Some(params) = chosen.params
                    && r.below(10) > 0
                {
                    let more = if chosen.variadic { r.below(3) } else { 0 };
                    let arguments: Vec<String> = (0..params + more)
                        .map(|_| if r.below(4) == 0 { String::new() } else { usage(macros, r, depth - 1) })
                        .collect();
                    call += &format!("{}({})", r.one(&["", " ", "\n"]), arguments.join(r.one(&[",", " , ", ",\n"])));
                }
                call
            }
            4 => format!("({})", r.one(&["a", "1, 2", "", "M1"])),
            5 => r.one(&["\"q\\\\\"", "'c'", "0x1p+3", "1e+5", "."]).to_owned(),
            _ => r.one(&["a", "x1", "b", "7", "+", "-", "->", "<:", "M3"]).to_owned(),
        };
        text += r.blank().trim_end_matches("\\\n");
        text += r.one(&[" ", " ", "\n"]);
    }
    text
}

fn macro_program(r: &mut Random) -> String {
    let mut text = String::new();
    let mut macros = Vec::new();
    for index in 0..6 {
        let (wanted, line) = definition(index, r);
        macros.push(wanted);
        text += &line;
    }
    for _ in 0..=r.below(4) {
        if r.below(8) == 0 {
            let index = r.below(6);
            text += &format!("#undef M{index}\n");
        }
        text += &usage(&macros, r, 3);
        text += ";\n";
    }
    text
}

fn condition(r: &mut Random, depth: usize) -> String {
    if depth == 0 || r.below(5) == 0 {
        return r
            .one(&[
                "0",
                "1",
                "2",
                "3u",
                "0x7fffffffffffffff",
                "0x8000000000000000",
                "18446744073709551615u",
                "'a'",
                "'\\377'",
                "L'\\1'",
                "u'x'",
                "defined A",
                "defined(B)",
                "A",
                "B",
                "C",
                "U",
                "-1",
                "~0",
                "63",
                "64",
                "100ull",
                "0b11",
                "017",
                "-1u",
                "F(2)",
                "F (C)",
                "undefined",
                "true",
                "G",
                "2147483648",
                "'ab'",
            ])
            .to_owned();
    }
    let one = |r: &mut Random| condition(r, depth - 1);
    match r.below(10) {
        0 => format!("{}({})", r.one(&["!", "-", "~", "+"]), one(r)),
        1 => format!("{} ? {} : {}", one(r), one(r), one(r)),
        2 => format!("({})", one(r)),
        _ => {
            let operator = r.one(&[
                "+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&", "||", ",",
            ]);
            format!("({}) {operator} {}", one(r), one(r))
        }
    }
}

fn condition_program(r: &mut Random) -> String {
    let mut text =
        "#define A 5\n#define C (A*3)\n#define F(x) ((x) - 7)\n#define U 4294967296u\n#define G defined(A) && F(9)\n"
            .to_owned();
    for line in 0..3 {
        let (shown, than) = (condition(r, 4), condition(r, 1));
        text += &format!(
            "#if ({shown}) {} {than}\nyes{line};\n#elif {shown}\nperhaps{line};\n#else\nno{line};\n#endif\n",
            r.one(&["==", "<", ">", "&"])
        );
    }
    text
}

fn hunt(what: &str, program: fn(&mut Random) -> String, rounds: usize) {
    if !has_compiler() {
        return;
    }
    let from_env = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<usize>().ok());
    let rounds = from_env("FOLDBACK_PP_ROUNDS").unwrap_or(rounds);
    let seed = from_env("FOLDBACK_PP_SEED").unwrap_or(1);
    let folder = scratch(what);
    let mut accepted = 0;
    for round in 0..rounds {
        let mut random = Random(((seed << 32) + round) as u64);
        random.below(2);
        let text = program(&mut random);
        let path = written(folder.join("random.c"), &text);
        let options = Options::new(DataModel::Lp64);
        if let Some(complaint) = disagreement(&path, &options) {
            panic!("{what}, seed {seed}, round {round}: {complaint}\n{text}");
        }
        accepted += usize::from(ours(&path, text.into_bytes(), &options).is_ok());
    }
    std::fs::remove_dir_all(folder).expect("scratch folder");
    eprintln!("{what}: {accepted} of {rounds} programs accepted by both, the others refused by both");
    assert!(accepted * 10 >= rounds, "too few valid programs");
}

#[test]
fn random_macros() {
    hunt("macros", macro_program, 100);
}

#[test]
fn random_conditions() {
    hunt("conditions", condition_program, 60);
}
