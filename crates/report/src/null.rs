//! Where a null pointer comes from: which function returned it, and where.
//!
//! Told events from last to first, a trail follows the pointer from the variable that the violation goes through to the
//! variable that it was copied from, out of a call's result into the function that returned it, and out of a parameter to the
//! argument. It ends where the pointer comes from anything but a local variable, and in front of what is not known event by event.

use crate::execution::is_users;
use crate::fault::only_variable;
use crate::model::{Place, Related};
use base::Span;
use cfa::{EdgeInfo, Func, Op, Program, Var, VarKind};
use term::Term;

pub(crate) struct Trail<'a> {
    program: &'a Program,
    /// The local variable that holds the pointer, and the activation it belongs to.
    at: Option<(usize, Var)>,
    /// The last function on the trail that returned it.
    returned_by: Option<Func>,
    found: Option<Related>,
}

impl<'a> Trail<'a> {
    pub(crate) fn new(program: &'a Program) -> Trail<'a> {
        Trail { program, at: None, returned_by: None, found: None }
    }

    pub(crate) fn begin(&mut self, depth: usize, null: Option<Var>) {
        self.at = null.and_then(|var| self.local(depth, var));
    }

    /// What happened before is not known event by event.
    pub(crate) fn end(&mut self) {
        self.at = None;
    }

    fn local(&self, depth: usize, var: Var) -> Option<(usize, Var)> {
        matches!(self.program.vars[var].kind, VarKind::Local(_)).then_some((depth, var))
    }

    /// Where a function of the user's returned it, or a function of the library's was called that did.
    pub(crate) fn found(self) -> Option<Related> {
        self.found
    }

    /// A call came back with its result in `dst`; whether that is the pointer.
    pub(crate) fn came_back(&mut self, depth: usize, call: &EdgeInfo, dst: Var, callee: Func) -> bool {
        if self.at != Some((depth, dst)) {
            return false;
        }
        let function = &self.program.functions[callee];
        self.at = function.result.map(|result| (depth + 1, result));
        self.returned_by = Some(callee);
        if !is_users(self.program, function.span) {
            self.returned(call.span);
        }
        true
    }

    /// A place of the user's where the last function on the trail returned it.
    fn returned(&mut self, span: Span) {
        let Some(function) = self.returned_by.filter(|_| is_users(self.program, span)) else { return };
        let text = format!("{} returned NULL here", self.program.functions[function].name);
        self.found = Place::of(&self.program.sources, span).map(|place| Related { place, text });
    }

    /// A call began: what a parameter holds is the argument.
    pub(crate) fn called(&mut self, depth: usize, callee: Func, args: &[Term]) {
        let Some((at, var)) = self.at.filter(|(at, _)| *at == depth + 1) else { return };
        let params = &self.program.functions[callee].params;
        let arg = params.iter().zip(args).find(|(param, _)| **param == var).map(|(_, arg)| *arg);
        self.at = arg.and_then(|arg| only_variable(self.program, arg)).and_then(|var| self.local(at - 1, var));
    }

    /// An operation wrote what matters.
    pub(crate) fn wrote(&mut self, depth: usize, info: &EdgeInfo) {
        let Some((_, var)) = self.at.filter(|at| at.0 == depth && info.op.written().contains(&at.1)) else { return };
        let value = match &info.op {
            Op::Assign(pairs) => pairs.iter().find(|(to, _)| *to == var).map(|(_, value)| *value),
            _ => None,
        };
        if self.returned_by.is_some_and(|function| self.program.functions[function].result == Some(var)) {
            self.returned(info.span);
        }
        self.at = value.and_then(|value| only_variable(self.program, value)).and_then(|var| self.local(depth, var));
    }
}
