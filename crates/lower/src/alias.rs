//! Functions with several names: aliases, and those that the linker knows by another name than the program (`asm("name")`).
//!
//! A call by any of them is a call of the function. Where an error function is called by a name that only the linker knows to be
//! its own, or is itself another name of something, the call is unsupported: who only sees the text misses it.

use cfa::{LocKind, Property, Violation};
use cfront::hir::{FuncId, Unit};
use std::collections::BTreeSet;

use crate::context::Lowering;
use crate::options::Options;

/// What a function is the other name of; itself, if it is none. (The target of an alias may be one, too.)
pub(crate) fn target(unit: &Unit, id: FuncId) -> FuncId {
    std::iter::successors(Some(id), |id| unit.funcs[*id].alias_of).last().unwrap_or(id)
}

/// Functions that an error function is only another name of.
pub(crate) fn under_errors(unit: &Unit, options: &Options) -> BTreeSet<FuncId> {
    let is_error = |id: &FuncId| options.violated_by_calling(&unit.funcs[*id].name).is_some();
    unit.funcs.ids().filter(is_error).map(|id| target(unit, id)).filter(|id| !is_error(id)).collect()
}

impl Lowering<'_> {
    /// What a call of the function violates by itself.
    pub(crate) fn violated_by_calling(&self, id: FuncId) -> Option<Property> {
        let func = &self.unit.funcs[id];
        let names = std::iter::once(&func.name).chain(&func.written);
        let by_name = names.filter_map(|name| self.options.violated_by_calling(name)).next();
        by_name.or_else(|| self.under_errors.contains(&target(self.unit, id)).then_some(Property::UnreachCall))
    }

    /// Ends the execution where an error function is called.
    pub(crate) fn end_at_error(&mut self, id: FuncId) -> bool {
        let Some(property) = self.violated_by_calling(id) else { return false };
        let func = &self.unit.funcs[id];
        let is_plain = self.options.violated_by_calling(&func.name).is_some()
            && func.alias_of.is_none()
            && (func.body.is_none() || func.written.is_empty() || func.written.contains(&func.name));
        if is_plain {
            let message = format!("{} is called", func.name);
            self.end(LocKind::Error(Violation { property, message }));
        } else {
            let name = func.written.iter().find(|name| **name != func.name).unwrap_or(&func.name);
            self.unsupported(format!("a call of {name}, which is another name of an error function"));
        }
        true
    }
}
