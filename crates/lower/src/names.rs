//! The names of ISO C, POSIX and glibc, and what a call of each means: `library/names.txt`, read once.
//!
//! A name of the table that the program does not define is the C library's. It is never an unknown function that may do
//! anything, and never an input: what has neither a model nor a contract is unsupported where it is used.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

const TEXT: &str = include_str!("../library/names.txt");

static NAMES: LazyLock<BTreeMap<&'static str, Kind>> =
    LazyLock::new(|| entries(TEXT).filter(|(_, kind)| *kind != Kind::Macro).collect());

static MACROS: LazyLock<BTreeSet<&'static str>> =
    LazyLock::new(|| entries(TEXT).filter(|(_, kind)| *kind == Kind::Macro).map(|(name, _)| name).collect());

/// What the library's function or variable is here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A body under `library/` that computes what glibc does.
    Exact,
    /// A body whose result depends on the arguments alone, but is left open: any value within known facts.
    Open,
    /// A body that takes one input a call, which is its result: a harness can define the function.
    Input,
    /// A body that gives any behaviour that the environment may show.
    Environment,
    /// Known to the lowering itself.
    Lowered,
    /// Any result within a contract.
    Any(Contract),
    /// A variable with the value that the library gives it at the start.
    Variable,
    /// A call, or an access of the variable, is not modelled.
    Unsupported,
    /// No function at all (see [`is_macro`]).
    Macro,
}

/// What a function may return and do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contract {
    /// What is asked for does not change: the machine's library knows it, and a run must agree with it.
    pub fixed: bool,
    /// One of these ranges; none: nothing, or any value of the type.
    pub results: Vec<Range>,
    /// Arguments that are strings to be read, counted from 0.
    pub strings: Vec<usize>,
    /// Arguments that point at something to be filled, unless they are null.
    pub writes: Vec<usize>,
    /// Arguments that are descriptors: it fails if one is negative.
    pub descriptors: Vec<usize>,
}

/// Results from `least` to `most`; errno is set to something with them, or stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub least: Option<i64>,
    pub most: Option<i64>,
    pub fails: bool,
}

/// What the library's `name` is; `None`: it is no name of the library's.
pub fn kind(name: &str) -> Option<&'static Kind> {
    NAMES.get(name)
}

/// Whether some header of the system has a macro of this name, which takes arguments. Who calls one without declaring it has
/// not included that header, or ours lacks it: it is no function that may do anything.
pub fn is_macro(name: &str) -> bool {
    MACROS.contains(name)
}

/// All names with their kinds, in order.
pub fn all() -> impl Iterator<Item = (&'static str, &'static Kind)> {
    NAMES.iter().map(|(name, kind)| (*name, kind))
}

/// The table's lines: `kind: name name ...`, going on in lines that are indented; `#` begins a comment.
fn entries(text: &'static str) -> impl Iterator<Item = (&'static str, Kind)> {
    let mut kind = Kind::Unsupported;
    text.lines().flat_map(move |line| {
        let line = line.split('#').next().unwrap_or_default();
        let names = match line.split_once(':') {
            Some((head, names)) => {
                kind = read_kind(head.trim());
                names
            }
            None => line,
        };
        let kind = kind.clone();
        names.split_whitespace().map(move |name| (name, kind.clone()))
    })
}

fn read_kind(head: &str) -> Kind {
    match head {
        "exact" => Kind::Exact,
        "open" => Kind::Open,
        "input" => Kind::Input,
        "environment" => Kind::Environment,
        "lowered" => Kind::Lowered,
        "variable" => Kind::Variable,
        "unsupported" => Kind::Unsupported,
        "macro" => Kind::Macro,
        _ => match head.strip_prefix("any") {
            Some(contract) => Kind::Any(read_contract(contract)),
            None => panic!("names.txt: no kind is called '{head}'"),
        },
    }
}

/// `fixed RANGE | RANGE, strings N N, writes N, descriptors N`: a range is `5`, `0..`, `0..9`, with `!` where errno is set.
fn read_contract(text: &str) -> Contract {
    let (fixed, text) = match text.trim().strip_prefix("fixed") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut contract = Contract { fixed, ..Contract::default() };
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let positions =
        |text: &str| text.split_whitespace().filter_map(|n| n.parse::<usize>().ok()?.checked_sub(1)).collect();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        if let Some(list) = part.strip_prefix("strings") {
            contract.strings = positions(list);
        } else if let Some(list) = part.strip_prefix("writes") {
            contract.writes = positions(list);
        } else if let Some(list) = part.strip_prefix("descriptors") {
            contract.descriptors = positions(list);
        } else {
            contract.results = part
                .split('|')
                .map(|range| {
                    let (range, fails) = match range.trim().strip_suffix('!') {
                        Some(range) => (range, true),
                        None => (range.trim(), false),
                    };
                    match range.split_once("..") {
                        Some((least, most)) => Range { least: number(least), most: number(most), fails },
                        None => Range { least: number(range), most: number(range), fails },
                    }
                })
                .collect();
        }
    }
    contract
}
