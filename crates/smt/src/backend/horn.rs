//! Interpolants from Z3's Horn clause solver (Spacer).
//!
//! `a` implies `I` over the common variables, `I` and `b` contradict: two Horn clauses with one unknown predicate, whose
//! solution is an interpolant. It is believed only after Bitwuzla has proved both clauses.

use std::process::Command;

use term::smtlib::{Dialect, Printer, parse_model};
use term::{Op, Sort, Store, Term, free_vars, substitute};

use super::bitwuzla::{BitwuzlaSettings, BitwuzlaSolver};
use super::pipe::Pipe;
use super::z3::Z3Settings;
use crate::solver::{Answer, Interpolate, Limits, Solver, Why};

/// See the module. Strong on small formulas over few bits, and on anything else liable to run into its limits.
pub struct HornInterpolator {
    settings: Z3Settings,
    limits: Limits,
}

impl HornInterpolator {
    pub fn new(settings: &Z3Settings, limits: &Limits) -> HornInterpolator {
        HornInterpolator { settings: settings.clone(), limits: limits.clone() }
    }

    fn contradict(&self, store: &Store, terms: &[Term]) -> Result<bool, Why> {
        let mut solver = BitwuzlaSolver::new(&BitwuzlaSettings::default());
        solver.limit(&self.limits);
        Ok(solver.check(store, terms)? == Answer::Unsat)
    }

    /// Asks Spacer for the predicate.
    fn solve(&self, store: &mut Store, a: Term, b: Term, common: &[Term]) -> Result<Term, Why> {
        let sorts: Vec<Sort> = common.iter().map(|&var| store.sort(var)).collect();
        let name = (0..).map(|n| format!("interpolant!{n}")).find(|name| store.find_func(name).is_none());
        let predicate = store.func(&name.expect("some name is free"), &sorts, Sort::Bool);
        let applied = store.mk(Op::Apply(predicate), common);
        let implied = store.implies(a, applied);
        let both = store.and(applied, b);
        let excluded = store.not(both);
        let mut script = "(set-option :fp.engine spacer)\n(set-logic HORN)\n".to_string();
        let mut printer = Printer::new(Dialect::V26);
        for body in [implied, excluded] {
            let mut args = free_vars(store, &[body]);
            args.push(body);
            let clause = store.mk_raw(Op::Forall, &args);
            printer.declare(store, &[clause], &mut script);
            script.push_str("(assert ");
            printer.write(store, clause, &mut script);
            script.push_str(")\n");
        }
        script.push_str("(check-sat)\n(get-model)\n");
        let pipe = Pipe::spawn(Command::new(&self.settings.program).args(["-in", "-smt2"]))?;
        let deadline = self.limits.deadline();
        pipe.send(script)?;
        match pipe.receive(&self.limits, deadline)?.as_str() {
            "sat" => {}
            other => return Err(Why::GaveUp(format!("Spacer answered {other}"))),
        }
        let text = pipe.receive(&self.limits, deadline)?;
        let model = parse_model(store, &text).map_err(|error| Why::GaveUp(format!("unreadable model: {error:?}")))?;
        let found = model.functions.into_iter().find(|(func, _)| *func == predicate);
        let (_, function) = found.ok_or_else(|| Why::GaveUp("Spacer left the predicate open".to_string()))?;
        let map: Vec<(Term, Term)> = function.params.iter().copied().zip(common.iter().copied()).collect();
        Ok(substitute(store, function.body, &map))
    }
}

impl Interpolate for HornInterpolator {
    fn interpolant(&mut self, store: &mut Store, a: Term, b: Term) -> Result<Option<Term>, Why> {
        if !self.contradict(store, &[a, b])? {
            return Ok(None);
        }
        // One of them may contradict itself; without common variables one of them must.
        if self.contradict(store, &[a])? {
            return Ok(Some(store.ff()));
        }
        if self.contradict(store, &[b])? {
            return Ok(Some(store.tt()));
        }
        let theirs = free_vars(store, &[b]);
        let common: Vec<Term> = free_vars(store, &[a]).into_iter().filter(|var| theirs.contains(var)).collect();
        if common.is_empty() {
            return Err(Why::Contradicted("two satisfiable formulas without common variables contradict".to_string()));
        }
        let interpolant = self.solve(store, a, b, &common)?;
        let negated = store.not(interpolant);
        if self.contradict(store, &[a, negated])? && self.contradict(store, &[interpolant, b])? {
            Ok(Some(interpolant))
        } else {
            Err(Why::Contradicted("Spacer's interpolant is none".to_string()))
        }
    }
}
