//! What exactly was wrong with the memory access that a run ended at: which object, which part of it, where it came from.
//!
//! A check stands in front of what it checks: where it passes, the next operation on memory is the access. Evaluated where
//! the check fails, that operation tells the address; if nothing is wrong with it, nothing is said.

use crate::model::{Place, Related};
use crate::objects::{Objects, via};
use cfa::{Func, Function, Loc, LocKind, ObjectKind, Op, Program, Property, Shape, Var};
use interpreter::State;
use std::collections::BTreeSet;
use term::Term;
use validate::now::word;

pub(crate) struct Fault {
    /// Goes on where the access is named: "is out of bounds: index 8 of copy[8], one past its end".
    pub(crate) what: String,
    pub(crate) related: Vec<Related>,
    /// The object in question, and whether it is that it lives on that is wrong.
    pub(crate) object: Option<u64>,
    pub(crate) is_leak: bool,
    pub(crate) is_through_null: bool,
    /// The variable that holds the null pointer.
    pub(crate) null: Option<Var>,
    /// Another place than the check's to show it at, with its line and the calls that led there.
    pub(crate) place: Option<(Place, Option<String>, Vec<Place>)>,
}

impl Fault {
    fn new(what: impl Into<String>) -> Fault {
        Fault {
            what: what.into(),
            related: Vec::new(),
            object: None,
            is_leak: false,
            is_through_null: false,
            null: None,
            place: None,
        }
    }

    fn at(mut self, place: Option<Place>, text: &str) -> Fault {
        self.related.extend(place.map(|place| Related { place, text: text.to_owned() }));
        self
    }

    fn of(mut self, object: u64) -> Fault {
        self.object = Some(object);
        self
    }
}

/// What is wrong in a state at an error location.
pub(crate) fn fault(
    program: &Program,
    objects: &Objects<'_>,
    state: &State<'_>,
    func: Func,
    loc: Loc,
) -> Option<Fault> {
    let function = &program.functions[func];
    let LocKind::Error(violation) = &function.locs[loc].kind else { return None };
    let of = Access { program, objects, state };
    match violation.property {
        Property::ValidDeref => of.wrong(checked(function, loc)?),
        Property::ValidFree => match checked(function, loc)? {
            Op::Free { addr } => of.wrong_free(*addr),
            _ => None,
        },
        Property::ValidMemtrack => of.lost(true),
        Property::ValidMemcleanup => of.lost(false),
        _ => None,
    }
}

/// The operation on memory that a check stands before.
fn checked(function: &Function, error: Loc) -> Option<&Op> {
    let out = function.successors();
    let mut todo: Vec<Loc> = function.edges.values().filter(|e| e.to == error).map(|e| e.from).collect();
    let mut seen: BTreeSet<Loc> = todo.iter().copied().collect();
    let mut at = 0;
    while at < todo.len() && at < 8 {
        for edge in &out[todo[at]] {
            let info = &function.edges[*edge];
            match &info.op {
                Op::Load { .. } | Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. } | Op::Free { .. } => {
                    return Some(&info.op);
                }
                Op::Assume(_) if function.locs[info.to].kind == LocKind::Plain && seen.insert(info.to) => {
                    todo.push(info.to);
                }
                _ => {}
            }
        }
        at += 1;
    }
    None
}

struct Access<'a> {
    program: &'a Program,
    objects: &'a Objects<'a>,
    state: &'a State<'a>,
}

impl Access<'_> {
    fn wrong(&self, op: &Op) -> Option<Fault> {
        let word = |t: Term| word(self.program, self.state, t);
        match op {
            Op::Load { addr, bytes, .. } => self.wrong_range(*addr, u64::from(*bytes), "reads"),
            Op::Store { addr, bytes, .. } => self.wrong_range(*addr, u64::from(*bytes), "writes"),
            Op::Fill { dst, len, .. } => self.wrong_range(*dst, word(*len)?, "writes"),
            Op::Copy { dst, src, len } => {
                let len = word(*len)?;
                self.wrong_range(*dst, len, "writes").or_else(|| self.wrong_range(*src, len, "reads"))
            }
            _ => None,
        }
    }

    fn wrong_range(&self, address: Term, len: u64, verb: &str) -> Option<Fault> {
        let at = word(self.program, self.state, address)?;
        let via = via(self.program, self.state, address);
        if let Some(mut fault) = self.no_object(at) {
            if fault.is_through_null {
                fault.null = via.map(|(pointer, _)| pointer).or_else(|| only_variable(self.program, address));
            }
            return Some(fault);
        }
        let (number, offset) = self.objects.split(at);
        let object = self.objects.get(number)?;
        let end = i128::from(offset) + i128::from(len);
        if offset >= 0 && end <= i128::from(object.size) {
            return None;
        }
        // The first byte that is outside.
        let first = if offset < 0 { offset } else { offset.max(object.size as i64) };
        let past = |index: i64, count: i64| match index - count {
            0 => ", one past its end".to_owned(),
            more if more > 0 => format!(", {} past its end", more + 1),
            _ => ", before its start".to_owned(),
        };
        let born = self.objects.birth(object).filter(|_| object.kind == ObjectKind::Heap);
        let what = match self.objects.variable(object) {
            Some((name, Some(shape)))
                if let Shape::Array { stride, count, .. } = &**shape
                    && *stride > 0
                    && *count < u64::MAX =>
            {
                let index = first.div_euclid(*stride as i64);
                format!("index {index} of {name}[{count}]{}", past(index, *count as i64))
            }
            Some((name, _)) => {
                format!("byte {first} of {name}, which has {}{}", bytes(object.size), past(first, object.size as i64))
            }
            None => match self
                .objects
                .element(via)
                .filter(|size| *size > 1 && object.size % size == 0 && (object.size > *size || len == *size))
            {
                Some(size) => {
                    let (index, count) = (first.div_euclid(size as i64), object.size / size);
                    let block = self.objects.block(object);
                    format!("index {index} of {block}, which has room for {count}{}", past(index, count as i64))
                }
                None => {
                    let kind =
                        if object.kind == ObjectKind::Heap { self.objects.block(object) } else { "an object".into() };
                    format!(
                        "byte {first} of {kind}, which has {}{}",
                        bytes(object.size),
                        past(first, object.size as i64)
                    )
                }
            },
        };
        Some(Fault::new(format!("is out of bounds: {verb} {what}")).at(born, "allocated here").of(number))
    }

    /// Where the pointer leads to nothing that is there.
    fn no_object(&self, at: u64) -> Option<Fault> {
        let (number, offset) = self.objects.split(at);
        if number == 0 {
            return Some(if offset < 1 << 16 {
                Fault { is_through_null: true, ..Fault::new("goes through a null pointer") }
            } else {
                Fault::new(format!("goes through {at:#x}, which no object has"))
            });
        }
        let Some(object) = self.objects.get(number) else {
            return Some(Fault::new("goes through a pointer that leads to no object"));
        };
        let ended = object.ended.as_ref()?.clone();
        let fault = match (object.kind, self.objects.variable(object)) {
            (ObjectKind::Heap, _) => {
                Fault::new(format!("is in {}, which was freed", self.objects.block(object))).at(ended, "freed here")
            }
            (_, Some((name, _))) => Fault::new(format!("is in {name}, whose block was left")).at(ended, "left here"),
            (_, None) => Fault::new("is in an object that has ended").at(ended, "ended here"),
        };
        let born = self.objects.birth(object).filter(|_| object.kind == ObjectKind::Heap);
        Some(fault.at(born, "allocated here").of(number))
    }

    fn wrong_free(&self, pointer: Term) -> Option<Fault> {
        let at = word(self.program, self.state, pointer)?;
        let (number, offset) = self.objects.split(at);
        let Some(object) = self.objects.get(number) else {
            return Some(Fault::new("frees what is no block: the pointer leads to no object"));
        };
        let born = self.objects.birth(object);
        if object.kind != ObjectKind::Heap {
            let what = self.objects.variable(object).map_or("memory that no malloc gave", |(name, _)| name);
            return Some(Fault::new(format!("frees {what}, which is no block from malloc")));
        }
        if let Some(ended) = object.ended.clone() {
            let what = format!("frees {} a second time", self.objects.block(object));
            let fault = Fault::new(what).at(ended, "freed first here");
            return Some(fault.at(born, "allocated here").of(number));
        }
        let what = format!("frees a pointer {offset} bytes into {}, not its start", self.objects.block(object));
        (offset != 0).then(|| Fault::new(what).at(born, "allocated here").of(number))
    }

    /// The block that is watched for leaks, at the end of the program.
    fn lost(&self, unreachable: bool) -> Option<Fault> {
        let watched = self.program.vars.ids().find(|v| self.program.name(*v) == lower::WATCHED)?;
        let number = self.objects.split(self.state.word(watched)?).0;
        let object = self.objects.get(number)?;
        let end = match unreachable {
            true => "is never freed, and nothing points to it when the program ends",
            false => "is still allocated when the program ends",
        };
        let mut fault = Fault::new(format!("the block of {} that is allocated here {end}", bytes(object.size)));
        let place = self.objects.birth(object)?;
        (fault.object, fault.is_leak) = (Some(number), true);
        fault.place = Some((place, self.objects.birth_line(object), self.objects.birth_callers(object)));
        Some(fault)
    }
}

/// The variable that a term is made of, if it is one.
pub(crate) fn only_variable(program: &Program, term: Term) -> Option<Var> {
    let mut vars = term::walk::free_vars(&program.terms, &[term]).into_iter().filter_map(|t| program.var_of(t));
    vars.next().filter(|_| vars.next().is_none())
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}
