//! Checking a certificate.

use crate::conditions::{self, Failed};
use crate::limits::make::MAX_PROOF;
use crate::limits::read::MAX_LEMMA_TEXT;
use crate::manifest::{Manifest, trusted};
use crate::{file_name, pack};
use base::cpu::Deadline;
use cfa::Program;

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    pub conditions: usize,
    pub settled: u64,
    /// Lemmas of algebra.
    pub lemmas: usize,
    pub clauses: usize,
    /// Steps of all proofs.
    pub steps: u64,
}

impl std::fmt::Display for Checked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} conditions made again and compared, {} settled as they are made; ",
            self.conditions, self.settled
        )?;
        write!(f, "proofs of {} steps about {} clauses", self.steps, self.clauses)?;
        if self.lemmas > 0 {
            write!(f, ", {} lemmas of algebra", self.lemmas)?;
        }
        write!(f, " checked")
    }
}

/// Why a certificate is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// It does not certify what it says.
    Wrong(String),
    /// It was not checked to its end.
    Open(String),
}

impl From<Failed> for Flaw {
    fn from(failed: Failed) -> Flaw {
        match failed {
            Failed::Wrong(why) => Flaw::Wrong(why),
            Failed::Open(why) => Flaw::Open(why),
        }
    }
}

/// Checks the certificate of the flat program, made again from its source. `read` gives a file's bytes as they are in the folder.
pub fn check(
    manifest: &Manifest,
    program: &Program,
    read: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    deadline: Deadline,
) -> Result<Checked, Flaw> {
    let stated = conditions::state(program, &manifest.invariants, &(&manifest.scheme).into(), deadline)?;
    let asked = &stated.collected.conditions;
    if asked.len() != manifest.conditions.len() || stated.collected.settled != manifest.settled_by_rewriting {
        let (own, settled) = (asked.len(), stated.collected.settled);
        let (said, said_settled) = (manifest.conditions.len(), manifest.settled_by_rewriting);
        let of = format!("{own} conditions and {settled} that are settled at once, not {said} and {said_settled}");
        return Err(Flaw::Wrong(format!("the program has {of}: it is another one, or was read with other options")));
    }
    if manifest.trusted != trusted() {
        return Err(Flaw::Wrong("what it says has to be trusted is not what has to be".into()));
    }
    let mut checked = Checked { conditions: asked.len(), settled: stated.collected.settled, ..Checked::default() };
    for (i, (condition, entry)) in asked.iter().zip(&manifest.conditions).enumerate() {
        if deadline.is_over() {
            return Err(Flaw::Open("time limit".into()));
        }
        let wrong = |ending: &str, why: &str| Flaw::Wrong(format!("{}: {why}", file_name(i + 1, ending)));
        let contents = |ending: &str, hash: &str, most: u64| {
            let packed = read(&file_name(i + 1, ending)).map_err(|why| wrong(ending, &why))?;
            let contents = pack::unpack(&packed, most).map_err(|why| wrong(ending, &why))?;
            let is_same = pack::sha256(&contents) == hash;
            if is_same { Ok(contents) } else { Err(wrong(ending, "its hash is not that of the manifest")) }
        };
        let lemmas = match &entry.algebra {
            Some(algebra) => {
                let text = contents("pac", &algebra.pac_sha256, MAX_LEMMA_TEXT)?;
                Some(String::from_utf8(text).map_err(|_| wrong("pac", "it is no text"))?)
            }
            None => None,
        };
        let text = conditions::text(program, &stated.terms, condition, lemmas.as_deref(), deadline)?;
        if (&entry.says, entry.location, &entry.place) != (&text.says, text.location, &text.place) {
            return Err(Flaw::Wrong(format!("condition {} of the manifest is not: {}", i + 1, text.says)));
        }
        let expected = [("smt2", &entry.smt2_sha256, &text.smt2), ("cnf", &entry.cnf_sha256, &text.cnf)];
        for (ending, hash, own) in expected {
            if contents(ending, hash, own.len() as u64)? != own.as_bytes() {
                return Err(wrong(ending, "it is not the condition of the program"));
            }
        }
        let proof = contents("lrat", &entry.lrat_sha256, MAX_PROOF)?;
        let cnf = &text.blasted.cnf;
        let done = lrat::check(cnf, &proof).map_err(|why| wrong("lrat", &why.to_string()))?;
        let said = entry.algebra.as_ref().map_or((0, 0), |algebra| (algebra.lemmas, algebra.steps));
        if (entry.variables, entry.clauses, entry.steps) != (cnf.variables().unsigned_abs(), cnf.len(), done.steps)
            || said != (text.lemmas, text.steps)
        {
            return Err(Flaw::Wrong(format!("condition {}: the numbers in the manifest are others", i + 1)));
        }
        checked.lemmas += text.lemmas;
        checked.clauses += cnf.len();
        checked.steps += done.steps;
    }
    Ok(checked)
}
