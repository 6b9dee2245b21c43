//! Contracts that a witness claims of functions: checked in every call, inside of the function itself.
//!
//! Where the function starts, what the contract requires is asserted, and the values that it speaks of later are remembered:
//! parameters in a postcondition are those of the call. Where the function returns, the postcondition is asserted. The program behaves
//! as without; a claim that is broken violates its `Property::Invariant`.

use cfa::{LocKind, Op, Property, Violation};
use cfront::hir::{Contract, Expr, ExprKind, FuncId};

use crate::clause::Sense;
use crate::context::{Home, Lowering};

impl Lowering<'_> {
    pub(crate) fn claims_before(&mut self, id: FuncId) {
        let unit = self.unit;
        let span = self.fun.span;
        for (number, claim) in &unit.funcs[id].claims {
            self.forget_homes(claim);
            let mark = self.fun.live.len();
            for (&param, &own) in claim.params.iter().zip(&unit.funcs[id].params) {
                let ty = unit.vars[own].ty;
                let place = Expr { kind: ExprKind::Var(own), ty, span };
                if self.sort(ty).is_none() || !matches!(self.make_home(param), Home::Scalar(_)) {
                    self.unsupported("a claim about a function with parameters that are no numbers or pointers");
                    continue;
                }
                let at = self.place(&place);
                let value = self.read(&at, ty, &place);
                self.bind(param, value);
            }
            self.assert_claim(*number, claim, &claim.requires);
            for (var, e) in &claim.history {
                let home = if self.sort(e.ty).is_some() { Some(self.make_home(*var)) } else { None };
                let Some(Home::Scalar(home)) = home else {
                    self.unsupported("a claim about an earlier value that is no number or pointer");
                    continue;
                };
                let value = self.value(e);
                let value = self.snapshot(value);
                self.emit(Op::Assign(vec![(home, value)]));
            }
            // What is remembered lives until the function has returned.
            self.fun.live.truncate(mark);
        }
        self.fun.span = span;
    }

    pub(crate) fn claims_after(&mut self, id: FuncId) {
        let unit = self.unit;
        let span = self.fun.span;
        for (number, claim) in &unit.funcs[id].claims {
            if let Some(var) = claim.result {
                let result = self.fun.graph.result.map(|result| self.term(result));
                match (result, self.make_home(var)) {
                    (Some(value), Home::Scalar(_)) => self.bind(var, value),
                    _ => self.unsupported("a claim about a function that returns no number or pointer"),
                }
            }
            self.assert_claim(*number, claim, &claim.ensures);
        }
        self.fun.span = span;
    }

    fn assert_claim(&mut self, number: u32, claim: &Contract, conditions: &[Expr]) {
        let outer = self.sense.replace(Sense::AssertedAfter);
        for condition in conditions {
            self.fun.span = claim.span;
            let message = "a function does not keep what is claimed of it".to_owned();
            let failure = LocKind::Error(Violation { property: Property::Invariant(number), message });
            self.assert_clause(condition, &failure);
        }
        self.sense = outer;
    }
}
