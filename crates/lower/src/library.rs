//! The C library as C: models compiled by our own front end, together with the program.
//!
//! Only what a program needs is added to it, item by item, since a program may use the library's names for things of its
//! own. Unneeded items become blank lines, so that places in a model stay what they are in its file. See
//! `library/README.md` for how models are written.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use cfront::hir::Unit;
use cfront::{Failure, Input};

use crate::items::{defined_name, is_identifier, split, words};
use crate::names::{self, Kind};
use crate::options::Files;
use crate::variants::{DOUBLE, FLOAT, LONG_DOUBLE, aliases, for_bytes, for_wide_characters, with_aliases};

/// Models appear in messages under this folder.
pub const FOLDER: &str = "<library>/";

/// What is made from a text that serves several types.
type Made = fn(&str) -> String;

/// A file of models: its name, its text, and how it is made from that text where the text serves several types.
const FILES: [(&str, &str, Option<Made>); 34] = [
    ("complex.c", include_str!("../library/complex.c"), None),
    ("complex_quotient.c", include_str!("../library/complex_quotient.c"), Some(|text| DOUBLE.made_from(text))),
    ("complex_quotientf.c", include_str!("../library/complex_quotient.c"), Some(|text| FLOAT.made_from(text))),
    ("complex_quotientl.c", include_str!("../library/complex_quotient.c"), Some(|text| LONG_DOUBLE.made_from(text))),
    ("ctype.c", include_str!("../library/ctype.c"), None),
    ("environment.c", include_str!("../library/environment.c"), None),
    ("errno.c", include_str!("../library/errno.c"), None),
    ("exit.c", include_str!("../library/exit.c"), None),
    ("fenv.c", include_str!("../library/fenv.c"), None),
    (FILE, include_str!("../library/file.c"), None),
    ("format.c", include_str!("../library/format.c"), None),
    ("math.c", include_str!("../library/math.c"), Some(|text| DOUBLE.made_from(text))),
    ("mathf.c", include_str!("../library/math.c"), Some(|text| FLOAT.made_from(text))),
    ("mathl.c", include_str!("../library/math.c"), Some(|text| LONG_DOUBLE.made_from(text))),
    ("math_bits.c", include_str!("../library/math_bits.c"), Some(|text| DOUBLE.made_from(text))),
    ("math_bitsf.c", include_str!("../library/math_bits.c"), Some(|text| FLOAT.made_from(text))),
    ("math_long.c", include_str!("../library/math_long.c"), None),
    (MEMORY, include_str!("../library/memory_stream.c"), None),
    ("messages.c", include_str!("../library/messages.c"), None),
    ("options.c", include_str!("../library/options.c"), None),
    ("pthread.c", include_str!("../library/pthread.c"), None),
    ("ready.c", include_str!("../library/ready.c"), None),
    ("scan.c", include_str!("../library/scan.c"), None),
    ("signal.c", include_str!("../library/signal.c"), None),
    ("stdio.c", include_str!("../library/stdio.c"), None),
    ("stdlib.c", include_str!("../library/stdlib.c"), None),
    ("stream.c", include_str!("../library/stream.c"), None),
    ("terminator.c", include_str!("../library/terminator.c"), None),
    ("string.c", include_str!("../library/string.c"), None),
    ("strings.c", include_str!("../library/strings.c"), Some(for_bytes)),
    ("wide_strings.c", include_str!("../library/strings.c"), Some(for_wide_characters)),
    ("time.c", include_str!("../library/time.c"), None),
    ("unistd.c", include_str!("../library/unistd.c"), None),
    ("wchar.c", include_str!("../library/wchar.c"), None),
];

/// The two files that define what is done with streams that are not inputs; a program has at most one of them.
const FILE: &str = "file.c";
const MEMORY: &str = "memory_stream.c";

/// Lines of models that end so are for programs only that open streams in memory, have files of their own, or push characters
/// back: the others would pay for them.
const MEMORY_STREAM: &str = "/* memory stream */";
const OWN_FILE: &str = "/* own file */";
const PUSHED_BACK: &str = "/* pushed back */";

/// The files, cut into items: once for each run.
static LIBRARY: LazyLock<Vec<File<'static>>> = LazyLock::new(|| {
    static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| texts(&[FILE], &[MEMORY_STREAM, OWN_FILE, PUSHED_BACK]));
    TEXTS.iter().map(|text| File::read(text)).collect()
});

/// The same with characters that are pushed back into streams.
static WITH_PUSHED_BACK: LazyLock<Vec<File<'static>>> = LazyLock::new(|| {
    static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| texts(&[FILE], &[MEMORY_STREAM, OWN_FILE]));
    TEXTS.iter().map(|text| File::read(text)).collect()
});

/// The same with streams in memory.
static WITH_MEMORY_STREAMS: LazyLock<Vec<File<'static>>> = LazyLock::new(|| {
    static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| texts(&[FILE], &[OWN_FILE, PUSHED_BACK]));
    TEXTS.iter().map(|text| File::read(text)).collect()
});

/// With files that a program has made itself.
static WITH_OWN_FILES: LazyLock<Vec<File<'static>>> = LazyLock::new(|| {
    static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| texts(&[MEMORY], &[]));
    TEXTS.iter().map(|text| File::read(text)).collect()
});

/// The texts, each for its type, where some files are empty, and lines with some marks blank.
fn texts(left_out: &[&str], blank: &[&str]) -> Vec<String> {
    let kept = |line: &str| !blank.iter().any(|mark| line.trim_end().ends_with(mark));
    let lines =
        |text: &str| text.split('\n').map(|line| if kept(line) { line } else { "" }).collect::<Vec<_>>().join("\n");
    let text = |(name, text, made): &(&str, &str, Option<Made>)| match made {
        _ if left_out.contains(name) => String::new(),
        Some(made) => made(&with_aliases(text)),
        None => with_aliases(&lines(text)),
    };
    FILES.iter().map(text).collect()
}

/// A file to add to the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    pub name: String,
    pub text: String,
}

/// Loads a program, with the library's part for what it uses but does not define.
pub fn load(inputs: &[Input], options: &cfront::Options, entry: &str) -> Result<Unit, Failure> {
    load_with_files(inputs, options, entry, Files::Inputs)
}

/// The same for a program whose files are what the options say.
pub fn load_with_files(
    inputs: &[Input],
    options: &cfront::Options,
    entry: &str,
    files: Files,
) -> Result<Unit, Failure> {
    let input = |model: Model| Input::Text { name: model.name, text: model.text };
    let models = |unit: &Unit| needed(unit, entry, files).into_iter().map(input).collect();
    let mut unit = cfront::load_with(inputs, options, models)?;
    crate::environment::add_functions(&mut unit, entry);
    Ok(unit)
}

/// The library's part for the functions and variables that the program, started at `entry`, uses but does not define.
/// Empty: nothing is missing, or nothing of it is in the library.
pub fn needed(unit: &Unit, entry: &str, files: Files) -> Vec<Model> {
    let Some(root) = unit.func(entry) else { return Vec::new() };
    let reach = crate::reach::Reach::from(unit, &crate::reach::roots(unit, root), None, true);
    let mut names: Vec<&str> = reach.undefined(unit);
    names.extend(reach.undefined_vars(unit));
    // Printing a string checks it.
    if names.contains(&"printf") || names.contains(&"fprintf") {
        names.extend(["strlen", "strnlen", "vprintf"]);
    }
    // Contracts check the strings that they are given.
    if names.iter().any(|name| matches!(names::kind(name), Some(Kind::Any(contract)) if !contract.strings.is_empty())) {
        names.push("strlen");
    }
    let defined: BTreeSet<&str> = unit
        .funcs
        .values()
        .filter(|f| f.body.is_some() && !f.internal)
        .map(|f| f.name.as_str())
        .chain(unit.vars.values().filter(|v| v.defined && v.func.is_none()).map(|v| v.name.as_str()))
        .collect();
    let formats = crate::formats::functions(unit);
    names.extend(formats.iter().flat_map(|text| words(text)).filter(|word| word.starts_with("__foldback_")));
    let mut models = pick(&names, &defined, files);
    models.extend(formats.map(|text| Model { name: format!("{FOLDER}formats.c"), text }));
    models
}

/// The items that define `names`, and what they need in turn; nothing that is `defined` elsewhere.
pub fn pick(names: &[&str], defined: &BTreeSet<&str>, files: Files) -> Vec<Model> {
    const OPENS: [&str; 3] = ["fopen", "fopen64", "tmpfile"];
    let opens = names.iter().any(|name| OPENS.contains(name));
    let files: &[File<'_>] = match files {
        _ if names.contains(&"fmemopen") => &WITH_MEMORY_STREAMS,
        Files::Own if opens => &WITH_OWN_FILES,
        _ if names.contains(&"ungetc") => &WITH_PUSHED_BACK,
        _ => &LIBRARY,
    };
    let mut picked: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); files.len()];
    let mut wanted: Vec<(Option<usize>, &str)> = names.iter().map(|n| (None, *n)).collect();
    let mut seen: BTreeSet<(Option<usize>, &str)> = BTreeSet::new();
    while let Some((from, name)) = wanted.pop() {
        if !seen.insert((from, name)) {
            continue;
        }
        if let Some(f) = from {
            // Declarations of the same file; a definition only where the program has none.
            for &item in files[f].by_name.get(name).into_iter().flatten() {
                let is_public_definition = files[f].items[item].defines_publicly;
                if (!is_public_definition || !defined.contains(name)) && picked[f].insert(item) {
                    wanted.extend(files[f].mentions(item).map(|n| (Some(f), n)));
                }
            }
        }
        if defined.contains(name) {
            continue;
        }
        for (f, file) in files.iter().enumerate() {
            for &item in file.by_name.get(name).into_iter().flatten() {
                if file.items[item].defines_publicly && picked[f].insert(item) {
                    wanted.extend(file.mentions(item).map(|n| (Some(f), n)));
                }
            }
        }
    }
    let mut models = Vec::new();
    for (f, items) in picked.iter().enumerate().filter(|(_, items)| !items.is_empty()) {
        models.push(Model { name: format!("{FOLDER}{}", FILES[f].0), text: files[f].only(items) });
    }
    models
}

/// Whether what `name` gives is anything in the automaton, but something definite when the program runs: a function that is
/// modelled or has a contract, or an instruction.
pub fn is_approximated(name: &str) -> bool {
    let is_fixed = || matches!(names::kind(name), Some(Kind::Any(contract)) if contract.fixed);
    [crate::asm::ASSEMBLER, crate::model::FORMATTING, crate::UNDEFINED].contains(&name) || is_model(name) || is_fixed()
}

/// Whether a harness may define the function to give its inputs: the C library's functions do more than that, but for those
/// whose result is their input.
pub fn is_given(name: &str) -> bool {
    !name.starts_with("__foldback_") && matches!(names::kind(name), None | Some(Kind::Input))
}

/// The function that the model of `name` was written for: `fgetc` for `getc`.
pub(crate) fn model_of(name: &str) -> &str {
    static TARGETS: LazyLock<BTreeMap<&str, &str>> =
        LazyLock::new(|| FILES.iter().flat_map(|(_, text, _)| aliases(text)).collect());
    TARGETS.get(name).copied().unwrap_or(name)
}

/// Whether there is a model that defines `name`.
pub fn is_model(name: &str) -> bool {
    LIBRARY
        .iter()
        .any(|file| file.by_name.get(name).into_iter().flatten().any(|item| file.items[*item].defines_publicly))
}

/// The functions and variables that the models define for programs, in order of files.
pub fn public_names() -> impl Iterator<Item = &'static str> {
    let files: &'static [File<'static>] = &LIBRARY;
    files.iter().flat_map(|file| {
        let public = |items: &[usize]| items.iter().any(|item| file.items[*item].defines_publicly);
        file.by_name.iter().filter(move |(_, items)| public(items)).map(|(name, _)| *name)
    })
}

/// One file of models, cut into its top-level items.
struct File<'t> {
    text: &'t str,
    items: Vec<Item>,
    by_name: BTreeMap<&'t str, Vec<usize>>,
}

struct Item {
    range: std::ops::Range<usize>,
    /// A function with a body, or a variable that is not `extern`; not `static`.
    defines_publicly: bool,
}

impl<'t> File<'t> {
    fn read(text: &'t str) -> File<'t> {
        let mut file = File { text, items: Vec::new(), by_name: BTreeMap::new() };
        for range in split(text) {
            let item = &text[range.clone()];
            let Some((name, defines)) = defined_name(item) else { continue };
            let is_public = words(item).next() != Some("static");
            file.by_name.entry(name).or_default().push(file.items.len());
            file.items.push(Item { range, defines_publicly: defines && is_public });
        }
        file
    }

    /// The names in an item.
    fn mentions(&self, item: usize) -> impl Iterator<Item = &'t str> + use<'t> {
        words(&self.text[self.items[item].range.clone()]).filter(|w| is_identifier(w))
    }

    /// The text with all other items blanked out.
    fn only(&self, keep: &BTreeSet<usize>) -> String {
        let mut bytes: Vec<u8> = self.text.bytes().map(|b| if b == b'\n' { b } else { b' ' }).collect();
        for &item in keep {
            let range = self.items[item].range.clone();
            bytes[range.clone()].copy_from_slice(&self.text.as_bytes()[range]);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
