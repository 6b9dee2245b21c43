//! Making a certificate.

use crate::conditions::{self, Failed, Text};
use crate::limits::make::{FIRST_MOMENT, MAX_FILES, MAX_PROOF};
use crate::manifest::{self, About, Algebra, Entry, FORMAT, Invariant, Manifest, VERSION};
use crate::{MANIFEST, file_name, pack};
use crate::{algebra, lemmas};
use base::cpu::Deadline;
use base::table::Id;
use cfa::{Loc, Program};
use sat::Outcome;
use std::collections::BTreeMap;
use term::{Store, Term};
use validate::conditions::{Condition, Scheme};

/// The files of a certificate, the manifest last: where it is, the others are.
#[derive(Clone, Debug)]
pub struct Certificate {
    pub files: Vec<(String, Vec<u8>)>,
    pub conditions: usize,
}

impl Certificate {
    pub fn bytes(&self) -> usize {
        self.files.iter().map(|(_, contents)| contents.len()).sum()
    }
}

/// A way to cut executions into pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Way {
    Scheme(Scheme),
    /// Path by path, along decisions that are found here.
    Walk,
}

/// Certifies that the flat program reaches no target. The invariants' terms belong to `terms`. The ways are tried in order, each but
/// the last for half of the time that is left; without a certificate, says why the first had none.
pub fn make(
    about: &About,
    program: &Program,
    terms: &Store,
    invariants: &BTreeMap<Loc, Term>,
    ways: &[Way],
    deadline: Deadline,
) -> Result<Certificate, String> {
    let stated = |(at, t): (&Loc, &Term)| Invariant {
        location: at.index() as u32,
        place: conditions::place(program, *at),
        formula: term::smtlib::print_term(terms, *t),
    };
    let matters = |(_, t): &(&Loc, &Term)| terms.as_bool_const(**t) != Some(true);
    let invariants: Vec<Invariant> = invariants.iter().filter(matters).map(stated).collect();
    let mut first = None;
    for (i, way) in ways.iter().enumerate() {
        let is_last = i + 1 == ways.len();
        let until = if is_last { deadline } else { Deadline::after(deadline.left() / 2) };
        let made = match way {
            Way::Scheme(scheme @ Scheme::Exhausted { .. }) => attempt(about, program, &[], scheme, until),
            Way::Scheme(scheme) => attempt(about, program, &invariants, scheme, until),
            Way::Walk => walk(about, program, until),
        };
        match made {
            Ok(certificate) => return Ok(certificate),
            Err(Failed::Wrong(why) | Failed::Open(why)) => _ = first.get_or_insert(why),
        }
        if deadline.is_over() {
            break;
        }
    }
    Err(first.unwrap_or_else(|| "nothing was tried".into()))
}

/// Path by path: a solver, which need not be right, says which edges are taken.
fn walk(about: &About, program: &Program, deadline: Deadline) -> Result<Certificate, Failed> {
    let open = |why: String| Failed::Open(why);
    let solver = smt::open(&smt::SolverSettings::default()).map_err(|error| open(error.to_string()))?;
    let mut solver = smt::layer::Deadline::over(solver, deadline);
    let mut terms = program.terms.clone();
    let tree = validate::explore::explored(program, &mut terms, &mut solver, deadline);
    let tree = tree.map_err(|failure| open(failure.to_string()))?;
    attempt(about, program, &[], &Scheme::Paths(tree), deadline)
}

fn attempt(
    about: &About,
    program: &Program,
    invariants: &[Invariant],
    scheme: &Scheme,
    deadline: Deadline,
) -> Result<Certificate, Failed> {
    let stated = conditions::state(program, invariants, scheme, deadline)?;
    let mut files = Vec::new();
    let mut entries = Vec::new();
    let mut bytes = 0;
    for (i, condition) in stated.collected.conditions.iter().enumerate() {
        let Shown { text, proof, lemmas } = show(program, &stated.terms, condition, deadline)?;
        let cnf = &text.blasted.cnf;
        let checked = lrat::check(cnf, &proof).map_err(|why| Failed::Open(format!("{}: {why}", text.says)))?;
        let contents = [("smt2", text.smt2.as_bytes()), ("cnf", text.cnf.as_bytes()), ("lrat", &proof[..])];
        let [smt2_sha256, cnf_sha256, lrat_sha256] = contents.map(|(_, contents)| pack::sha256(contents));
        let algebra = lemmas.as_ref().map(|lemmas| Algebra {
            pac_sha256: pack::sha256(lemmas.as_bytes()),
            lemmas: text.lemmas,
            steps: text.steps,
        });
        for (ending, contents) in contents.into_iter().chain(lemmas.as_ref().map(|text| ("pac", text.as_bytes()))) {
            let packed = pack::pack(contents);
            bytes += packed.len();
            files.push((file_name(i + 1, ending), packed));
        }
        if bytes > MAX_FILES {
            return Err(Failed::Open(format!("it has more than {MAX_FILES} bytes")));
        }
        entries.push(Entry {
            says: text.says,
            location: text.location,
            place: text.place,
            smt2_sha256,
            cnf_sha256,
            lrat_sha256,
            variables: cnf.variables().unsigned_abs(),
            clauses: cnf.len(),
            steps: checked.steps,
            algebra,
        });
    }
    let conditions = entries.len();
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        version: VERSION,
        producer: concat!("foldback ", env!("CARGO_PKG_VERSION")).to_owned(),
        about: about.clone(),
        scheme: scheme.into(),
        invariants: invariants.to_vec(),
        conditions: entries,
        settled_by_rewriting: stated.collected.settled,
        trusted: manifest::trusted(),
    };
    files.push((MANIFEST.to_owned(), manifest.write().into_bytes()));
    Ok(Certificate { files, conditions })
}

/// A condition that is shown.
struct Shown {
    text: Text,
    proof: Vec<u8>,
    /// The lemmas of algebra that it is shown with, as their file has them.
    lemmas: Option<String>,
}

/// By clauses alone if that is soon done, else with algebra, else by clauses however long that takes. Where there are
/// products, algebra comes first.
fn show(program: &Program, terms: &Store, condition: &Condition, deadline: Deadline) -> Result<Shown, Failed> {
    let by_clauses = |deadline: Deadline| {
        let text = conditions::text(program, terms, condition, None, deadline)?;
        let proof = prove(&text.says, &text.blasted.cnf, deadline)?;
        Ok(Shown { text, proof, lemmas: None })
    };
    if !algebra::concerns(terms, condition.bad) {
        match by_clauses(Deadline::after(FIRST_MOMENT.min(deadline.left()))) {
            Err(Failed::Open(_)) => {}
            settled => return settled,
        }
    }
    let for_algebra = Deadline::after(deadline.left() * 2 / 3);
    if let Some((found, store)) = lemmas::find(terms, condition.bad, for_algebra) {
        let lemmas = algebra::write(&store, &found);
        let text = conditions::text(program, terms, condition, Some(&lemmas), deadline)?;
        if let Ok(proof) = prove(&text.says, &text.blasted.cnf, deadline) {
            return Ok(Shown { text, proof, lemmas: Some(lemmas) });
        }
    }
    by_clauses(deadline)
}

/// A proof that the clauses cannot all be true, trimmed.
fn prove(says: &str, cnf: &lrat::Cnf, deadline: Deadline) -> Result<Vec<u8>, Failed> {
    // Checkers want a step that comes to the empty clause, even where that is given.
    if let Some(at) = cnf.clauses().position(<[i32]>::is_empty) {
        return Ok(format!("{} 0 {} 0\n", cnf.len() + 1, at + 1).into_bytes());
    }
    match sat::solve(cnf, &mut || deadline.is_over(), MAX_PROOF) {
        Ok(Outcome::Unsat(proof)) => sat::trim(&proof, cnf.len()).map_err(|why| Failed::Open(format!("{says}: {why}"))),
        Ok(Outcome::Sat(_)) => Err(Failed::Wrong(format!("not shown by clauses: {says}"))),
        Ok(Outcome::Stopped) if deadline.is_over() => {
            Err(Failed::Open(format!("no proof of the clauses in time ({} clauses): {says}", cnf.len())))
        }
        Ok(Outcome::Stopped) => Err(Failed::Open(format!("the proof of the clauses is too long: {says}"))),
        Err(error) => Err(Failed::Open(format!("{says}: {error}"))),
    }
}
