//! What rests on where objects lie is known by its kind, not by its words.

use cfa::{Lacks, LocKind, Program};
use cfront::types::DataModel;
use std::borrow::Cow;
use transform::memory::SeenParts;
use transform::pipeline::{Settings, prepare};
use transform::{Aim, memory};
use validate::places::{Rests, are_open, rests};

const LOOKS: &str = "extern void reach_error(void);
    int x; int main(void) { int *p = &x; unsigned char *parts = (unsigned char *)&p; if (parts[1] == 3) reach_error(); }";

/// The program as it was written, and flat.
fn programs(text: &str, parts: SeenParts) -> (Program, Program) {
    let unit =
        cfront::load_text(text, &cfront::Options::new(DataModel::Lp64)).unwrap_or_else(|f| panic!("{}", f.render()));
    let lowered = lower::lower(&unit, &lower::Options::default()).expect("a program");
    let usual = Settings::new(Aim::Targets);
    let memory = memory::Settings { parts, ..usual.memory };
    let flat = prepare(&lowered, &Settings { memory, ..usual }).flat;
    (lowered, flat)
}

fn changed(flat: &Program, change: impl Fn(&mut cfa::Unmodelled)) -> Program {
    let mut flat = flat.clone();
    let entry = flat.entry;
    for location in flat.functions[entry].locs.values_mut() {
        if let LocKind::Unsupported(what) = &mut location.kind {
            change(what);
        }
    }
    flat
}

#[test]
fn executions_that_look_at_addresses_are_known_by_what_the_model_lacks() {
    let (lowered, flat) = programs(LOOKS, SeenParts::Unsupported);
    assert!(are_open(&lowered, &flat));
    let other_words = changed(&flat, |what| what.what = Cow::Borrowed("something else"));
    assert!(are_open(&lowered, &other_words));
    let other_kind = changed(&flat, |what| what.lacks = Lacks::Other);
    assert!(!are_open(&lowered, &other_kind));
    let read_back = cfa::parse(&cfa::print(&flat)).expect("its own text");
    let kinds = |program: &Program| {
        let ends = program.main().locs.values().filter_map(|location| match &location.kind {
            LocKind::Unsupported(what) => Some(what.clone()),
            _ => None,
        });
        ends.collect::<Vec<_>>()
    };
    assert!(kinds(&flat).iter().any(|what| what.lacks == Lacks::AddressParts));
    assert_eq!(kinds(&read_back), kinds(&flat));
}

const COMPARES: &str = "extern void reach_error(void); extern void *malloc(unsigned long); extern void free(void *);
    int main(void) { int *p = malloc(4); free(p); int *q = malloc(4); if (p == q) reach_error(); }";

#[test]
fn what_nobody_has_run_rests_on_all_that_a_run_may_pass() {
    let (lowered, flat) = programs(COMPARES, SeenParts::Anything);
    assert_eq!(rests(&lowered, &flat, None), Some(Rests::OnOrder));
    let other_kind = changed(&flat, |what| what.lacks = Lacks::Other);
    assert_eq!(rests(&lowered, &other_kind, None), None);
    let (lowered, flat) = programs(LOOKS, SeenParts::Unsupported);
    assert_eq!(rests(&lowered, &flat, None), Some(Rests::OnParts));
}
