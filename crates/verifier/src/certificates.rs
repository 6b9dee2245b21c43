//! Certificates of proofs: made where somebody asks for one, checked from the source on.

use crate::decide::{About, Reason};
use crate::evidence::input_files;
use crate::limits::evidence::{BOUNDS, DONE_EVERY, MANY_CASES, STACK_BYTES};
use crate::load;
use crate::property;
use crate::request::Subject;
use base::cpu::Deadline;
use certificate::{Certificate, Checked, Flaw, Manifest, Scheme, SourceFile, Way};
use cfa::Property;
use cfa::evidence::Proof;
use lower::Unchecked;
use std::collections::BTreeMap;
use std::sync::mpsc::{self, RecvTimeoutError};
use term::{Op, Store, Term};
use transform::pipeline::{self, Stage};
use validate::FoundProof;
use validate::judge::lifted;

/// The certificate of a proof, or why there is none.
pub(crate) fn of_proof(about: &About<'_>, reason: Reason<'_>) -> Result<Certificate, String> {
    if !about.request.keep.certificate {
        return Err("none was asked for".into());
    }
    let prepared = about.prepared;
    if about.room != transform::inline::ROOM {
        return Err("recursion was unrolled further than certificates repeat".into());
    }
    let none = BTreeMap::new();
    let simplified = &prepared.program.terms;
    let by_cuts = [Scheme::Cuts, Scheme::Induction { k: 1 }].map(Way::Scheme);
    let unwound = BOUNDS.map(|bound| Way::Scheme(Scheme::Exhausted { bound }));
    let (terms, invariants, ways) = match reason {
        Reason::Proof(FoundProof { proof: Proof::Invariants { at, k }, terms, .. }) => {
            let by_induction = [Way::Scheme(Scheme::Induction { k: *k })];
            let by_cuts = if *k > 1 { &by_induction[..] } else { &by_cuts[..] };
            // Many cases are the states of paths: one by one they are easier.
            let is_of_paths = at.values().any(|known| cases(terms, *known) >= MANY_CASES);
            let walk = [Way::Walk];
            (terms, at, if is_of_paths { [&walk, by_cuts].concat() } else { [by_cuts, &walk].concat() })
        }
        Reason::Proof(FoundProof { proof: Proof::Ranking { .. }, .. }) => {
            return Err("it is a proof of termination, which has no certificate".into());
        }
        Reason::Proof(FoundProof { proof: Proof::Exhausted { bound: bound @ 1.., .. }, .. }) => {
            let bound = u32::try_from(*bound).unwrap_or(u32::MAX);
            let known = [Way::Scheme(Scheme::Exhausted { bound }), Way::Walk];
            (simplified, &none, [&known[..], &unwound[..]].concat())
        }
        Reason::Proof(FoundProof { proof: Proof::Explored(_) | Proof::Exhausted { .. }, .. }) | Reason::Executed => {
            (simplified, &none, [&[Way::Walk], &by_cuts[..1], &unwound[..]].concat())
        }
        Reason::Simplified => (simplified, &none, [&by_cuts[..], &[Way::Walk], &unwound[..]].concat()),
        Reason::Unbounded => return Err("proofs about any number of objects have no certificate yet".into()),
        Reason::Contracts(_) => return Err("contracts stand for calls, and they have no certificate".into()),
    };
    about.session.observer.phase("writing the certificate");
    let (invariants, terms) = lifted(prepared, terms.clone(), invariants);
    let left = about.session.left(about.request.limits.cpu_time);
    let deadline = Deadline::after(left * 3 / 4);
    let told = self::about(&about.request.subject)?;
    let flat = prepared.flat.clone();
    let make = move || certificate::make(&told, &flat, &terms, &invariants, &ways, deadline);
    within(deadline, make).unwrap_or_else(|| Err("it was not made in time".into()))
}

/// How many cases, each with several facts, the formula distinguishes.
fn cases(terms: &Store, t: Term) -> usize {
    let (mut count, mut parts) = (0, vec![t]);
    while let Some(part) = parts.pop() {
        match terms.op(part) {
            Op::Or => parts.extend(terms.args(part)),
            Op::And => count += 1,
            _ => {}
        }
    }
    count
}

/// What the work comes to, if it is done by the deadline: the answer is there already, and must not be lost to a limit
/// because some part of the work does not look at the clock. Then the work is left behind, and ends with the process.
fn within<T: Send + 'static>(deadline: Deadline, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (done, result) = mpsc::channel();
    let send = move || _ = done.send(work());
    std::thread::Builder::new().stack_size(STACK_BYTES).spawn(send).ok()?;
    loop {
        match result.recv_timeout(DONE_EVERY) {
            Ok(made) => return Some(made),
            Err(RecvTimeoutError::Timeout) if !deadline.is_over() => {}
            Err(_) => return None,
        }
    }
}

/// What a certificate of this program is about.
fn about(subject: &Subject) -> Result<certificate::About, String> {
    let file = |file: witness::InputFile| SourceFile { name: file.name, sha256: file.hash };
    Ok(certificate::About {
        files: input_files(subject)?.into_iter().map(file).collect(),
        data_model: subject.data_model_name().to_owned(),
        properties: subject.lowering.properties.iter().map(|property| property.name().to_owned()).collect(),
        specification: subject.property_text.clone(),
        entry: subject.lowering.entry.clone(),
        room: subject.lowering.room,
        ends_at_undefined: subject.lowering.unchecked == Unchecked::Ends,
        whole_structs: subject.whole_structs,
    })
}

/// What a certificate says was asked, for who does not ask anything else.
pub fn asked(manifest: &Manifest) -> Result<property::Asked, String> {
    match &manifest.about.specification {
        text if text.is_empty() => property::read(&[manifest.about.properties.join("+")]),
        text => property::from_text(text),
    }
}

/// Checks the certificate of the program, which is read and lowered for it. `read` gives the certificate's files.
pub fn check(
    subject: &Subject,
    manifest: &Manifest,
    read: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    deadline: Deadline,
) -> Result<Result<Checked, Flaw>, load::BadInput> {
    let mut subject = subject.clone();
    // How the program was read the second time, where it was: any answer is as good as the usual one.
    subject.lowering.room = manifest.about.room;
    subject.whole_structs = manifest.about.whole_structs;
    if manifest.about.ends_at_undefined {
        subject.lowering.unchecked = Unchecked::Ends;
    }
    if subject.lowering.properties.contains(&Property::Termination) {
        return Ok(Err(Flaw::Open("proofs of termination have no certificates".into())));
    }
    let own = about(&subject)?;
    if let Some(why) = differs(&own, &manifest.about) {
        return Ok(Err(Flaw::Wrong(why)));
    }
    let program = load::lowered(&subject)?;
    let flat = pipeline::at_stage(&program, Stage::Memory, &load::targets(&subject));
    Ok(certificate::check(manifest, &flat, read, deadline))
}

/// What a certificate is about instead.
fn differs(own: &certificate::About, said: &certificate::About) -> Option<String> {
    let hashes = |about: &certificate::About| about.files.iter().map(|file| file.sha256.clone()).collect::<Vec<_>>();
    if hashes(own) != hashes(said) {
        return Some("it is about other files: their SHA-256 differ".into());
    }
    let texts = [
        ("data model", own.data_model.clone(), said.data_model.clone()),
        ("properties", own.properties.join(", "), said.properties.join(", ")),
        ("entry function", own.entry.clone(), said.entry.clone()),
    ];
    let other = texts.into_iter().find(|(_, own, said)| own != said)?;
    Some(format!("it is about another {}: {:?}, not {:?}", other.0, other.2, other.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    #[test]
    fn work_that_does_not_look_at_the_clock_is_left_behind() {
        assert_eq!(within(Deadline::after(Duration::from_secs(20)), || 7), Some(7));
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let endless = move || while !stopped.load(Ordering::Relaxed) {};
        assert_eq!(within(Deadline::after(Duration::from_millis(50)), endless), None);
        stop.store(true, Ordering::Relaxed);
    }
}
