//! Correctness witnesses: loop invariants as C expressions.

use crate::Task;
use crate::contract::WrittenContract;
use crate::extension::{self, Extension};
use crate::files::{InputFile, Place, place};
use crate::metadata::{entry, location};
use crate::ranking::transition_invariants;
use crate::read::Location;
use crate::scope::is_nameable;
use crate::yaml::quoted;
use base::Span;
use cfa::{Loc, Program};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use term::cprint::{CName, NameOf, print_c};
use term::{Store, Term};

/// The invariants of one loop of the source.
pub(crate) struct LoopFacts {
    pub(crate) function: String,
    /// For each activation that was inlined, its conjuncts: the loop's head is in one of them.
    instances: Vec<Vec<String>>,
    /// An activation of which nothing can be said.
    open: bool,
}

impl LoopFacts {
    /// What holds in whatever activation, as conjuncts; nothing where one is open.
    pub(crate) fn conjuncts(&self) -> Option<Vec<String>> {
        match &self.instances[..] {
            _ if self.open => None,
            [one] => Some(one.clone()),
            many => {
                // An unreachable activation adds nothing, unless there is no other.
                let all: Vec<String> = many.iter().map(|conjuncts| conjunction(conjuncts)).collect();
                let some: Vec<String> =
                    all.into_iter().filter(|text| text != "0").map(|text| format!("({text})")).collect();
                Some(vec![if some.is_empty() { "0".to_owned() } else { some.join(" || ") }])
            }
        }
    }
}

/// What is known at the loops of the files, by place; and whether some of it is left out, since C cannot say it there.
pub(crate) fn loop_facts(
    files: &[InputFile],
    flat: &Program,
    terms: &Store,
    given: &BTreeMap<Loc, Term>,
) -> (BTreeMap<Place, LoopFacts>, bool) {
    let mut loops: BTreeMap<Place, LoopFacts> = BTreeMap::new();
    let mut left_out = given.keys().any(|l| keyword(files, flat, *l).is_none());
    for (loc, location) in flat.main().locs.iter() {
        let Some((keyword, at)) = keyword(files, flat, loc) else { continue };
        let known = loops.entry(at).or_insert_with(|| LoopFacts {
            function: flat.frames[location.frame].function.clone(),
            instances: Vec::new(),
            open: false,
        });
        let Some(invariant) = given.get(&loc) else {
            known.open = true;
            continue;
        };
        let (conjuncts, complete) = conjuncts_in_c(flat, terms, loc, keyword, *invariant);
        left_out |= !complete;
        match conjuncts {
            none if none.is_empty() => known.open = true,
            conjuncts if known.instances.contains(&conjuncts) => {}
            conjuncts => known.instances.push(conjuncts),
        }
    }
    left_out |= loops.values().any(|known| known.open && !known.instances.is_empty());
    (loops, left_out)
}

/// Formulas by location.
pub type Facts = BTreeMap<Loc, Term>;
/// What decreases, by location.
pub type Rankings = BTreeMap<Loc, Vec<Term>>;

/// What a witness of correctness is made of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Proof<'a> {
    /// True whenever control is at their location of the flat program, in words that C knows there.
    pub invariants: Option<&'a Facts>,
    /// Decreases at its location (for termination).
    pub ranking: Option<&'a Rankings>,
    /// All that is known and what decreases, for the entry of our own.
    pub whole: Option<(&'a Facts, &'a Rankings)>,
    pub contracts: &'a [WrittenContract],
    /// Told in the description where there is more to the proof than invariants.
    pub remark: Option<&'a str>,
}

/// A witness of a proof about a flat program, whose terms live in `terms`.
pub fn correctness(task: &Task, flat: &Program, terms: &Store, proof: Proof<'_>) -> String {
    let (no_invariants, no_ranking) = (BTreeMap::new(), BTreeMap::new());
    let (loops, mut left_out) = loop_facts(&task.files, flat, terms, proof.invariants.unwrap_or(&no_invariants));
    let mut content = String::new();
    for (at, known) in loops {
        let Some(conjuncts) = known.conjuncts() else { continue };
        content += "    - invariant:\n        type: loop_invariant\n";
        content += &location(&at, true, &known.function, 8);
        let _ = writeln!(content, "        value: {}", quoted(&conjunction(&conjuncts)));
        content += "        format: c_expression\n";
    }
    for contract in proof.contracts {
        content += &contract.item();
        left_out |= contract.left_out;
    }
    let (transitions, some_left_out) = transition_invariants(task, flat, terms, proof.ranking.unwrap_or(&no_ranking));
    content += &transitions;
    left_out |= some_left_out;
    let content = if content.is_empty() { "  content: []\n".to_owned() } else { format!("  content:\n{content}") };
    let extension =
        proof.whole.filter(|_| left_out).and_then(|(known, ranking)| extended(task, flat, terms, known, ranking));
    let mut description: Vec<&str> = proof.remark.into_iter().collect();
    if left_out {
        description.push("facts without a C form at their loop are left out: the invariants may not suffice alone");
    }
    if extension.is_some() {
        description.push("the entry foldback_invariants has all of them");
    }
    let description = (!description.is_empty()).then(|| description.join("; "));
    entry(task, "invariant_set", description.as_deref(), &content) + &extension.unwrap_or_default()
}

/// Longer ones are of no use to anybody.
const MAX_EXTENSION: usize = 1 << 20;

/// The entry of our own: the invariants as they are.
fn extended(
    task: &Task,
    flat: &Program,
    terms: &Store,
    known: &BTreeMap<Loc, Term>,
    ranking: &BTreeMap<Loc, Vec<Term>>,
) -> Option<String> {
    let print = |t: &Term| term::smtlib::print_term(terms, *t);
    let mut items = Vec::new();
    for (head, location, activation) in heads(flat) {
        let known = known.get(&head).filter(|known| terms.as_bool_const(**known) != Some(true));
        let ranking: Vec<String> = ranking.get(&head).into_iter().flatten().map(print).collect();
        if known.is_some() || !ranking.is_empty() {
            let value = known.map_or_else(|| "true".to_owned(), print);
            items.push(Extension { location, activation, value, ranking });
        }
    }
    let text = extension::write(&items);
    (!items.is_empty() && text.len() <= MAX_EXTENSION).then(|| entry(task, extension::ENTRY, None, &text))
}

/// The heads of the loops of the flat program, each with its place and the number of those of the same place before it.
fn heads(flat: &Program) -> Vec<(Loc, Location, usize)> {
    let wto = flow::wto::Wto::new(flat.main());
    let mut heads: Vec<Loc> = wto.heads().collect();
    heads.sort();
    let mut met: BTreeMap<Location, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for head in heads {
        let info = &flat.main().locs[head];
        let span = info.loop_span.unwrap_or(info.span);
        let Some(file) = flat.sources.file(span.file).filter(|_| span.line > 0) else { continue };
        // The folder may be another one tomorrow.
        let file = file.name.rsplit('/').next().unwrap_or_default().to_owned();
        let function = Some(flat.frames[info.frame].function.clone());
        let location = Location { file, line: span.line, column: Some(span.col.max(1)), function };
        let number = met.entry(location.clone()).or_insert(0);
        found.push((head, location, *number));
        *number += 1;
    }
    found
}

/// The head of the flat program that an invariant of the entry of our own is about.
pub fn head_of(flat: &Program, stated: &Extension) -> Option<Loc> {
    let is_it = |(_, at, number): &(Loc, Location, usize)| *at == stated.location && *number == stated.activation;
    heads(flat).into_iter().find(is_it).map(|(head, _, _)| head)
}

/// The keyword of the loop that has its head at the location.
pub(crate) fn keyword(files: &[InputFile], flat: &Program, loc: Loc) -> Option<(Span, Place)> {
    let span = flat.main().locs[loc].loop_span?;
    let line = flat.sources.line(span)?;
    let rest: String = line.chars().skip(span.col.checked_sub(1)? as usize).take(5).collect();
    let is_word = |word: &str| {
        let after = rest.strip_prefix(word).map(|after| after.chars().next());
        after.is_some_and(|next| next.is_none_or(|c| !c.is_alphanumeric() && c != '_'))
    };
    if !["for", "while", "do"].iter().any(|word| is_word(word)) {
        return None;
    }
    Some((span, place(files, &flat.sources, span, span.line, span.col)?))
}

/// Those parts of the invariant that C can say there, and whether they are all of it.
pub(crate) fn in_c(flat: &Program, terms: &Store, loc: Loc, keyword: Span, invariant: Term) -> (Option<String>, bool) {
    let (texts, complete) = conjuncts_in_c(flat, terms, loc, keyword, invariant);
    ((!texts.is_empty()).then(|| conjunction(&texts)), complete)
}

/// Whether C can say it at the loop with that keyword.
pub(crate) fn sayable_at(flat: &Program, terms: &Store, loc: Loc, keyword: Span, conjunct: Term) -> bool {
    conjuncts_in_c(flat, terms, loc, keyword, conjunct).1
}

fn conjuncts_in_c(flat: &Program, terms: &Store, loc: Loc, keyword: Span, invariant: Term) -> (Vec<String>, bool) {
    let frame = flat.main().locs[loc].frame;
    let stale = &flat.main().locs[loc].stale;
    let names = |store: &Store, t: Term| {
        let var = flat.var_of(t).filter(|v| !stale.contains(v) && is_nameable(flat, *v, frame, keyword))?;
        let source = flat.source_of(var)?;
        Some(CName { text: source.name.clone(), signed: source.signed, width: store.sort(t).bv_width().unwrap_or(0) })
    };
    let parts = term::normal::conjuncts(terms, invariant);
    let texts: Vec<String> = parts.iter().filter_map(|part| said_in_c(flat, terms, *part, &names)).collect();
    let complete = texts.len() == parts.len();
    (texts, complete)
}

/// A term as C says it on the program's machine: where pointers have 32 bits, compilers have no `__int128`.
pub(crate) fn said_in_c(program: &Program, terms: &Store, t: Term, names: &dyn NameOf) -> Option<String> {
    let text = print_c(terms, t, names)?;
    (program.machine.pointer_bits() > 32 || !text.contains("__int128")).then_some(text)
}

pub(crate) fn conjunction(conjuncts: &[String]) -> String {
    match conjuncts {
        [one] => one.clone(),
        many => many.iter().map(|text| format!("({text})")).collect::<Vec<_>>().join(" && "),
    }
}
