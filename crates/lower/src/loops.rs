//! Contracts of loops. Nothing of them is assumed: an invariant is asserted when the loop is entered and at its head, so that one
//! that is false is found, and engines see in the assertion what may be worth proving. (Asserting it twice tells whether it
//! fails at first or after an iteration.) What decreases is asserted to be less after every iteration.

use cfa::{LocKind, Property, Violation};
use cfront::hir::{FuncId, LoopContract};
use term::Term;

use crate::clause::Sense;
use crate::context::Lowering;
use crate::text::show;

impl Lowering<'_> {
    /// In front of the loop.
    pub(crate) fn enter_loop(&mut self, contract: Option<&LoopContract>) {
        if let Some(contract) = contract {
            self.remember(&contract.history);
            self.assert_invariants(contract, "does not hold at first");
        }
    }

    /// At the head of the loop.
    pub(crate) fn at_loop_head(&mut self, contract: Option<&LoopContract>) {
        if let Some(contract) = contract {
            self.assert_invariants(contract, "does not hold after an iteration");
        }
    }

    fn assert_invariants(&mut self, contract: &LoopContract, how: &str) {
        let is_asserted = self.options.checks(Property::Assert) || self.options.contracts.with_invariants;
        if !is_asserted || !self.is_checked_line(contract.span) {
            return;
        }
        let outer = (self.fun.span, self.sense.replace(Sense::AssertedAfter));
        for invariant in &contract.invariants {
            let message = format!("the loop invariant {how}: {}", show(self.unit, invariant));
            let failure = LocKind::Error(Violation { property: Property::Assert, message });
            self.assert_clause(invariant, &failure);
        }
        (self.fun.span, self.sense) = outer;
    }

    /// The values that are to decrease, at the start of an iteration.
    pub(crate) fn loop_measure(&mut self, contract: Option<&LoopContract>) -> Vec<Term> {
        let Some(contract) = contract.filter(|_| self.options.checks(Property::Assert)) else { return Vec::new() };
        let outer = self.fun.span;
        let mut found = Vec::new();
        if !self.is_checked_line(contract.span) {
            return found;
        }
        for e in &contract.decreases {
            self.fun.span = e.span;
            let value = self.value(e);
            found.push(self.snapshot(value));
        }
        self.fun.span = outer;
        found
    }

    /// At the end of an iteration: the first value that changed is less. Values are bounded, so this ends.
    pub(crate) fn assert_decreases(&mut self, contract: Option<&LoopContract>, before: &[Term]) {
        let Some(contract) = contract.filter(|_| !before.is_empty()) else { return };
        let outer = self.fun.span;
        let mut less = self.terms().ff();
        let mut equal = self.terms().tt();
        for (e, &old) in contract.decreases.iter().zip(before) {
            self.fun.span = e.span;
            let new = self.value(e);
            let new = self.snapshot(new);
            let signed = self.is_signed(e.ty);
            let terms = self.terms();
            let here = if signed { terms.slt(new, old) } else { terms.ult(new, old) };
            let first = terms.and(equal, here);
            less = terms.or(less, first);
            let same = terms.eq(new, old);
            equal = terms.and(equal, same);
        }
        if let (true, [e, ..], [old, ..]) = (contract.is_variant, &contract.decreases[..], before)
            && self.is_signed(e.ty)
        {
            let terms = self.terms();
            let zero = terms.bv(0, terms.width(*old));
            let natural = terms.sle(zero, *old);
            less = terms.and(less, natural);
        }
        let shown: Vec<String> = contract.decreases.iter().map(|e| show(self.unit, e)).collect();
        let natural = if contract.is_variant { ", or starts below zero" } else { "" };
        let message = format!("an iteration of the loop does not decrease {}{natural}", shown.join(", "));
        self.require(less, LocKind::Error(Violation { property: Property::Assert, message }));
        self.fun.span = outer;
    }

    /// Says of a function with a contract that is not looked at what that means.
    pub(crate) fn note_contract(&mut self, id: FuncId) {
        let func = &self.unit.funcs[id];
        let is_checked = self.options.contracts.check && func.name == self.options.entry;
        if func.contract.is_some() && !is_checked && !self.options.contracts.any() {
            let message = format!("the contract of '{}' is not looked at: --check-contract, --use-contract", func.name);
            self.note_once(&format!("contract of {}", func.name), func.span, message);
        }
    }
}
