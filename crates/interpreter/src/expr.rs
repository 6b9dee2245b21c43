//! Compiling terms: each distinct subterm of an edge is computed once, arguments first, without recursion.
//!
//! Arrays are never copied to be read: `select(store(a, i, v), j)` becomes `if j = i then v else a[j]`. Assigned arrays are
//! updated in place where the new value is made from the old one by stores.

use super::address::sum;
use super::code::*;
use super::compile::{Builder, Unsupported};
use super::numbering::KEPT_WORDS;
use super::value::{is_word, is_word_array, to_word};
use rustc_hash::FxHashMap;
use term::{ArraySort, Format, Op, RoundingMode, Sort, Term};

/// Code for one array value may not grow beyond this many stores and branches (sharing is lost in branches).
const ARRAY_PIECES: usize = 20_000;

/// What has been computed for the edge at hand.
#[derive(Default)]
pub(super) struct Computed {
    values: FxHashMap<Term, Place>,
    /// Elements read: array term, index term.
    reads: FxHashMap<(Term, Term), Place>,
    words_used: usize,
    cells_used: usize,
}

#[derive(Clone, Copy)]
enum Work {
    Visit(Term),
    Emit(Term),
    VisitRead(Term, Term),
    EmitRead(Term, Term),
}

impl Builder<'_> {
    /// The memo of terms is of one edge, for variables change. What instructions left in temporaries stays known, unless
    /// there are too many of them.
    pub(super) fn new_edge(&mut self) {
        let words_used = self.computed.words_used;
        self.computed = Computed { words_used, ..Computed::default() };
        if words_used > KEPT_WORDS {
            self.forget_all();
        }
    }

    /// Forgets what was computed, where control may come from elsewhere; temporaries are free again.
    pub(super) fn forget_all(&mut self) {
        self.computed = Computed::default();
        self.numbering.forget_all();
    }

    /// Emits a pure instruction, unless its result is known.
    pub(super) fn numbered(&mut self, make: impl Fn(Reg) -> Instr) -> Reg {
        let key = make(0);
        if let Some(reg) = self.numbering.get(key) {
            return reg;
        }
        let dst = self.temp_word();
        self.emit(make(dst));
        self.numbering.add(key, dst);
        dst
    }

    pub(super) fn temp_word(&mut self) -> Reg {
        let index = self.computed.words_used;
        self.computed.words_used += 1;
        if index == self.temp_words.len() {
            let reg = self.new_word(0);
            self.temp_words.push(reg);
        }
        self.temp_words[index]
    }

    pub(super) fn temp_cell(&mut self) -> Cell {
        let index = self.computed.cells_used;
        self.computed.cells_used += 1;
        if index == self.temp_cells.len() {
            let cell = self.cells.len() as Cell;
            self.cells.push(super::value::Heavy::Value(term::Value::Bool(false)));
            self.temp_cells.push(cell);
        }
        self.temp_cells[index]
    }

    fn temp(&mut self, sort: Sort) -> Place {
        if is_word(sort) { Place::Word(self.temp_word()) } else { Place::Heavy(self.temp_cell()) }
    }

    pub(super) fn const_word(&mut self, word: u64) -> Reg {
        if let Some(reg) = self.const_words.get(&word) {
            return *reg;
        }
        if let Some(global) = self.const_global(word) {
            return self.numbered(|reg| Instr::GetGlobal(reg, global));
        }
        let reg = self.new_word(word);
        self.const_words.insert(word, reg);
        reg
    }

    /// The register of a term whose sort has words.
    pub(super) fn word(&mut self, t: Term) -> Result<Reg, Unsupported> {
        match self.place(t)? {
            Place::Word(reg) => Ok(reg),
            other => unreachable!("{t} is no word but {other:?}"),
        }
    }

    /// Where the value of a term that is not an array stands: a register or a cell.
    pub(super) fn place(&mut self, t: Term) -> Result<Place, Unsupported> {
        self.compute(t, None)
    }

    /// Computes a word into a register that may be a variable: nothing computed later on this edge may read it.
    pub(super) fn word_into(&mut self, t: Term, dst: Reg) -> Result<(), Unsupported> {
        let place = self.compute(t, Some(dst))?;
        match place {
            Place::Word(reg) if reg == dst => {}
            Place::Word(reg) => self.emit(Instr::Mov(dst, reg)),
            other => unreachable!("{t} is no word but {other:?}"),
        }
        Ok(())
    }

    fn compute(&mut self, root: Term, dst: Option<Reg>) -> Result<Place, Unsupported> {
        let mut work = vec![Work::Visit(root)];
        let mut last = None;
        while let Some(next) = work.pop() {
            match next {
                Work::Visit(t) => {
                    if self.computed.values.contains_key(&t) {
                        continue;
                    }
                    if let Some(place) = self.leaf(t)? {
                        self.computed.values.insert(t, place);
                        continue;
                    }
                    work.push(Work::Emit(t));
                    self.push_needs(t, &mut work);
                }
                Work::Emit(t) => {
                    if self.computed.values.contains_key(&t) {
                        continue;
                    }
                    if t == root && dst.is_some() {
                        // The variable's register is no memo of the term: the edge's other terms mean the old state.
                        last = Some(self.emit_term(t, dst)?);
                    } else {
                        let place = self.emit_term(t, None)?;
                        self.computed.values.insert(t, place);
                    }
                }
                Work::VisitRead(array, index) => {
                    if !self.computed.reads.contains_key(&(array, index)) {
                        work.push(Work::EmitRead(array, index));
                        self.push_read_needs(array, index, &mut work);
                    }
                }
                Work::EmitRead(array, index) => {
                    if !self.computed.reads.contains_key(&(array, index)) {
                        let place = self.emit_read(array, index)?;
                        self.computed.reads.insert((array, index), place);
                    }
                }
            }
        }
        Ok(last.unwrap_or_else(|| self.computed.values[&root]))
    }

    /// Constants and variables.
    fn leaf(&mut self, t: Term) -> Result<Option<Place>, Unsupported> {
        let terms = &self.program.terms;
        if let Some(value) = terms.as_value(t) {
            return Ok(Some(if is_word(terms.sort(t)) {
                Place::Word(self.const_word(to_word(&value)))
            } else {
                Place::Heavy(self.const_cell(t, value))
            }));
        }
        if !terms.is_var(t) {
            return Ok(None);
        }
        let home = self.program.var_of(t).and_then(|v| self.home(v));
        match home {
            None => Err(Unsupported(format!("'{}' cannot be read", terms.symbol_name(t).unwrap_or("?")))),
            Some(Place::GlobalWord(global)) => {
                let settled = self.settled_register(global);
                let reg = settled.unwrap_or_else(|| self.numbered(|reg| Instr::GetGlobal(reg, global)));
                Ok(Some(Place::Word(reg)))
            }
            Some(place) => Ok(Some(place)),
        }
    }

    fn const_cell(&mut self, t: Term, value: term::Value) -> Cell {
        let next = self.cells.len() as Cell;
        let cell = *self.const_cells.entry(t).or_insert(next);
        if cell == next {
            self.cells.push(super::value::Heavy::from_value(value));
        }
        cell
    }

    fn push_needs(&self, t: Term, work: &mut Vec<Work>) {
        let terms = &self.program.terms;
        let args = terms.args(t);
        match terms.op(t) {
            Op::Select => work.push(Work::VisitRead(args[0], args[1])),
            _ => {
                if let Some(pair) = self.difference(t) {
                    work.extend(pair.map(Work::Visit));
                    return;
                }
                if let Some(sum) = self.scaled(t) {
                    work.extend([sum.base, sum.index].map(Work::Visit));
                    return;
                }
                for &arg in args {
                    if let Sort::Array(_) = terms.sort(arg) {
                        self.push_array_needs(arg, work);
                    } else {
                        work.push(Work::Visit(arg));
                    }
                }
            }
        }
    }

    /// `a` and `b` of a word `a + -b`.
    fn difference(&self, t: Term) -> Option<[Term; 2]> {
        let terms = &self.program.terms;
        let (Op::BvAdd, &[a, b], true) = (terms.op(t), terms.args(t), is_word(terms.sort(t))) else { return None };
        match (terms.op(a), terms.op(b)) {
            (_, Op::BvNeg) => Some([a, terms.arg(b, 0)]),
            (Op::BvNeg, _) => Some([b, terms.arg(a, 0)]),
            _ => None,
        }
    }

    /// The scalars inside an array term.
    fn push_array_needs(&self, array: Term, work: &mut Vec<Work>) {
        let terms = &self.program.terms;
        let mut seen = rustc_hash::FxHashSet::default();
        let mut arrays = vec![array];
        while let Some(a) = arrays.pop() {
            if !seen.insert(a) {
                continue;
            }
            for &arg in terms.args(a) {
                if let Sort::Array(_) = terms.sort(arg) {
                    arrays.push(arg);
                } else {
                    work.push(Work::Visit(arg));
                }
            }
        }
    }

    fn push_read_needs(&self, array: Term, index: Term, work: &mut Vec<Work>) {
        let terms = &self.program.terms;
        work.push(Work::Visit(index));
        let args = terms.args(array);
        match terms.op(array) {
            Op::Store => work.extend([Work::Visit(args[1]), Work::Visit(args[2]), Work::VisitRead(args[0], index)]),
            Op::Ite => {
                work.extend([Work::Visit(args[0]), Work::VisitRead(args[1], index), Work::VisitRead(args[2], index)])
            }
            Op::ConstArray(_) => work.push(Work::Visit(args[0])),
            _ => {}
        }
    }

    fn array_sort(&self, array: Term) -> ArraySort {
        self.program.terms.sort(array).as_array().expect("an array")
    }

    fn emit_read(&mut self, array: Term, index: Term) -> Result<Place, Unsupported> {
        let terms = &self.program.terms;
        let args = terms.args(array);
        let sort = self.array_sort(array);
        let elem: Sort = sort.elem.into();
        let at = self.computed.values[&index];
        match terms.op(array) {
            Op::Var(_) => {
                if self.object_tables
                    && let Some(v) = self.program.var_of(array)
                    && (v == self.program.size || v == self.program.live)
                {
                    let Place::Word(number) = at else { unreachable!("object numbers") };
                    let size = v == self.program.size;
                    let make = |dst| if size { Instr::ObjectSize(dst, number) } else { Instr::ObjectLive(dst, number) };
                    return Ok(Place::Word(self.numbered(make)));
                }
                let Some(Place::Heavy(cell)) = self.program.var_of(array).and_then(|v| self.home(v)) else {
                    return Err(Unsupported("an array that is no variable".into()));
                };
                let dst = self.temp(elem);
                match (dst, at) {
                    (Place::Word(dst), Place::Word(at)) if is_word_array(sort) => {
                        self.emit(Instr::ArrayGet(dst, cell, at));
                    }
                    _ => self.slow(Slow::Get { dst, array: cell, sort, index: at }),
                }
                Ok(dst)
            }
            Op::Store => {
                let (inner, stored_at, stored) = (
                    self.computed.reads[&(args[0], index)],
                    self.computed.values[&args[1]],
                    self.computed.values[&args[2]],
                );
                let index_sort = sort.index.into();
                let here = self.apply(Op::Eq, &[(at, index_sort), (stored_at, index_sort)], None, Sort::Bool);
                Ok(self.apply(Op::Ite, &[(here, Sort::Bool), (stored, elem), (inner, elem)], None, elem))
            }
            Op::Ite => {
                let condition = self.computed.values[&args[0]];
                let (then, otherwise) =
                    (self.computed.reads[&(args[1], index)], self.computed.reads[&(args[2], index)]);
                Ok(self.apply(Op::Ite, &[(condition, Sort::Bool), (then, elem), (otherwise, elem)], None, elem))
            }
            Op::ConstArray(_) => Ok(self.computed.values[&args[0]]),
            op => Err(Unsupported(format!("an array made by {op:?}"))),
        }
    }

    /// Emits one term whose arguments are computed. `dst`: where its result should go.
    fn emit_term(&mut self, t: Term, dst: Option<Reg>) -> Result<Place, Unsupported> {
        let terms = &self.program.terms;
        let (op, sort) = (terms.op(t), terms.sort(t));
        let args: Vec<Term> = terms.args(t).to_vec();
        match op {
            Op::Select => return Ok(self.computed.reads[&(args[0], args[1])]),
            Op::Apply(_) | Op::Forall | Op::Exists => {
                return Err(Unsupported(format!("{op:?} cannot be executed")));
            }
            _ => {}
        }
        if let Some([a, b]) = self.difference(t)
            && let (Place::Word(a), Place::Word(b)) = (self.computed.values[&a], self.computed.values[&b])
        {
            let width = sort.bv_width().expect("a sum of bit-vectors") as u8;
            return Ok(Place::Word(self.computed_word(dst, |dst| Instr::Sub(width, dst, a, b))));
        }
        if let Some(sum) = self.scaled(t)
            && let (Place::Word(base), Place::Word(index)) =
                (self.computed.values[&sum.base], self.computed.values[&sum.index])
        {
            return Ok(Place::Word(self.computed_word(dst, |dst| sum.instr(dst, base, index))));
        }
        let mut places = Vec::with_capacity(args.len());
        for &arg in &args {
            let arg_sort = self.program.terms.sort(arg);
            let place = match arg_sort {
                Sort::Array(_) => {
                    let cell = self.temp_cell();
                    self.build_array(arg, cell)?;
                    Place::Heavy(cell)
                }
                _ => self.computed.values[&arg],
            };
            places.push((place, arg_sort));
        }
        // Operators that change nothing in the word.
        if is_word(sort) && is_word(places[0].1) && matches!(op, Op::ZeroExtend(_) | Op::FpFromBits(_)) {
            return Ok(places[0].0);
        }
        Ok(self.apply(op, &places, dst.filter(|_| is_word(sort)), sort))
    }

    pub(super) fn slow(&mut self, slow: Slow) {
        let index = self.code.slow.len() as u32;
        self.code.slow.push(slow);
        self.emit(Instr::Slow(index));
    }

    /// Emits the operator. `dst`: the register that the result has to be in.
    fn apply(&mut self, op: Op, args: &[(Place, Sort)], dst: Option<Reg>, sort: Sort) -> Place {
        if is_word(sort)
            && let Some(reg) = self.apply_words(op, args, dst)
        {
            return Place::Word(reg);
        }
        let dst = dst.map_or_else(|| self.temp(sort), Place::Word);
        self.slow(Slow::Apply { op, args: args.to_vec(), dst, sort });
        dst
    }

    /// Emits the operator as an instruction on words, if there is one, and says where its result is.
    fn apply_words(&mut self, op: Op, args: &[(Place, Sort)], dst: Option<Reg>) -> Option<Reg> {
        let mut regs = [0; 3];
        for (i, (place, _)) in args.iter().enumerate() {
            match place {
                Place::Word(reg) => *regs.get_mut(i)? = *reg,
                _ => return None,
            }
        }
        let [a, b, c] = regs;
        if let Op::Ite = op {
            let dst = dst.unwrap_or_else(|| self.temp_word());
            self.apply_ite(dst, a, b, c);
            return Some(dst);
        }
        let low = args.get(1).and_then(|(_, sort)| sort.bv_width());
        let make = |dst: Reg| match args[0].1 {
            Sort::Float(format) => float_instr(op, format, dst, a, b),
            Sort::Bool => match op {
                Op::Not => Some(Instr::Not(1, dst, a)),
                Op::And => Some(Instr::And(dst, a, b)),
                Op::Or => Some(Instr::Or(dst, a, b)),
                Op::Xor => Some(Instr::Xor(dst, a, b)),
                Op::Eq => Some(Instr::Eq(dst, a, b)),
                _ => None,
            },
            Sort::Bv(_) if op == Op::Concat => Some(Instr::Concat(low? as u8, dst, a, b)),
            Sort::Bv(width) => bv_instr(op, width as u8, dst, a, b),
            Sort::Array(_) => None,
        };
        make(0)?;
        Some(self.computed_word(dst, |dst| make(dst).expect("as it was made")))
    }

    /// Emits a pure instruction. `dst`: the register that the result has to be in.
    fn computed_word(&mut self, dst: Option<Reg>, make: impl Fn(Reg) -> Instr) -> Reg {
        let Some(dst) = dst else { return self.numbered(make) };
        self.emit(make(dst));
        dst
    }

    fn apply_ite(&mut self, dst: Reg, condition: Reg, then: Reg, otherwise: Reg) {
        if dst == condition || dst == then {
            let temp = self.temp_word();
            self.emit(Instr::Mov(temp, otherwise));
            self.emit(Instr::MovIf(temp, condition, then));
            self.emit(Instr::Mov(dst, temp));
        } else {
            if dst != otherwise {
                self.emit(Instr::Mov(dst, otherwise));
            }
            self.emit(Instr::MovIf(dst, condition, then));
        }
    }

    /// Computes every scalar that `build_array` will need.
    pub(super) fn prepare_array(&mut self, array: Term) -> Result<(), Unsupported> {
        let mut needs = Vec::new();
        self.push_array_needs(array, &mut needs);
        for need in needs {
            if let Work::Visit(t) = need {
                self.place(t)?;
            }
        }
        Ok(())
    }

    /// The variables at the bottom of an array term.
    pub(super) fn array_leaves(&self, array: Term) -> Vec<Term> {
        let terms = &self.program.terms;
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![array];
        let mut leaves = Vec::new();
        while let Some(a) = work.pop() {
            if seen.insert(a) {
                if terms.is_var(a) {
                    leaves.push(a);
                }
                work.extend(terms.args(a).iter().filter(|arg| matches!(terms.sort(**arg), Sort::Array(_))));
            }
        }
        leaves
    }

    /// The array below a chain of stores, and the stores, the last one first.
    fn peel(&self, mut array: Term) -> (Term, Vec<Task>) {
        let terms = &self.program.terms;
        let mut sets = Vec::new();
        while let (Op::Store, &[inner, index, elem]) = (terms.op(array), terms.args(array)) {
            sets.push(Task::Set(index, elem));
            array = inner;
        }
        (array, sets)
    }

    /// Emits code that leaves the array in `cell`, whose scalars are computed. A leaf that lives in `cell` is taken as it is.
    pub(super) fn build_array(&mut self, array: Term, cell: Cell) -> Result<(), Unsupported> {
        let sort = self.array_sort(array);
        let mut tasks = vec![Task::Build(array)];
        let mut pieces = 0;
        while let Some(task) = tasks.pop() {
            pieces += 1;
            if pieces > ARRAY_PIECES {
                return Err(Unsupported("an array expression that is too large to execute".into()));
            }
            match task {
                Task::Build(a) => self.build_step(a, cell, sort, &mut tasks)?,
                Task::Set(index, elem) => {
                    let (at, elem) = (self.computed.values[&index], self.computed.values[&elem]);
                    match (at, elem) {
                        (Place::Word(at), Place::Word(elem)) if is_word_array(sort) => {
                            self.emit(Instr::ArraySet(cell, at, elem));
                        }
                        _ => self.slow(Slow::Set { array: cell, sort, index: at, elem }),
                    }
                }
                Task::If { condition, then, otherwise } => {
                    let condition = self.word(condition)?;
                    let branch = self.emit_at(Instr::Branch(0, condition, 0));
                    tasks.push(Task::Else { branch, otherwise });
                    tasks.extend(then);
                }
                Task::Else { branch, otherwise } if otherwise.is_empty() => self.patch_here(branch),
                Task::Else { branch, otherwise } => {
                    let jump = self.emit_at(Instr::Jump(0, 0));
                    self.patch_here(branch);
                    tasks.push(Task::EndIf { jump });
                    tasks.extend(otherwise);
                }
                Task::EndIf { jump } => self.patch_here(jump),
            }
        }
        Ok(())
    }

    fn build_step(&mut self, a: Term, cell: Cell, sort: ArraySort, tasks: &mut Vec<Task>) -> Result<(), Unsupported> {
        let args = self.program.terms.args(a).to_vec();
        match self.program.terms.op(a) {
            Op::Var(_) => match self.program.var_of(a).and_then(|v| self.home(v)) {
                Some(Place::Heavy(src)) if src == cell => {}
                Some(Place::Heavy(src)) => self.slow(Slow::Copy { dst: cell, src }),
                _ => return Err(Unsupported("an array that is no variable".into())),
            },
            Op::Store => tasks.extend([Task::Set(args[1], args[2]), Task::Build(args[0])]),
            Op::ConstArray(_) => {
                let elem = self.computed.values[&args[0]];
                self.slow(Slow::Reset { dst: cell, sort, elem });
            }
            Op::Ite => {
                let (then_base, mut then) = self.peel(args[1]);
                let (else_base, mut otherwise) = self.peel(args[2]);
                if then_base == else_base {
                    // Both sides store onto one array: build that once, then branch.
                    tasks.push(Task::If { condition: args[0], then, otherwise });
                    tasks.push(Task::Build(then_base));
                } else {
                    then.push(Task::Build(then_base));
                    otherwise.push(Task::Build(else_base));
                    tasks.push(Task::If { condition: args[0], then, otherwise });
                }
            }
            op => return Err(Unsupported(format!("an array made by {op:?}"))),
        }
        Ok(())
    }
}

/// What remains to be done to build an array; the last task of a list comes first.
enum Task {
    Build(Term),
    Set(Term, Term),
    If { condition: Term, then: Vec<Task>, otherwise: Vec<Task> },
    Else { branch: usize, otherwise: Vec<Task> },
    EndIf { jump: usize },
}

fn bv_instr(op: Op, w: u8, dst: Reg, a: Reg, b: Reg) -> Option<Instr> {
    Some(match op {
        Op::Eq => Instr::Eq(dst, a, b),
        Op::BvNot => Instr::Not(w, dst, a),
        Op::BvNeg => Instr::Neg(w, dst, a),
        Op::BvAdd => sum(w, dst, a, b),
        Op::BvMul => Instr::Mul(w, dst, a, b),
        Op::BvUdiv => Instr::Udiv(w, dst, a, b),
        Op::BvUrem => Instr::Urem(dst, a, b),
        Op::BvSdiv => Instr::Sdiv(w, dst, a, b),
        Op::BvSrem => Instr::Srem(w, dst, a, b),
        Op::BvShl => Instr::Shl(w, dst, a, b),
        Op::BvLshr => Instr::Lshr(w, dst, a, b),
        Op::BvAshr => Instr::Ashr(w, dst, a, b),
        Op::BvAnd => Instr::And(dst, a, b),
        Op::BvOr => Instr::Or(dst, a, b),
        Op::BvXor => Instr::Xor(dst, a, b),
        Op::Extract { hi, lo } => Instr::Extract { lo: lo as u8, width: (hi - lo + 1) as u8, dst, src: a },
        Op::ZeroExtend(_) => Instr::Mov(dst, a),
        Op::SignExtend(32) if w == 32 => Instr::SignExtend32(dst, a),
        Op::SignExtend(n) => Instr::SignExtend { from: w, to: w + n as u8, dst, src: a },
        Op::BvUlt => Instr::Ult(dst, a, b),
        Op::BvUle => Instr::Ule(dst, a, b),
        Op::BvSlt => Instr::Slt(w, dst, a, b),
        Op::BvSle => Instr::Sle(w, dst, a, b),
        Op::BvSaddo => Instr::Saddo(w, dst, a, b),
        Op::BvSsubo => Instr::Ssubo(w, dst, a, b),
        Op::BvUmulo => Instr::Umulo(w, dst, a, b),
        Op::BvSmulo => Instr::Smulo(w, dst, a, b),
        Op::FpFromSbv(RoundingMode::NearestEven, Format::F64) => Instr::Convert(Conversion::SignedToF64, w, dst, a),
        Op::FpFromUbv(RoundingMode::NearestEven, Format::F64) => Instr::Convert(Conversion::UnsignedToF64, w, dst, a),
        Op::FpFromSbv(RoundingMode::NearestEven, Format::F32) => Instr::Convert(Conversion::SignedToF32, w, dst, a),
        Op::FpFromUbv(RoundingMode::NearestEven, Format::F32) => Instr::Convert(Conversion::UnsignedToF32, w, dst, a),
        Op::FpFromBits(_) => Instr::Mov(dst, a),
        _ => return None,
    })
}

fn float_instr(op: Op, format: Format, dst: Reg, a: Reg, b: Reg) -> Option<Instr> {
    use RoundingMode::{Down, NearestAway, NearestEven, Up, Zero};
    let double = format == Format::F64;
    let convert = |single: Conversion, of_double: Conversion, width: u32| {
        Some(Instr::Convert(if double { of_double } else { single }, width as u8, dst, a))
    };
    let float = match op {
        Op::FpAdd(NearestEven) if double => return Some(Instr::AddF64(dst, a, b)),
        Op::FpMul(NearestEven) if double => return Some(Instr::MulF64(dst, a, b)),
        Op::FpAdd(NearestEven) => FloatOp::Add,
        Op::FpMul(NearestEven) => FloatOp::Mul,
        Op::FpDiv(NearestEven) => FloatOp::Div,
        Op::FpSqrt(NearestEven) => FloatOp::Sqrt,
        Op::FpNeg => FloatOp::Neg,
        Op::FpAbs => FloatOp::Abs,
        Op::FpEq => FloatOp::Eq,
        Op::FpLt => FloatOp::Lt,
        Op::FpLe => FloatOp::Le,
        Op::Eq => FloatOp::Same,
        Op::FpIsNan => FloatOp::IsNan,
        Op::FpIsInf => FloatOp::IsInf,
        Op::FpIsZero => FloatOp::IsZero,
        Op::FpIsNormal => FloatOp::IsNormal,
        Op::FpIsSubnormal => FloatOp::IsSubnormal,
        Op::FpIsNegative => FloatOp::IsNegative,
        Op::FpIsPositive => FloatOp::IsPositive,
        Op::FpRoundToIntegral(NearestEven) => FloatOp::RoundEven,
        Op::FpRoundToIntegral(NearestAway) => FloatOp::RoundAway,
        Op::FpRoundToIntegral(Up) => FloatOp::RoundUp,
        Op::FpRoundToIntegral(Down) => FloatOp::RoundDown,
        Op::FpRoundToIntegral(Zero) => FloatOp::RoundZero,
        Op::FpToFp(_, to) if to == format => return Some(Instr::Mov(dst, a)),
        Op::FpToFp(_, Format::F64) if !double => return Some(Instr::Convert(Conversion::F32ToF64, 64, dst, a)),
        Op::FpToFp(NearestEven, Format::F32) if double => {
            return Some(Instr::Convert(Conversion::F64ToF32, 32, dst, a));
        }
        Op::FpToSbv(Zero, width) => return convert(Conversion::F32ToSigned, Conversion::F64ToSigned, width),
        Op::FpToUbv(Zero, width) => return convert(Conversion::F32ToUnsigned, Conversion::F64ToUnsigned, width),
        _ => return None,
    };
    Some(if double { Instr::F64(float, dst, a, b) } else { Instr::F32(float, dst, a, b) })
}
