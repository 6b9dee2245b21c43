//! Writing: sorts and terms become numbered lines, each written once.

use crate::{CHOICE, input_name, is_deterministic, state_name, targets, width_for};
use base::Id;
use cfa::{Edge, LocKind, Op, Program, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::{self, Write};
use term::{Op as TermOp, Sort, Term, Value};

/// What the format cannot say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BTOR2 has no {}", self.0)
    }
}

/// The number of a line.
type Line = u64;

/// The flat automaton as a transition system.
pub fn write(program: &Program) -> Result<String, Refused> {
    let mut writer =
        Writer { program, out: String::new(), lines: 0, sorts: BTreeMap::new(), nodes: FxHashMap::default() };
    writer.places();
    writer.system()?;
    Ok(writer.out)
}

struct Writer<'a> {
    program: &'a Program,
    out: String,
    lines: Line,
    sorts: BTreeMap<String, Line>,
    nodes: FxHashMap<Term, Line>,
}

impl Writer<'_> {
    /// Comments that say what the numbers of locations mean.
    fn places(&mut self) {
        let program = self.program;
        self.out.push_str("; the location is pc; one step is one edge of the automaton\n");
        for loc in targets(program) {
            let what = match &program.main().locs[loc].kind {
                LocKind::Error(violation) => format!("{}: {}", violation.property.name(), violation.message),
                LocKind::Unsupported(what) => format!("not modelled: {what}"),
                LocKind::BoundHit(what) => format!("a bound of the model: {what}"),
                LocKind::Plain | LocKind::End(_) => continue,
            };
            writeln!(self.out, "; {loc}: {}", what.replace(['\n', '\r'], " ")).expect("to a string");
        }
    }

    fn system(&mut self) -> Result<(), Refused> {
        let program = self.program;
        let main = program.main();
        let pc_sort = self.sort(Sort::Bv(width_for(main.locs.len())))?;
        let number = |index: usize, width: u32| format!("{index:0width$b}", width = width as usize);
        let pc_width = width_for(main.locs.len());
        let places: Vec<Line> = main
            .locs
            .ids()
            .map(|loc| self.line(&format!("const {pc_sort} {}", number(loc.index(), pc_width))))
            .collect();
        // Initial values come before their states.
        let pc = self.line(&format!("state {pc_sort} pc"));
        self.line(&format!("init {pc_sort} {pc} {}", places[main.entry.index()]));

        // Only what some edge reads or writes is a state.
        let mut used: BTreeMap<Var, Line> = BTreeMap::new();
        for edge in main.edges.values() {
            let mut vars = edge.op.written();
            vars.extend(free_vars(program, &edge.op));
            for var in vars {
                if let Entry::Vacant(new) = used.entry(var) {
                    let sort = self.sort(program.vars[var].sort)?;
                    let state = *new.insert(self.line(&format!("state {sort} {}", state_name(program, var))));
                    self.nodes.insert(program.term(var), state);
                }
            }
        }
        let mut inputs: BTreeMap<Var, Line> = BTreeMap::new();
        for edge in main.edges.values() {
            if let Op::Havoc { vars, .. } = &edge.op {
                for var in vars {
                    if let Entry::Vacant(new) = inputs.entry(*var) {
                        let sort = self.sort(program.vars[*var].sort)?;
                        new.insert(self.line(&format!("input {sort} {}", input_name(*var))));
                    }
                }
            }
        }

        let successors = main.successors();
        let most = main.locs.ids().map(|loc| successors[loc].len()).max().unwrap_or(0);
        let choice_width = width_for(most);
        let choice_sort = self.sort(Sort::Bv(choice_width))?;
        let choice = self.line(&format!("input {choice_sort} {CHOICE}"));
        let bit = self.sort(Sort::Bool)?;
        let mut next_pc = pc;
        let mut next: BTreeMap<Var, Line> = used.clone();
        for loc in main.locs.ids().filter(|loc| !successors[*loc].is_empty()) {
            let here = self.line(&format!("eq {bit} {pc} {}", places[loc.index()]));
            let edges: &[Edge] = &successors[loc];
            let is_chosen = !is_deterministic(program, edges);
            for (i, edge) in edges.iter().enumerate() {
                let info = &main.edges[*edge];
                let mut taken = here;
                if is_chosen {
                    let which = self.line(&format!("const {choice_sort} {}", number(i, choice_width)));
                    let chosen = self.line(&format!("eq {bit} {choice} {which}"));
                    taken = self.line(&format!("and {bit} {taken} {chosen}"));
                }
                let mut values: Vec<(Var, Line)> = Vec::new();
                match &info.op {
                    Op::Assume(condition) if program.terms.as_bool_const(*condition) == Some(true) => {}
                    Op::Assume(condition) => {
                        let condition = self.term(*condition)?;
                        taken = self.line(&format!("and {bit} {taken} {condition}"));
                    }
                    Op::Assign(pairs) => {
                        for (var, value) in pairs {
                            values.push((*var, self.term(*value)?));
                        }
                    }
                    Op::Havoc { vars, .. } => values.extend(vars.iter().map(|var| (*var, inputs[var]))),
                    op => unreachable!("a flat program has no {op:?}"),
                }
                next_pc = self.line(&format!("ite {pc_sort} {taken} {} {next_pc}", places[info.to.index()]));
                for (var, value) in values {
                    let sort = self.sort(program.vars[var].sort)?;
                    let otherwise = next[&var];
                    next.insert(var, self.line(&format!("ite {sort} {taken} {value} {otherwise}")));
                }
            }
        }
        self.line(&format!("next {pc_sort} {pc} {next_pc}"));
        for (var, value) in next {
            let sort = self.sort(program.vars[var].sort)?;
            self.line(&format!("next {sort} {} {value}", used[&var]));
        }
        for loc in targets(program) {
            let there = self.line(&format!("eq {bit} {pc} {}", places[loc.index()]));
            self.line(&format!("bad {there} {loc}"));
        }
        Ok(())
    }

    fn line(&mut self, text: &str) -> Line {
        self.lines += 1;
        writeln!(self.out, "{} {text}", self.lines).expect("to a string");
        self.lines
    }

    fn sort(&mut self, sort: Sort) -> Result<Line, Refused> {
        let text = match sort {
            Sort::Bool => "sort bitvec 1".to_owned(),
            Sort::Bv(width) => format!("sort bitvec {width}"),
            Sort::Float(_) => return Err(Refused("floats".into())),
            Sort::Array(array) => {
                let index = self.sort(array.index.into())?;
                let elem = self.sort(array.elem.into())?;
                format!("sort array {index} {elem}")
            }
        };
        if let Some(known) = self.sorts.get(&text) {
            return Ok(*known);
        }
        let line = self.line(&text);
        self.sorts.insert(text, line);
        Ok(line)
    }

    fn term(&mut self, root: Term) -> Result<Line, Refused> {
        for t in term::walk::postorder(&self.program.terms, &[root]) {
            if !self.nodes.contains_key(&t) {
                let line = self.node(t)?;
                self.nodes.insert(t, line);
            }
        }
        Ok(self.nodes[&root])
    }

    fn node(&mut self, t: Term) -> Result<Line, Refused> {
        let terms = &self.program.terms;
        let (op, args) = (terms.op(t), terms.args(t));
        if let Some(value) = terms.as_value(t) {
            let digits = digits(&value).ok_or_else(|| Refused("floats".into()))?;
            let sort = self.sort(terms.sort(t))?;
            return Ok(self.line(&format!("const {sort} {digits}")));
        }
        if let TermOp::ConstArray(_) = op {
            return self.constant_array(t);
        }
        let name = match op {
            TermOp::Not | TermOp::BvNot => "not",
            TermOp::And | TermOp::BvAnd => "and",
            TermOp::Or | TermOp::BvOr => "or",
            TermOp::Xor | TermOp::BvXor => "xor",
            TermOp::Ite => "ite",
            TermOp::Eq => "eq",
            TermOp::BvNeg => "neg",
            TermOp::BvAdd => "add",
            TermOp::BvMul => "mul",
            TermOp::BvUdiv => "udiv",
            TermOp::BvUrem => "urem",
            TermOp::BvSdiv => "sdiv",
            TermOp::BvSrem => "srem",
            TermOp::BvShl => "sll",
            TermOp::BvLshr => "srl",
            TermOp::BvAshr => "sra",
            TermOp::Concat => "concat",
            TermOp::Extract { .. } => "slice",
            TermOp::ZeroExtend(_) => "uext",
            TermOp::SignExtend(_) => "sext",
            TermOp::BvUlt => "ult",
            TermOp::BvUle => "ulte",
            TermOp::BvSlt => "slt",
            TermOp::BvSle => "slte",
            TermOp::BvSaddo => "saddo",
            TermOp::BvSsubo => "ssubo",
            TermOp::BvUmulo => "umulo",
            TermOp::BvSmulo => "smulo",
            TermOp::Select => "read",
            TermOp::Store => "write",
            op if op.is_quantifier() => return Err(Refused("quantifiers".into())),
            TermOp::Apply(_) => return Err(Refused("uninterpreted functions".into())),
            op => return Err(Refused(format!("floats ({})", op.facts().name))),
        };
        let mut text = format!("{name} {}", self.sort(terms.sort(t))?);
        for arg in args {
            write!(text, " {}", self.nodes[arg]).expect("to a string");
        }
        match op {
            TermOp::Extract { hi, lo } => text += &format!(" {hi} {lo}"),
            TermOp::ZeroExtend(by) | TermOp::SignExtend(by) => text += &format!(" {by}"),
            _ => {}
        }
        Ok(self.line(&text))
    }

    /// An array that holds the same everywhere is a state that starts so and never changes.
    fn constant_array(&mut self, t: Term) -> Result<Line, Refused> {
        let terms = &self.program.terms;
        let elem = terms.args(t)[0];
        if !terms.is_const(elem) {
            return Err(Refused("arrays that hold the same unknown value everywhere".into()));
        }
        let sort = self.sort(terms.sort(t))?;
        let value = self.nodes[&elem];
        let state = self.line(&format!("state {sort}"));
        self.line(&format!("init {sort} {state} {value}"));
        self.line(&format!("next {sort} {state} {state}"));
        Ok(state)
    }
}

/// A constant in binary.
fn digits(value: &Value) -> Option<String> {
    match value {
        Value::Bool(b) => Some(u8::from(*b).to_string()),
        Value::Bv(bits) => Some((0..bits.width()).rev().map(|i| if bits.bit(i) { '1' } else { '0' }).collect()),
        Value::Float(_) | Value::Array(_) => None,
    }
}

fn free_vars(program: &Program, op: &Op) -> Vec<Var> {
    let terms: Vec<Term> = match op {
        Op::Assume(condition) => vec![*condition],
        Op::Assign(pairs) => pairs.iter().map(|(_, value)| *value).collect(),
        _ => Vec::new(),
    };
    let symbols = term::walk::free_vars(&program.terms, &terms);
    symbols.into_iter().filter_map(|symbol| program.var_of(symbol)).collect()
}
