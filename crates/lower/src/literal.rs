//! String literals may share their storage with equal ones and with the ends of longer ones, or may not: C leaves it open. So
//! whether pointers into two literals are equal, which could, is any truth value. Compound literals of `const` types may
//! share it like that, too, also with strings. Which literals a pointer may point into is
//! taken from the way the program is written, by variable, member and function; what goes through other memory is not seen.

use cfa::{Op, Origin, PLACES};
use cfront::hir::{BinaryOp, Expr, ExprKind, FuncId, Init, StmtKind, StrId, Symbol, VarId};
use cfront::types::RecordId;
use std::collections::{BTreeMap, BTreeSet};
use term::{Sort, Term};

use crate::call::direct;
use crate::context::Lowering;
use crate::options::Places;
use crate::order::root;
use cfront::walk::statements;
use cfront::walk::walk_stmt;

/// A string, and where it is written, or a constant compound literal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Literal {
    Str(StrId, base::Span),
    Compound(VarId),
}

/// What pointers may point into that are compared.
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    /// Strings that may share storage.
    strings: Vec<(StrId, StrId)>,
    /// A compound literal may share storage with another literal.
    compounds: bool,
}

impl Sharing {
    pub(crate) fn is_none(&self) -> bool {
        self.strings.is_empty() && !self.compounds
    }
}

/// What holds pointers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Holder {
    Var(VarId),
    Field(RecordId, u32),
    Func(FuncId),
}

#[derive(Debug, Default)]
pub(crate) struct Literals(BTreeMap<Holder, BTreeSet<Literal>>);

/// So many pairs of literals are told apart.
const MOST_PAIRS: usize = 16;

impl Lowering<'_> {
    /// Finds the literals that pointers may point into, where the program compares pointers.
    pub(crate) fn find_literals(&mut self) {
        let unit = self.unit;
        let is_pointer = |e: &Expr| unit.types.is_pointer(e.ty) && !matches!(e.kind, ExprKind::Int(_));
        let mut compares = false;
        let funcs: Vec<FuncId> = self.reach.funcs.iter().copied().filter(|f| !self.is_library(*f)).collect();
        for body in funcs.iter().filter_map(|f| unit.funcs[*f].body.as_ref()) {
            walk_stmt(body, &mut |e| {
                if let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) = &e.kind {
                    compares |= is_pointer(a) && is_pointer(b);
                }
            });
        }
        if !compares {
            return;
        }
        loop {
            let mut found: Vec<(Holder, BTreeSet<Literal>)> = Vec::new();
            let mut put = |holder: Option<Holder>, value: &Expr, low: &Self| {
                let literals = low.literals_in(value);
                found.extend(holder.filter(|_| !literals.is_empty()).map(|holder| (holder, literals)));
            };
            let mut start = |id: VarId, init: &Init, low: &Self| match init {
                Init::Value(value) => put(Some(Holder::Var(id)), value, low),
                Init::Parts(parts, _) => parts.iter().for_each(|part| put(Some(Holder::Var(id)), &part.value, low)),
            };
            for id in &self.reach.vars {
                unit.vars[*id].init.iter().for_each(|init| start(*id, init, self));
            }
            for id in &funcs {
                let Some(body) = &unit.funcs[*id].body else { continue };
                statements(body, &mut |s| {
                    if let StmtKind::Decl { var, init: Some(init), .. } = &s.kind {
                        start(*var, init, self);
                    }
                });
            }
            for id in &funcs {
                let Some(body) = &unit.funcs[*id].body else { continue };
                walk_stmt(body, &mut |e| match &e.kind {
                    ExprKind::Assign(place, value) => put(self.holder_of(place), value, self),
                    ExprKind::Call { callee, args } => {
                        let params = direct(callee).map(|callee| &unit.funcs[callee].params);
                        for (param, arg) in params.into_iter().flatten().zip(args) {
                            put(Some(Holder::Var(*param)), arg, self);
                        }
                    }
                    _ => {}
                });
                statements(body, &mut |s| {
                    if let StmtKind::Return(Some(value)) = &s.kind {
                        put(Some(Holder::Func(*id)), value, self);
                    }
                });
            }
            let mut changed = false;
            for (holder, literals) in found {
                let known = self.literals.0.entry(holder).or_default();
                let before = known.len();
                known.extend(literals);
                changed |= known.len() > before;
            }
            if !changed {
                return;
            }
        }
    }

    fn holder_of(&self, place: &Expr) -> Option<Holder> {
        match &place.kind {
            ExprKind::Field(base, index) if root(place).is_none() => {
                Some(Holder::Field(self.unit.types.record(base.ty)?, *index))
            }
            _ => root(place).map(Holder::Var),
        }
    }

    fn literals_in(&self, e: &Expr) -> BTreeSet<Literal> {
        let held = |holder: Holder| self.literals.0.get(&holder).cloned().unwrap_or_default();
        match &e.kind {
            ExprKind::Address(Symbol::Str(id), _) => BTreeSet::from([Literal::Str(*id, e.span)]),
            ExprKind::Address(Symbol::Var(id), _) => self.constant_literal(*id).into_iter().collect(),
            ExprKind::Decay(place) | ExprKind::AddrOf(place) => match place.kind {
                ExprKind::Str(id) => BTreeSet::from([Literal::Str(id, e.span)]),
                ExprKind::CompoundLiteral(id, _) | ExprKind::Var(id) => self.constant_literal(id).into_iter().collect(),
                _ => BTreeSet::new(),
            },
            ExprKind::Cast(inner) | ExprKind::PtrAdd { ptr: inner, .. } | ExprKind::Comma(_, inner) => {
                self.literals_in(inner)
            }
            ExprKind::Assign(_, inner) => self.literals_in(inner),
            ExprKind::Cond(_, a, b) | ExprKind::Elvis { value: a, other: b } => {
                let mut found = self.literals_in(a);
                found.extend(self.literals_in(b));
                found
            }
            ExprKind::Load(place) => self.holder_of(place).map(held).unwrap_or_default(),
            ExprKind::Call { callee, .. } => direct(callee).map(|f| held(Holder::Func(f))).unwrap_or_default(),
            _ => BTreeSet::new(),
        }
    }

    fn constant_literal(&self, id: VarId) -> Option<Literal> {
        let var = &self.unit.vars[id];
        let mut ty = var.ty;
        let mut is_const = ty.is_const();
        while let Some(of) = self.unit.types.element(ty) {
            ty = of;
            is_const |= ty.is_const();
        }
        (var.name == cfront::hir::COMPOUND_LITERAL && is_const).then_some(Literal::Compound(id))
    }

    /// The literals that the two pointers may point into and that may share storage.
    pub(crate) fn shared_literals(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Sharing {
        let types = &self.unit.types;
        let is_asked = matches!(op, BinaryOp::Eq | BinaryOp::Ne) && types.is_pointer(a.ty) && types.is_pointer(b.ty);
        if !is_asked || self.fun.library_checked.is_some() || self.options.places == Places::Fixed {
            return Sharing::default();
        }
        let (a, b) = (self.literals_in(a), self.literals_in(b));
        let strings = &self.unit.strings;
        let may_share = |x: StrId, y: StrId| {
            let (x, y) = (&strings[x], &strings[y]);
            x.elem == y.elem && (x.units.ends_with(&y.units) || y.units.ends_with(&x.units))
        };
        let mut sharing = Sharing::default();
        let mut pairs = BTreeSet::new();
        for (x, y) in a.iter().flat_map(|x| b.iter().map(move |y| (x, y))).filter(|(x, y)| x != y) {
            match (*x, *y) {
                (Literal::Str(x, _), Literal::Str(y, _)) if may_share(x, y) => {
                    pairs.insert((x, y));
                }
                (Literal::Str(..), Literal::Str(..)) => {}
                _ => sharing.compounds = true,
            }
        }
        sharing.strings = pairs.into_iter().collect();
        sharing
    }

    /// The result of a comparison, or any where it depends on which literals share storage.
    pub(crate) fn literal_equality(&mut self, sharing: &Sharing, a: Term, b: Term, exact: Term) -> Term {
        if sharing.is_none() {
            return exact;
        }
        let pairs = &sharing.strings;
        let machine = self.program.machine;
        let mut open = self.terms().bool(sharing.compounds || pairs.len() > MOST_PAIRS);
        for (x, y) in pairs.iter().take(MOST_PAIRS) {
            let (left, right) = (self.string_address(*x), self.string_address(*y));
            let (left_size, right_size) = (self.string_size(*x), self.string_size(*y));
            let (left_size, right_size) = (self.word(left_size), self.word(right_size));
            let terms = self.terms();
            let (of_a, of_left) = (machine.origin_of(terms, a), machine.origin_of(terms, left));
            let (of_b, of_right) = (machine.origin_of(terms, b), machine.origin_of(terms, right));
            let (is_left, is_right) = (terms.eq(of_a, of_left), terms.eq(of_b, of_right));
            // As far from the ends of both.
            let (left_at, right_at) = (machine.offset_of(terms, a), machine.offset_of(terms, b));
            let (left_rest, right_rest) = (terms.sub(left_size, left_at), terms.sub(right_size, right_at));
            let is_level = terms.eq(left_rest, right_rest);
            let both = terms.and(is_left, is_right);
            let own = terms.and(both, is_level);
            open = terms.or(open, own);
        }
        let result = self.temp(Sort::Bool);
        self.assign(result, exact);
        self.run_if(open, |low| {
            low.emit(Op::Havoc { vars: vec![result], origin: Origin::Extern(PLACES.to_owned()) });
        });
        self.term(result)
    }
}
