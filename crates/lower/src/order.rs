//! The order in which operands are evaluated, and the place and the value of an assignment. C leaves it open: where one may
//! change what the other one reads by calling a function (of the compiler's, too) or by the statements of a block, that one has
//! the value from before or from after, and nobody knows which. A violation that rests on the order counts only if the compiled
//! program shows it. Where there is not even a call in between, C does not define what happens.

use cfa::{ORDER, Origin, Property};
use cfront::hir::{Expr, ExprKind, FuncId, Stmt, StmtKind, Storage, VarId};
use std::collections::BTreeSet;
use std::rc::Rc;
use term::{Sort, Term};

use crate::call::{Arg, direct};
use crate::context::Lowering;
use crate::effects::{Effects, changes_memory};
use crate::names;
use crate::options::{ExternEffects, Places};
use crate::place::Place;
use cfront::walk::statements;
use cfront::walk::{walk_expr, walk_stmt};

/// What an evaluation writes, or reads: variables by name, and memory through pointers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    vars: BTreeSet<VarId>,
    memory: bool,
    /// All variables that other files may name.
    globals: bool,
}

/// The variable that a place is a part of, unless a pointer leads there.
pub(crate) fn root(place: &Expr) -> Option<VarId> {
    match &place.kind {
        ExprKind::Var(id) => Some(*id),
        ExprKind::Field(base, _) => root(base),
        ExprKind::Deref(pointer) => match &pointer.kind {
            ExprKind::Decay(array) | ExprKind::AddrOf(array) => root(array),
            ExprKind::PtrAdd { ptr, .. } => match &ptr.kind {
                ExprKind::Decay(array) => root(array),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

fn is_variable(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(inner) => is_variable(inner),
        ExprKind::Load(place) => matches!(place.kind, ExprKind::Var(_)),
        _ => false,
    }
}

const UNSEQUENCED: &str = "a variable that is changed and used in one expression, in no order";

const CHANGE_EACH_OTHER: &str = "an assignment whose place and value change each other";

/// Whether the evaluation of an expression reads nothing, and changes nothing.
fn is_constant(e: &Expr) -> bool {
    let mut reads = false;
    walk_expr(e, &mut |e| reads |= matches!(e.kind, ExprKind::Load(_)));
    !reads && Effects::of(e).none()
}

/// Whether there is a block inside of the expression.
fn has_block(e: &Expr) -> bool {
    let mut found = false;
    walk_expr(e, &mut |e| found |= matches!(e.kind, ExprKind::StmtExpr { .. }));
    found
}

/// Whether the evaluation of an expression calls a function, one of the compiler's that writes, or runs a block.
fn calls(e: &Expr) -> bool {
    let mut found = false;
    walk_expr(e, &mut |e| {
        found |= match &e.kind {
            ExprKind::Call { .. } | ExprKind::StmtExpr { .. } => true,
            ExprKind::Builtin(builtin, _) => !builtin.written().is_empty(),
            _ => false,
        }
    });
    found
}

/// Variables that an evaluation itself reads and writes by name: not in blocks, and not in the functions that it calls.
#[derive(Debug, Default)]
struct Direct {
    read: BTreeSet<VarId>,
    written: BTreeSet<VarId>,
}

impl Direct {
    fn of(e: &Expr) -> Direct {
        let mut found = Direct::default();
        let mut steps = false;
        walk_expr(e, &mut |e| match &e.kind {
            ExprKind::StmtExpr { .. } => steps = true,
            ExprKind::Load(place) => found.read.extend(variable(place)),
            ExprKind::Assign(place, _) => found.written.extend(variable(place)),
            ExprKind::AssignOp { place, .. }
            | ExprKind::AssignPtrAdd { place, .. }
            | ExprKind::IncDec { place, .. } => found.written.extend(variable(place)),
            _ => {}
        });
        if steps { Direct::default() } else { found }
    }
}

fn variable(place: &Expr) -> Option<VarId> {
    match place.kind {
        ExprKind::Var(id) => Some(id),
        _ => None,
    }
}

/// Variables that may still get their new value after that of the expression is known.
fn unfinished(e: &Expr) -> BTreeSet<VarId> {
    match &e.kind {
        ExprKind::Assign(place, value) | ExprKind::AssignOp { place, value, .. } => {
            let mut found = unfinished(value);
            found.extend(variable(place));
            found
        }
        ExprKind::AssignPtrAdd { place, .. } | ExprKind::IncDec { place, .. } => variable(place).into_iter().collect(),
        ExprKind::Comma(_, a) | ExprKind::LogAnd(_, a) | ExprKind::LogOr(_, a) => unfinished(a),
        ExprKind::Cast(a) | ExprKind::Unary(_, a) | ExprKind::Load(a) | ExprKind::Deref(a) | ExprKind::Field(a, _) => {
            unfinished(a)
        }
        ExprKind::Binary(_, a, b) | ExprKind::Cond(_, a, b) => {
            let mut found = unfinished(a);
            found.extend(unfinished(b));
            found
        }
        ExprKind::PtrAdd { ptr, index, .. } => {
            let mut found = unfinished(ptr);
            found.extend(unfinished(index));
            found
        }
        _ => BTreeSet::new(),
    }
}

impl Touched {
    fn place(&mut self, place: &Expr) {
        match root(place) {
            Some(id) => {
                self.vars.insert(id);
            }
            None => self.memory = true,
        }
    }

    /// What a pointer points to.
    fn target(&mut self, pointer: &Expr) {
        match &pointer.kind {
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.place(place),
            ExprKind::Cast(inner) => self.target(inner),
            _ => self.memory = true,
        }
    }
}

impl Footprint {
    /// What assembler among the statements of a body touches.
    fn assembler(&mut self, body: &Stmt) {
        statements(body, &mut |s| {
            let StmtKind::Asm(asm) = &s.kind else { return };
            asm.outputs.iter().for_each(|output| self.written.place(&output.expr));
            // Inputs in memory, and outputs that are inputs, too.
            asm.outputs.iter().chain(&asm.inputs).for_each(|operand| self.read.place(&operand.expr));
            let more = changes_memory(asm);
            self.written.memory |= more;
            self.read.memory |= more;
        });
    }
}

/// How many nodes the tree of an expression has: what evaluating it twice costs.
fn size(e: &Expr) -> usize {
    let mut nodes = 0;
    walk_expr(e, &mut |_| nodes += 1);
    nodes
}

/// What a call of a function touches but for its own variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    written: Touched,
    read: Touched,
}

/// So many arguments or initialisers are evaluated in each order of them.
const MOST_ORDERED: usize = 4;

/// Functions that call a comparison.
const COMPARE: [&str; 5] = ["qsort", "qsort_r", "bsearch", "lfind", "lsearch"];

impl Lowering<'_> {
    /// Both operands, evaluated from left to right; or the other way round, where C leaves that open and it is not the same.
    /// Of operators that `commute`, gcc reads a variable last.
    pub(crate) fn operands(&mut self, a: &Expr, b: &Expr, commute: bool) -> (Term, Term) {
        let (in_a, in_b) = (Effects::of(a), Effects::of(b));
        let is_users = self.fun.library_checked.is_none();
        if !is_users || in_a.none() && in_b.none() {
            let left = self.value(a);
            let left = self.stable(left, &in_b);
            return (left, self.value(b));
        }
        self.refuse_unsequenced(a, b);
        let has_block = has_block(a) || has_block(b);
        if !self.interfere(a, b) {
            let left = self.value(a);
            let left = self.stable(left, &in_b);
            return (left, self.value(b));
        }
        // A block has labels and variables of its own, and is lowered once.
        if has_block && !in_a.none() && !in_b.none() {
            if self.options.places != Places::Fixed {
                self.unsupported(
                    "a block in an expression and an operand whose order of evaluation matters, which C leaves open",
                );
            }
            let left = self.value(a);
            let left = self.stable(left, &in_b);
            return (left, self.value(b));
        }
        // One of them is evaluated before or after the other one: that which has no effects, or is shorter.
        let is_last = commute && is_variable(a);
        if in_a.none() || !in_b.none() && size(a) < size(b) {
            let other = self.choice();
            let late = if is_last { self.terms().not(other) } else { other };
            let (left, right) = self.before_or_after(late, a, b);
            return (left, right);
        }
        let early = self.choice();
        let late = self.terms().not(early);
        let (right, left) = self.before_or_after(late, b, a);
        (left, right)
    }

    /// The values of both: `moved` is evaluated after `fixed` if it is `late`, else before it.
    fn before_or_after(&mut self, late: Term, moved: &Expr, fixed: &Expr) -> (Term, Term) {
        let early = self.terms().not(late);
        let before = self.value_if(early, moved);
        let value = self.value(fixed);
        let value = self.stable(value, &Effects::of(moved));
        let after = self.value_if(late, moved);
        (self.terms().ite(late, after, before), value)
    }

    /// The orders in which arguments, or initialisers, may be evaluated, where that is not the same: each of them, by its
    /// position, in turn and under a condition. Of two orders that give the same there is one.
    pub(crate) fn orders(&mut self, args: &[&Expr], what: &str) -> Option<Vec<(Term, usize)>> {
        if self.fun.library_checked.is_some() || args.iter().all(|e| Effects::of(e).none()) {
            return None;
        }
        let entangled: Vec<usize> = (0..args.len())
            .filter(|&i| !is_constant(args[i]) && (0..args.len()).any(|j| i != j && self.interfere(args[i], args[j])))
            .collect();
        if entangled.is_empty() || self.options.places == Places::Fixed {
            return None;
        }
        if entangled.len() > MOST_ORDERED {
            self.unsupported(format!("many {what} whose order of evaluation matters, which C leaves open"));
            return None;
        }
        // A block has labels and variables of its own, and is lowered once: it has one turn, the others come before or after it.
        let blocks: Vec<usize> = entangled.iter().copied().filter(|&i| has_block(args[i])).collect();
        if blocks.len() > 1 {
            self.unsupported(format!("{what} with blocks whose order of evaluation matters, which C leaves open"));
            return None;
        }
        let always = self.terms().tt();
        let mut turns: Vec<(Term, usize)> = blocks.iter().map(|&i| (always, i)).collect();
        // The last one comes first, as gcc has it.
        for &i in entangled.iter().rev().filter(|i| !blocks.contains(i)) {
            let mut with = Vec::new();
            let mut missing = always;
            for (cond, turn) in std::mem::take(&mut turns) {
                let other = self.choice();
                let here = if turn < i { self.terms().not(other) } else { other };
                let here = self.terms().and(missing, here);
                with.extend([(here, i), (cond, turn)]);
                let not_here = self.terms().not(here);
                missing = self.terms().and(missing, not_here);
            }
            with.push((missing, i));
            turns = with;
        }
        Some(turns)
    }

    /// Refuses that one comes before the others, where that is not the same.
    pub(crate) fn refuse_other_order<'e>(&mut self, e: &Expr, others: impl Iterator<Item = &'e Expr>, what: &str) {
        if self.options.places == Places::Fixed || self.fun.library_checked.is_some() {
            return;
        }
        for other in others {
            if self.interfere(e, other) {
                self.unsupported(format!("{what} whose order of evaluation matters, which C leaves open"));
                return;
            }
        }
    }

    /// The place of an assignment and the value for it. The place comes first; or last, where that is not the same.
    pub(crate) fn place_and_value(&mut self, place: &Expr, value: &Expr) -> (Place, Term) {
        // The order of gcc: the value comes first where it is computed, not just read or returned.
        let is_computed = !matches!(value.kind, ExprKind::Load(_) | ExprKind::Call { .. });
        self.place_and_value_where(place, value, is_computed)
    }

    /// `value_first`: whether that is the order for who just runs the program.
    fn place_and_value_where(&mut self, place: &Expr, value: &Expr, value_first: bool) -> (Place, Term) {
        if self.fun.library_checked.is_none() && !(Effects::of(value).none() && Effects::of(place).none()) {
            self.refuse_unsequenced(place, value);
            if let ExprKind::Var(id) = place.kind
                && unfinished(value).contains(&id)
            {
                self.unsupported(format!("{UNSEQUENCED} ('{}')", self.unit.vars[id].name));
            }
            if self.options.places == Places::Fixed {
                let value_first = value_first && self.interfere(place, value);
                return self.place_and_value_in_order(place, value, value_first);
            }
            if self.changes(value, place) {
                return self.place_or_value_first(place, value);
            }
            if self.is_entangled(place, value) {
                return self.value_last_or_first(place, value);
            }
        }
        self.place_and_value_in_order(place, value, false)
    }

    fn place_and_value_in_order(&mut self, place: &Expr, value: &Expr, value_first: bool) -> (Place, Term) {
        if value_first {
            let value = self.value(value);
            let value = self.stable(value, &Effects::of(place));
            return (self.place(place), value);
        }
        let at = self.place(place);
        let at = self.stable_place(at, &Effects::of(value));
        (at, self.value(value))
    }

    /// Whether the evaluation of a place calls a function, so that it is not the same whether the value comes before or after it.
    fn is_entangled(&mut self, place: &Expr, value: &Expr) -> bool {
        self.options.places != Places::Fixed && calls(place) && self.interfere(place, value)
    }

    /// The value comes first or last.
    fn value_last_or_first(&mut self, place: &Expr, value: &Expr) -> (Place, Term) {
        if !Effects::of(value).none() {
            self.unsupported(CHANGE_EACH_OTHER);
            return self.place_and_value_in_order(place, value, false);
        }
        let first = self.choice();
        let last = self.terms().not(first);
        let before = self.value_if(first, value);
        let at = self.place(place);
        let after = self.value_if(last, value);
        (at, self.terms().ite(first, before, after))
    }

    /// Refuses that the place of a record comes before its value, where that is not the same.
    pub(crate) fn refuse_entangled(&mut self, place: &Expr, value: &Expr) {
        let is_open = self.options.places != Places::Fixed && self.fun.library_checked.is_none();
        if is_open && (calls(place) || calls(value)) && self.interfere(place, value) {
            self.unsupported(CHANGE_EACH_OTHER);
        }
    }

    /// A variable that a compound assignment reads must not be changed by its right side.
    fn refuse_changed(&mut self, place: &Expr, value: &Expr) {
        if let ExprKind::Var(id) = place.kind
            && self.fun.library_checked.is_none()
            && Direct::of(value).written.contains(&id)
        {
            self.unsupported(format!("{UNSEQUENCED} ('{}')", self.unit.vars[id].name));
        }
    }

    /// `pointer += index`.
    pub(crate) fn refuse_unsequenced_step(&mut self, place: &Expr, index: &Expr) {
        self.refuse_changed(place, index);
        if self.fun.library_checked.is_none() {
            self.refuse_unsequenced(place, index);
            if self.options.places != Places::Fixed && self.changes_place(index, place)
                || self.is_entangled(place, index)
            {
                self.unsupported(
                    "a pointer that is moved and changed in one expression, in an order that C leaves open",
                );
            }
        }
    }

    /// The place of a compound assignment, the value that it has, from before or from after the evaluation of the right side,
    /// and the value of that side.
    pub(crate) fn place_and_values(&mut self, place: &Expr, value: &Expr) -> (Place, Term, Term) {
        self.refuse_changed(place, value);
        // gcc evaluates the place of a compound assignment once where that does something, and otherwise again.
        let value_first = Effects::of(place).none();
        let changes_place = self.changes_place(value, place);
        if changes_place && calls(place) && self.options.places != Places::Fixed {
            self.unsupported(CHANGE_EACH_OTHER);
        }
        if !changes_place || !Effects::of(place).none() {
            let (at, right) = self.place_and_value_where(place, value, value_first);
            let old = self.read(&at, place.ty, place);
            return (at, old, right);
        }
        let early = self.choice();
        let none = self.dummy(place.ty);
        let before = self.temp(self.program.terms.sort(none));
        self.assign(before, none);
        self.run_if(early, |low| {
            let at = low.place(place);
            let old = low.read(&at, place.ty, place);
            low.assign(before, old);
        });
        let (at, right) = self.place_and_value_where(place, value, value_first);
        let after = self.read(&at, place.ty, place);
        let before = self.term(before);
        (at, self.terms().ite(early, before, after), right)
    }

    fn place_or_value_first(&mut self, place: &Expr, value: &Expr) -> (Place, Term) {
        if has_block(place) && !Effects::of(place).none() {
            self.unsupported(CHANGE_EACH_OTHER);
            return self.place_and_value_in_order(place, value, false);
        }
        let Place::Memory(mut before) = self.place(place) else {
            let at = self.place(place);
            return (at, self.value(value));
        };
        before.base = self.snapshot(before.base);
        for index in &mut before.indices {
            index.term = self.snapshot(index.term);
        }
        let value = self.value(value);
        let late = self.choice();
        let after = match self.place(place) {
            Place::Memory(after) if Effects::of(place).none() && after.indices.len() == before.indices.len() => after,
            _ => {
                self.unsupported(CHANGE_EACH_OTHER);
                return (Place::Memory(before), value);
            }
        };
        before.base = self.terms().ite(late, after.base, before.base);
        for (index, later) in before.indices.iter_mut().zip(after.indices) {
            index.term = self.terms().ite(late, later.term, index.term);
        }
        before.known = before.known.filter(|_| before.known == after.known);
        (Place::Memory(before), value)
    }

    /// Which of two orders the compiler takes: not the usual one? Who just runs the program has that.
    pub(crate) fn choice(&mut self) -> Term {
        self.choice_of(ORDER)
    }

    /// One of two ways, both of which C allows: not the usual one? Who just runs the program has that.
    pub(crate) fn choice_of(&mut self, what: &str) -> Term {
        if self.options.places == Places::Fixed {
            return self.terms().ff();
        }
        self.havoc(Sort::Bool, Origin::Extern(what.to_owned()))
    }

    /// The value, evaluated where the condition holds.
    pub(crate) fn value_if(&mut self, cond: Term, e: &Expr) -> Term {
        let none = self.dummy(e.ty);
        let result = self.temp(self.program.terms.sort(none));
        self.assign(result, none);
        self.run_if(cond, |low| {
            let value = low.value(e);
            low.assign(result, value);
        });
        self.term(result)
    }

    /// Runs the code where the condition holds.
    pub(crate) fn run_if(&mut self, cond: Term, code: impl FnOnce(&mut Self)) {
        let (yes, no, join) = (self.fresh_loc(), self.fresh_loc(), self.fresh_loc());
        self.split(cond, yes, no);
        self.either((yes, no, join), code, |_| {});
    }

    /// A variable that one of them changes while the other one reads or changes it, nothing said of what comes first: C does
    /// not define that.
    pub(crate) fn refuse_unsequenced(&mut self, a: &Expr, b: &Expr) {
        let (a, b) = (Direct::of(a), Direct::of(b));
        let unit = self.unit;
        let is_users = |id: &&VarId| !unit.vars[**id].generated;
        let met = a.written.iter().filter(is_users).find(|id| b.read.contains(id) || b.written.contains(id));
        if let Some(id) = met.or_else(|| b.written.iter().filter(is_users).find(|id| a.read.contains(id))) {
            self.unsupported(format!("{UNSEQUENCED} ('{}')", self.unit.vars[*id].name));
        }
    }

    /// Is it not the same which of two comes first?
    fn interfere(&mut self, a: &Expr, b: &Expr) -> bool {
        if Effects::of(a).none() && Effects::of(b).none() {
            return false;
        }
        let (a, b) = (self.touched(a), self.touched(b));
        self.meet(&a.written, &b.read) || self.meet(&b.written, &a.read) || self.meet(&a.written, &b.written)
    }

    /// May the evaluation of one expression change what the other one reads?
    fn changes(&mut self, writer: &Expr, reader: &Expr) -> bool {
        let (writer, reader) = (self.touched(writer), self.touched(reader));
        self.meet(&writer.written, &reader.read)
    }

    /// May the evaluation of `value` change what is at the place?
    pub(crate) fn changes_place(&mut self, value: &Expr, place: &Expr) -> bool {
        let mut at = Touched::default();
        at.place(place);
        if self.fun.library_checked.is_some() {
            return false;
        }
        let value = self.touched(value);
        self.meet(&value.written, &at)
    }

    /// May something of what is written be touched, too?
    fn meet(&self, written: &Touched, other: &Touched) -> bool {
        let vars = &self.unit.vars;
        let exposed = |touched: &Touched| touched.memory || touched.vars.iter().any(|id| vars[*id].address_taken);
        let named = |touched: &Touched| touched.vars.iter().any(|id| vars[*id].storage == Storage::Extern);
        !written.vars.is_disjoint(&other.vars)
            || written.memory && exposed(other)
            || exposed(written) && other.memory
            // What two unknown functions make of the globals is anything, in both orders.
            || written.globals && named(other)
            || other.globals && named(written)
    }

    /// What the evaluation touches.
    fn touched(&mut self, e: &Expr) -> Footprint {
        let mut found = Footprint::default();
        let mut called = Vec::new();
        walk_expr(e, &mut |e| self.touches(e, &mut found, &mut called));
        for id in called {
            let by_call = self.footprint_of(id);
            for (own, by_call) in [(&mut found.written, &by_call.written), (&mut found.read, &by_call.read)] {
                own.vars.extend(&by_call.vars);
                own.memory |= by_call.memory;
                own.globals |= by_call.globals;
            }
        }
        found
    }

    /// What an expression touches by itself, and the functions that it calls.
    fn touches(&self, e: &Expr, found: &mut Footprint, called: &mut Vec<FuncId>) {
        if let ExprKind::StmtExpr { body, .. } = &e.kind {
            return body.iter().for_each(|s| found.assembler(s));
        }
        let Footprint { written, read } = found;
        match &e.kind {
            ExprKind::Load(place) => read.place(place),
            ExprKind::Assign(place, _) => written.place(place),
            ExprKind::AssignOp { place, .. }
            | ExprKind::AssignPtrAdd { place, .. }
            | ExprKind::IncDec { place, .. }
            | ExprKind::VaArg(place) => {
                written.place(place);
                read.place(place);
            }
            ExprKind::VaStart(place) | ExprKind::VaCopy(place, _) => written.place(place),
            ExprKind::Builtin(builtin, args) => {
                builtin.written().iter().for_each(|&i| written.target(&args[i]));
                builtin.read().iter().for_each(|&i| read.target(&args[i]));
            }
            ExprKind::Call { callee, args } => match direct(callee) {
                Some(id) if self.unit.funcs[id].body.is_some() => called.push(id),
                Some(id) => {
                    let func = &self.unit.funcs[id];
                    let to = |arg: &Expr| self.unit.types.pointee(arg.ty);
                    read.memory |= args.iter().any(|arg| to(arg).is_some());
                    if func.pure {
                        return;
                    }
                    let is_known = names::kind(&func.name).is_some() || func.name.starts_with("__VERIFIER_");
                    let effects = self.options.extern_effects;
                    written.globals |= !is_known && effects == ExternEffects::Any;
                    let writes = args.iter().any(|arg| to(arg).is_some_and(|to| !to.is_const()));
                    let may = is_known || effects != ExternEffects::Pure;
                    // What is freed is not changed, but may not be read any more.
                    let is_seen = func.name != "free" || self.options.checks(Property::ValidDeref);
                    written.memory |= writes && may && is_seen;
                }
                None => {
                    called.extend(&self.reach.address_taken);
                    for touched in [written, read] {
                        touched.globals = true;
                        touched.memory = true;
                    }
                }
            },
            _ => {}
        }
    }

    /// A function that sorts or searches calls its comparison as often as it likes, and in any order.
    pub(crate) fn refuse_counted(&mut self, id: FuncId, args: &[Arg<'_>]) {
        let unit = self.unit;
        let name = unit.funcs[id].name.as_str();
        let is_asked = COMPARE.contains(&name) && self.is_library(id) && self.options.places != Places::Fixed;
        if !is_asked || self.fun.library_checked.is_some() {
            return;
        }
        let Some(arg) = args.iter().find(|arg| unit.types.called(arg.ty).is_some()) else { return };
        let all: Vec<FuncId> = match direct(arg.expr) {
            Some(id) => vec![id],
            None => self.reach.address_taken.iter().copied().collect(),
        };
        for compare in all {
            let written = &self.footprint_of(compare).written;
            let is_users = |var: &VarId| !self.is_library_var(*var);
            if unit.funcs[compare].params.len() >= 2 && (written.memory || written.vars.iter().any(is_users)) {
                self.unsupported(format!(
                    "how often {name} calls a comparison that changes something ('{}')",
                    unit.funcs[compare].name
                ));
                return;
            }
        }
    }

    /// What a call of the function may touch but for its own variables.
    fn footprint_of(&mut self, id: FuncId) -> Rc<Footprint> {
        if let Some(known) = self.footprints.get(&id) {
            return known.clone();
        }
        let unit = self.unit;
        let mut found = Footprint::default();
        let mut seen = BTreeSet::from([id]);
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            let Some(body) = &unit.funcs[id].body else { continue };
            let mut called = Vec::new();
            found.assembler(body);
            walk_stmt(body, &mut |e| self.touches(e, &mut found, &mut called));
            work.extend(called.into_iter().filter(|f| seen.insert(*f)));
        }
        for touched in [&mut found.written, &mut found.read] {
            touched.vars.retain(|id| unit.vars[*id].storage.is_static());
        }
        let found = Rc::new(found);
        self.footprints.insert(id, found.clone());
        found
    }
}
