//! Reading a witness: the automaton is walked with the inputs that it gives, and what it says of states is not needed but for
//! the first ones.

use crate::{CHOICE, input_name, is_deterministic, state_name, targets};
use cfa::evidence::Trace;
use cfa::{Op, Program, Var};
use std::collections::BTreeMap;
use std::sync::Arc;
use term::eval::eval;
use term::value::ArrayValue;
use term::{Bits, Sort, Term, Value};

/// The execution that a witness of [`crate::write`]'s system for `program` tells.
pub fn trace(program: &Program, witness: &str) -> Result<Trace, String> {
    let witness = Witness::read(witness)?;
    let main = program.main();
    let successors = main.successors();
    let mut state: BTreeMap<Term, Value> = BTreeMap::new();
    let mut initial: BTreeMap<Var, Value> = BTreeMap::new();
    for (var, info) in program.vars.iter() {
        let given = witness.first.get(&state_name(program, var));
        let value = given.map_or_else(|| Ok(zero(info.sort)), |given| given.value(info.sort))?;
        if given.is_some() {
            initial.insert(var, value.clone());
        }
        state.insert(program.term(var), value);
    }
    let mut inputs = Vec::new();
    let mut loc = main.entry;
    for (number, frame) in witness.frames.iter().enumerate() {
        if main.locs[loc].kind.is_target() {
            break;
        }
        let edges = &successors[loc];
        let chosen = match frame.get(CHOICE) {
            Some(Given::Bits(digits)) => usize::from_str_radix(digits, 2).unwrap_or(usize::MAX),
            _ => 0,
        };
        let is_chosen = !is_deterministic(program, edges);
        for (i, edge) in edges.iter().enumerate() {
            let info = &main.edges[*edge];
            if is_chosen && i != chosen {
                continue;
            }
            let value = |t: Term| {
                eval(&program.terms, t, &state).map_err(|why| format!("frame {number}: no value for a term: {why:?}"))
            };
            match &info.op {
                Op::Assume(condition) if value(*condition)? != Value::Bool(true) => continue,
                Op::Assume(_) => {}
                Op::Assign(pairs) => {
                    let values: Result<Vec<Value>, String> = pairs.iter().map(|(_, t)| value(*t)).collect();
                    for ((var, _), value) in pairs.iter().zip(values?) {
                        state.insert(program.term(*var), value);
                    }
                }
                Op::Havoc { vars, .. } => {
                    let mut values = Vec::new();
                    for var in vars {
                        let sort = program.vars[*var].sort;
                        let given = frame.get(&input_name(*var));
                        let value = given.map_or_else(|| Ok(zero(sort)), |given| given.value(sort))?;
                        state.insert(program.term(*var), value.clone());
                        values.push(value);
                    }
                    inputs.push((*edge, values));
                }
                op => return Err(format!("a flat program has no {op:?}")),
            }
            loc = info.to;
            break;
        }
    }
    if !targets(program).contains(&loc) {
        return Err(format!(
            "the witness ends at {loc}, which is no error; is it of this program, with the same flags?"
        ));
    }
    Ok(Trace { target: loc, inputs, initial })
}

/// What a witness gives to a name.
enum Given {
    Bits(String),
    /// Index and element, in binary.
    Cells(Vec<(String, String)>),
}

impl Given {
    fn value(&self, sort: Sort) -> Result<Value, String> {
        match (self, sort) {
            (Given::Bits(digits), sort) => scalar(digits, sort),
            (Given::Cells(cells), Sort::Array(array)) => {
                let mut value = ArrayValue::new(array, zero(array.elem.into()));
                for (index, elem) in cells {
                    value.set(scalar(index, array.index.into())?, scalar(elem, array.elem.into())?);
                }
                Ok(Value::Array(Arc::new(value)))
            }
            (Given::Cells(_), sort) => Err(format!("cells are given of what is no array but {sort:?}")),
        }
    }
}

/// Digits other than 0 and 1 stand for either.
fn scalar(digits: &str, sort: Sort) -> Result<Value, String> {
    let digits: String = digits.chars().map(|c| if c == '1' { '1' } else { '0' }).collect();
    match sort {
        Sort::Bool if digits.len() == 1 => Ok(Value::Bool(digits == "1")),
        Sort::Bv(width) if digits.len() == width as usize => {
            Bits::parse(&digits, 2, width).map(Value::Bv).ok_or_else(|| format!("'{digits}' is no number"))
        }
        sort => Err(format!("'{digits}' is no value of {sort:?}")),
    }
}

fn zero(sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(false),
        Sort::Bv(width) => Value::Bv(Bits::zero(width)),
        Sort::Array(array) => Value::Array(Arc::new(ArrayValue::new(array, zero(array.elem.into())))),
        Sort::Float(_) => unreachable!("the format has no floats"),
    }
}

/// The text: `sat`, the bad states, then for each frame the states (`#n`) and the inputs (`@n`), and a dot.
#[derive(Default)]
struct Witness {
    /// Of the states at the start, by name.
    first: BTreeMap<String, Given>,
    frames: Vec<BTreeMap<String, Given>>,
}

impl Witness {
    fn read(text: &str) -> Result<Witness, String> {
        let mut witness = Witness::default();
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(';'));
        if lines.next() != Some("sat") {
            return Err("a witness begins with 'sat'".into());
        }
        // Which part follows: states at the start, later states (not needed), inputs.
        let mut into: Option<bool> = None;
        for line in lines {
            let number = |digits: &str| digits.parse::<usize>().ok();
            match line.as_bytes()[0] {
                b'.' => return Ok(witness),
                b'b' | b'j' if into.is_none() && witness.frames.is_empty() => {}
                b'#' => into = (number(&line[1..]) == Some(0)).then_some(false),
                b'@' => {
                    // A frame without inputs may be left out.
                    let frame = number(&line[1..]).filter(|n| *n >= witness.frames.len() && *n < MOST_FRAMES);
                    let frame = frame.ok_or_else(|| format!("'{line}' is no frame that comes next"))?;
                    witness.frames.resize_with(frame + 1, BTreeMap::new);
                    into = Some(true);
                }
                _ => {
                    let part = match into {
                        Some(true) => witness.frames.last_mut(),
                        Some(false) => Some(&mut witness.first),
                        None => None,
                    };
                    if let Some(part) = part {
                        assignment(line, part)?;
                    }
                }
            }
        }
        Err("the witness has no end (a line with a dot)".into())
    }
}

/// Witnesses with more frames are refused.
const MOST_FRAMES: usize = 10_000_000;

/// `number value name` or `number [index] value name`; checkers add the frame to the name.
fn assignment(line: &str, part: &mut BTreeMap<String, Given>) -> Result<(), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let wrong = || format!("'{line}' is no assignment");
    let plain = |name: &str| name.rsplit_once(['#', '@']).map_or_else(|| name.to_owned(), |(name, _)| name.to_owned());
    match words[..] {
        [_, index, value, name] if index.starts_with('[') && index.ends_with(']') => {
            let cell = (index[1..index.len() - 1].to_owned(), value.to_owned());
            match part.entry(plain(name)).or_insert_with(|| Given::Cells(Vec::new())) {
                Given::Cells(cells) => cells.push(cell),
                Given::Bits(_) => return Err(wrong()),
            }
        }
        [_, value, name] => _ = part.insert(plain(name), Given::Bits(value.to_owned())),
        // Without a name: something of the writer's own.
        [_, _] => {}
        _ => return Err(wrong()),
    }
    Ok(())
}
