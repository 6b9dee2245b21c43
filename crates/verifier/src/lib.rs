//! The door: a [`Request`] about a C program goes in, an [`Outcome`] with checked verdicts comes out.
//!
//! Everything that decides a verdict is behind [`verify`]: reading the program, a moment of executions, the engines, folding
//! recursion, reading it again with more room, confirming counterexamples as compiled programs, writing witnesses. The
//! command line, the fuzzer and every other front end ask here, so that what is tested is what users run.
//!
//! A file verified, and its invariants printed, by a program with the one dependency
//! `verifier = { path = "foldback/crates/verifier" }`:
//!
//! ```
//! use std::path::PathBuf;
//! use std::time::Duration;
//! use verifier::{Cancellation, Limits, Method, Request, Unobserved, Verdict, verify};
//!
//! let file = std::env::temp_dir().join(format!("count-{}.c", std::process::id()));
//! std::fs::write(&file, "extern void reach_error(void);
//!     extern unsigned __VERIFIER_nondet_uint(void);
//!     int main(void) {
//!       unsigned n = __VERIFIER_nondet_uint(), i = 0;
//!       while (i < n) i++;
//!       if (i != n) reach_error();
//!     }").expect("a file");
//!
//! let request = Request {
//!     limits: Limits { cpu_time: Some(Duration::from_secs(20)), ..Limits::default() },
//!     ..Request::new(vec![PathBuf::from(&file)])
//! };
//! let outcome = verify(&request, &Unobserved, &Cancellation::new()).expect("a C program");
//! std::fs::remove_file(&file).expect("it is there");
//! match &outcome.verdict {
//!     Verdict::True { proof, .. } => {
//!         if let Method::Invariants { loops, .. } = &proof.method {
//!             for found in loops {
//!                 println!("{}: {}", found.place.as_ref().expect("a loop of the file"), found.text());
//!             }
//!         }
//!     }
//!     other => panic!("{other}"),
//! }
//! ```
//!
//! A build for release is an order of magnitude faster than one for debugging.
//!
//! A verdict is made from evidence that was checked, and cannot be made otherwise:
//!
//! ```compile_fail,E0639
//! fn claim(proof: report::Proof) -> report::Verdict {
//!     report::Verdict::True { proof }
//! }
//! ```

mod annotate;
pub mod certificates;
mod decide;
pub mod doctor;
mod enforce;
pub mod engines;
mod evidence;
mod found;
mod kept;
mod limits;
pub mod load;
pub mod near;
mod outcome;
mod parts;
mod precondition;
pub mod property;
mod quick;
mod recursion;
pub mod replay;
mod request;
mod session;
pub mod signals;
pub mod store;
mod termination;
pub mod tree;
mod trust;
mod unbounded;
mod vacuous;

pub use evidence::input_files;
pub use kept::Kept;
pub use load::BadInput;
pub use outcome::{Evidence, Outcome};
pub use request::{Keep, Limits, Replay, Request, Subject, WitnessFormat};
pub use session::{Cancellation, Observer, Unobserved, cpu_time};

// What requests and outcomes are made of.
pub use cfa::Property;
pub use cfront::types::DataModel;
pub use report::{Method, Verdict};

use parts::Decided;
use session::Session;

/// Decides whether the program violates the properties. Errors are about the input; what could not be decided is an
/// [`Outcome`] that says why.
pub fn verify(request: &Request, observer: &dyn Observer, cancellation: &Cancellation) -> Result<Outcome, BadInput> {
    let session = Session::new(request, observer, cancellation);
    if std::thread::available_parallelism().is_ok_and(|processors| processors.get() > 1) {
        // A proof will be proved again, and there is time for the start while the program is read.
        smt::start_ahead(&smt::Z3Settings::default());
    }
    let request = &with_invariants(request);
    let (program, checked) = load::lowered_and_listed(&request.subject)?;
    // What is said of our own models of the library is for us.
    let ours = |span: base::Span| !span.is_nowhere() && !report::execution::is_users(&program, span);
    let notes = program.notes.iter().filter(|note| note.span.is_none_or(|span| !ours(span)));
    notes.for_each(|note| session.note(note.render(&program.sources)));
    let Decided { whole, parts } = parts::decide_all(&program, &checked, request, &session)?;
    let budget = session.budget(request.limits.cpu_time);
    trust::notes(&program, &checked, &request.subject, &whole.verdict, &budget)
        .into_iter()
        .for_each(|note| session.note(note));
    if let Some(note) = precondition::note(request, &whole.verdict, &session) {
        session.note(note);
    }
    found::notes(request, &session).into_iter().for_each(|note| session.note(note));
    let (notes, runs) = session.finish();
    Ok(Outcome { verdict: whole.verdict, parts, notes, runs, evidence: whole.evidence })
}

/// The request, with the user's loop invariants among what is proved, whatever is asked for.
fn with_invariants(request: &Request) -> Request {
    let mut request = request.clone();
    let lowering = &mut request.subject.lowering;
    // Not where executions are asked for that go on for ever: an assertion that fails would end them. And a certificate is
    // one of the program as everybody reads it.
    let is_endless = lowering.properties.contains(&cfa::Property::Termination);
    lowering.contracts.with_invariants = !is_endless && !request.keep.certificate;
    request
}
