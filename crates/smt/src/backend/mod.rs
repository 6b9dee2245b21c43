//! The solvers themselves.

/// The methods of a back end that only note what is wanted of it, until it is asked. Where the facts change, the last answer is void.
macro_rules! notes_what_is_wanted {
    () => {
        fn push(&mut self) {
            self.last = Last::Nothing;
            self.wanted.push();
        }

        fn pop(&mut self) {
            self.last = Last::Nothing;
            self.wanted.pop();
        }

        fn assert(&mut self, _: &Store, fact: Term) {
            self.last = Last::Nothing;
            self.wanted.assert(fact);
        }

        fn limit(&mut self, limits: &Limits) {
            self.limits = limits.clone();
        }

        fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
            self.checks += 1;
            self.last = Last::Nothing;
            if self.limits.is_cancelled() {
                return Err(Why::Cancelled);
            }
            self.check_wanted(store, assumptions)
        }
    };
}

use notes_what_is_wanted;

mod bitwuzla;
mod pipe;
mod translate;
mod z3;

pub use bitwuzla::{BitwuzlaSettings, BitwuzlaSolver, FloatFormats};
pub use z3::{Z3Process, Z3Scripts, Z3Settings, start_ahead};
