//! What crosses from one process to another: facts, events and verdicts as lines of JSON.
//!
//! Formulas and values are SMT-LIB text over the program's variables, so the reader needs nothing of the writer's store.
//! A line that cannot be read is an error, never a guess.

use crate::board::{Fact, FactKind};
use crate::cx::Event;
use crate::verdict::{Verdict, Why};
use base::Id;
use cfa::evidence::{Danger, DeepTrace, Evidence, Explored, Proof, Repeat, Trace};
use cfa::{Edge, Loc, Var};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use term::{Store, Term, Value};

/// One line.
#[derive(Debug)]
pub enum Message {
    Fact(Fact),
    Event(Event),
    /// The last line of an engine.
    Verdict(Verdict),
}

/// Why a line could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable(pub String);

#[derive(Serialize, Deserialize)]
enum Line {
    Invariant {
        author: String,
        automaton: u64,
        at: usize,
        formula: String,
    },
    Candidate {
        author: String,
        automaton: u64,
        at: usize,
        formula: String,
    },
    NoErrorWithin {
        author: String,
        automaton: u64,
        bound: u64,
    },
    Bound(u64),
    Note(String),
    Detail(String),
    Folding(String),
    Limit(Why),
    Invariants {
        at: Vec<(usize, String)>,
        k: u32,
    },
    Exhausted {
        bound: u64,
        explored: u64,
    },
    Explored {
        paths: u64,
        repeats: Vec<usize>,
        decisions: String,
    },
    Trace(TraceLine),
    /// Repetitions as `(from, len, times)`.
    Deep {
        trace: TraceLine,
        repeats: Vec<(usize, usize, u64)>,
        steps: u64,
    },
    Danger(DangerLine),
    Endless(DangerLine),
    /// Of termination: only invariants and rankings are used.
    Ranking(DangerLine),
    Unknown(Why),
}

#[derive(Serialize, Deserialize)]
struct TraceLine {
    target: usize,
    inputs: Vec<(usize, Vec<String>)>,
    initial: Vec<(usize, String)>,
}

#[derive(Serialize, Deserialize)]
struct DangerLine {
    initial: Vec<(usize, String)>,
    invariant: Vec<(usize, String)>,
    ranking: Vec<(usize, Vec<String>)>,
    choice: Vec<(usize, Vec<String>)>,
}

/// The message as one line without its end. The terms of a verdict are in `terms`.
pub fn write(message: &Message, terms: &mut Store) -> String {
    let line = match message {
        Message::Fact(fact) => fact_line(fact),
        Message::Event(Event::Bound(bound)) => Line::Bound(*bound),
        Message::Event(Event::Note(note)) => Line::Note(note.clone()),
        Message::Event(Event::Detail(detail)) => Line::Detail(detail.clone()),
        Message::Event(Event::Folding(lines)) => Line::Folding(lines.clone()),
        Message::Event(Event::Limit(why)) => Line::Limit(why.clone()),
        Message::Verdict(verdict) => verdict_line(verdict, terms),
    };
    serde_json::to_string(&line).expect("lines have string keys only")
}

/// The message of a line. The terms of a verdict are made in `terms`.
pub fn read(line: &str, terms: &mut Store) -> Result<Message, Unreadable> {
    let line: Line = serde_json::from_str(line).map_err(|e| Unreadable(e.to_string()))?;
    let fact = |author, automaton, kind| Message::Fact(Fact { author, automaton, kind });
    Ok(match line {
        Line::Invariant { author, automaton, at, formula } => {
            fact(author, automaton, FactKind::Invariant { at: Loc::new(at), formula })
        }
        Line::Candidate { author, automaton, at, formula } => {
            fact(author, automaton, FactKind::Candidate { at: Loc::new(at), formula })
        }
        Line::NoErrorWithin { author, automaton, bound } => fact(author, automaton, FactKind::NoErrorWithin { bound }),
        Line::Bound(bound) => Message::Event(Event::Bound(bound)),
        Line::Note(note) => Message::Event(Event::Note(note)),
        Line::Detail(detail) => Message::Event(Event::Detail(detail)),
        Line::Folding(lines) => Message::Event(Event::Folding(lines)),
        Line::Limit(why) => Message::Event(Event::Limit(why)),
        Line::Invariants { at, k } => {
            let at = at.into_iter().map(|(loc, text)| Ok((Loc::new(loc), formula(terms, &text)?)));
            Message::Verdict(Verdict::Safe(Proof::Invariants { at: at.collect::<Result<_, Unreadable>>()?, k }))
        }
        Line::Exhausted { bound, explored } => Message::Verdict(Verdict::Safe(Proof::Exhausted { bound, explored })),
        Line::Explored { paths, repeats, decisions } => {
            let repeats = repeats.into_iter().map(Loc::new).collect();
            Message::Verdict(Verdict::Safe(Proof::Explored(Explored { paths, repeats, decisions })))
        }
        Line::Trace(trace) => Message::Verdict(Verdict::Unsafe(Evidence::Trace(read_trace(trace, terms)?))),
        Line::Deep { trace, repeats, steps } => {
            let trace = read_trace(trace, terms)?;
            let repeats = repeats.into_iter().map(|(from, len, times)| Repeat { from, len, times }).collect();
            Message::Verdict(Verdict::Unsafe(Evidence::Deep(DeepTrace { trace, repeats, steps })))
        }
        Line::Danger(danger) => Message::Verdict(Verdict::Unsafe(Evidence::Danger(read_danger(danger, terms)?))),
        Line::Endless(danger) => Message::Verdict(Verdict::Unsafe(Evidence::Endless(read_danger(danger, terms)?))),
        Line::Ranking(line) => {
            let Danger { invariant: at, ranking, .. } = read_danger(line, terms)?;
            Message::Verdict(Verdict::Safe(Proof::Ranking { at, ranking }))
        }
        Line::Unknown(why) => Message::Verdict(Verdict::Unknown(why)),
    })
}

fn fact_line(fact: &Fact) -> Line {
    let Fact { author, automaton, kind } = fact.clone();
    match kind {
        FactKind::Invariant { at, formula } => Line::Invariant { author, automaton, at: at.index(), formula },
        FactKind::Candidate { at, formula } => Line::Candidate { author, automaton, at: at.index(), formula },
        FactKind::NoErrorWithin { bound } => Line::NoErrorWithin { author, automaton, bound },
    }
}

fn verdict_line(verdict: &Verdict, terms: &mut Store) -> Line {
    match verdict {
        Verdict::Safe(Proof::Invariants { at, k }) => {
            Line::Invariants { at: at.iter().map(|(loc, t)| (loc.index(), text(terms, *t))).collect(), k: *k }
        }
        Verdict::Safe(Proof::Exhausted { bound, explored }) => Line::Exhausted { bound: *bound, explored: *explored },
        Verdict::Safe(Proof::Explored(Explored { paths, repeats, decisions })) => Line::Explored {
            paths: *paths,
            repeats: repeats.iter().map(|head| head.index()).collect(),
            decisions: decisions.clone(),
        },
        Verdict::Unsafe(Evidence::Trace(trace)) => Line::Trace(trace_line(trace, terms)),
        Verdict::Unsafe(Evidence::Deep(DeepTrace { trace, repeats, steps })) => Line::Deep {
            trace: trace_line(trace, terms),
            repeats: repeats.iter().map(|r| (r.from, r.len, r.times)).collect(),
            steps: *steps,
        },
        Verdict::Safe(Proof::Ranking { at, ranking }) => {
            let danger = Danger { invariant: at.clone(), ranking: ranking.clone(), ..Danger::default() };
            Line::Ranking(danger_line(&danger, terms))
        }
        Verdict::Unsafe(Evidence::Danger(danger)) => Line::Danger(danger_line(danger, terms)),
        Verdict::Unsafe(Evidence::Endless(danger)) => Line::Endless(danger_line(danger, terms)),
        Verdict::Unknown(why) => Line::Unknown(why.clone()),
    }
}

fn trace_line(trace: &Trace, terms: &mut Store) -> TraceLine {
    let mut written = |value: &Value| value_text(terms, value);
    TraceLine {
        target: trace.target.index(),
        inputs: trace
            .inputs
            .iter()
            .map(|(edge, values)| (edge.index(), values.iter().map(&mut written).collect()))
            .collect(),
        initial: trace.initial.iter().map(|(var, value)| (var.index(), written(value))).collect(),
    }
}

fn danger_line(danger: &Danger, terms: &mut Store) -> DangerLine {
    let initial = danger.initial.iter().map(|(var, value)| (var.index(), value_text(terms, value))).collect();
    let texts = |ts: &Vec<Term>| ts.iter().map(|t| text(terms, *t)).collect();
    DangerLine {
        initial,
        invariant: danger.invariant.iter().map(|(loc, t)| (loc.index(), text(terms, *t))).collect(),
        ranking: danger.ranking.iter().map(|(loc, ts)| (loc.index(), texts(ts))).collect(),
        choice: danger.choice.iter().map(|(edge, ts)| (edge.index(), texts(ts))).collect(),
    }
}

fn read_trace(line: TraceLine, terms: &mut Store) -> Result<Trace, Unreadable> {
    let mut inputs = Vec::with_capacity(line.inputs.len());
    for (edge, texts) in line.inputs {
        let values = texts.iter().map(|text| value(terms, text)).collect::<Result<_, _>>()?;
        inputs.push((Edge::new(edge), values));
    }
    Ok(Trace { target: Loc::new(line.target), inputs, initial: read_values(line.initial, terms)? })
}

fn read_danger(line: DangerLine, terms: &mut Store) -> Result<Danger, Unreadable> {
    let initial = read_values(line.initial, terms)?;
    let mut invariant = BTreeMap::new();
    for (loc, text) in line.invariant {
        invariant.insert(Loc::new(loc), formula(terms, &text)?);
    }
    let mut all = |texts: Vec<String>| texts.iter().map(|t| formula(terms, t)).collect::<Result<Vec<Term>, _>>();
    let mut ranking = BTreeMap::new();
    for (loc, texts) in line.ranking {
        ranking.insert(Loc::new(loc), all(texts)?);
    }
    let mut choice = BTreeMap::new();
    for (edge, texts) in line.choice {
        choice.insert(Edge::new(edge), all(texts)?);
    }
    Ok(Danger { initial, invariant, ranking, choice })
}

fn read_values(line: Vec<(usize, String)>, terms: &mut Store) -> Result<BTreeMap<Var, Value>, Unreadable> {
    line.into_iter().map(|(var, text)| Ok((Var::new(var), value(terms, &text)?))).collect()
}

fn text(terms: &Store, t: Term) -> String {
    term::smtlib::print_term(terms, t)
}

fn formula(terms: &mut Store, text: &str) -> Result<Term, Unreadable> {
    term::smtlib::parse_term(terms, text).map_err(|e| Unreadable(format!("{e}: {text}")))
}

fn value_text(terms: &mut Store, value: &Value) -> String {
    let t = terms.value(value);
    text(terms, t)
}

fn value(terms: &mut Store, text: &str) -> Result<Value, Unreadable> {
    let t = formula(terms, text)?;
    term::eval::eval(terms, t, &()).map_err(|e| Unreadable(format!("{e:?}: {text}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::{Bits, Sort};

    fn round_trip(message: &Message, terms: &mut Store) -> Message {
        let line = write(message, terms);
        assert!(!line.contains('\n'));
        read(&line, terms).expect("readable")
    }

    #[test]
    fn verdicts_survive_the_way() {
        let mut terms = Store::new();
        let x = terms.var("main::x y", Sort::Bv(32));
        let ten = terms.bv(10, 32);
        let bound = terms.slt(x, ten);
        let proof = Proof::Invariants { at: BTreeMap::from([(Loc::new(3), bound)]), k: 2 };
        match round_trip(&Message::Verdict(Verdict::Safe(proof.clone())), &mut terms) {
            Message::Verdict(Verdict::Safe(read)) => assert_eq!(read, proof),
            other => panic!("{other:?}"),
        }
        let explored = Explored { paths: 3, repeats: vec![Loc::new(4)], decisions: "31s<7 2>!".into() };
        let proof = Proof::Explored(explored);
        match round_trip(&Message::Verdict(Verdict::Safe(proof.clone())), &mut terms) {
            Message::Verdict(Verdict::Safe(read)) => assert_eq!(read, proof),
            other => panic!("{other:?}"),
        }
        let values = vec![Value::Bv(Bits::new(7, 32)), Value::zero(Sort::Bool)];
        let trace = Trace {
            target: Loc::new(9),
            inputs: vec![(Edge::new(1), values)],
            initial: BTreeMap::from([(Var::new(2), Value::Bool(true))]),
        };
        match round_trip(&Message::Verdict(Verdict::Unsafe(Evidence::Trace(trace.clone()))), &mut terms) {
            Message::Verdict(Verdict::Unsafe(Evidence::Trace(read))) => assert_eq!(read, trace),
            other => panic!("{other:?}"),
        }
        let repeats = vec![Repeat { from: 0, len: 1, times: 1_000_000_000 }];
        let deep = DeepTrace { trace, repeats, steps: 4_000_000_000 };
        match round_trip(&Message::Verdict(Verdict::Unsafe(Evidence::Deep(deep.clone()))), &mut terms) {
            Message::Verdict(Verdict::Unsafe(Evidence::Deep(read))) => assert_eq!(read, deep),
            other => panic!("{other:?}"),
        }
        let why = Why::GaveUp("a \"quoted\"\nreason".into());
        match round_trip(&Message::Verdict(Verdict::Unknown(why.clone())), &mut terms) {
            Message::Verdict(Verdict::Unknown(read)) => assert_eq!(read, why),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn facts_survive_and_garbage_is_refused() {
        let mut terms = Store::new();
        let fact = Fact {
            author: "kind".into(),
            automaton: u64::MAX,
            kind: FactKind::Invariant { at: Loc::new(1), formula: "(= x x)".into() },
        };
        match round_trip(&Message::Fact(fact.clone()), &mut terms) {
            Message::Fact(read) => assert_eq!(read, fact),
            other => panic!("{other:?}"),
        }
        assert!(read("{\"Invariants\":{\"at\":[[0,\"(oops\"]],\"k\":1}}", &mut terms).is_err());
        assert!(read("", &mut terms).is_err());
    }
}
