//! Writes every question as an SMT-LIB script that any solver can replay; answers and times are comments in it.
//!
//! Each solver gets a file of its own, `solver-0001.smt2` and so on. A question is on disk before it is asked, so that
//! the file also shows what a crashed or killed solver was doing.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use term::smtlib::{Dialect, Printer};
use term::{Store, Term};

use crate::layer::Layer;
use crate::solver::{Answer, Solver, Stats, Why};

/// See the module.
pub struct Log<S> {
    below: S,
    file: File,
    printer: Printer,
    /// Not yet written.
    script: String,
    /// Something could not be written; solving goes on without.
    lost: u64,
}

const PRELUDE: &str = "(set-option :global-declarations true)\n(set-logic ALL)\n";

impl<S: Solver> Log<S> {
    /// Opens the next free file in the directory, which is made if need be.
    pub fn over(below: S, directory: &Path) -> io::Result<Log<S>> {
        fs::create_dir_all(directory)?;
        let mut number = 1u32;
        let file = loop {
            let path = directory.join(format!("solver-{number:04}.smt2"));
            match File::options().write(true).create_new(true).open(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                result => break result?,
            }
        };
        Ok(Log { below, file, printer: Printer::new(Dialect::V26), script: PRELUDE.to_string(), lost: 0 })
    }

    fn note_assertion(&mut self, store: &Store, fact: Term) {
        self.printer.declare(store, &[fact], &mut self.script);
        self.script.push_str("(assert ");
        self.printer.write(store, fact, &mut self.script);
        self.script.push_str(")\n");
    }

    fn flush(&mut self) {
        if self.file.write_all(self.script.as_bytes()).is_err() {
            self.lost += 1;
        }
        self.script.clear();
    }
}

impl<S> Drop for Log<S> {
    fn drop(&mut self) {
        // Nobody is left to tell about an error.
        let _ = self.file.write_all(self.script.as_bytes());
    }
}

impl<S: Solver> Layer for Log<S> {
    over!(S);

    fn push(&mut self) {
        self.script.push_str("(push 1)\n");
        self.below.push();
    }

    fn pop(&mut self) {
        self.script.push_str("(pop 1)\n");
        self.below.pop();
    }

    fn assert(&mut self, store: &Store, fact: Term) {
        self.note_assertion(store, fact);
        self.below.assert(store, fact);
    }

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        if !assumptions.is_empty() {
            self.script.push_str("(push 1)\n");
            assumptions.iter().for_each(|&assumption| self.note_assertion(store, assumption));
        }
        self.script.push_str("(check-sat)\n");
        self.flush();
        let start = Instant::now();
        let answer = self.below.check(store, assumptions);
        let outcome = match &answer {
            Ok(Answer::Sat) => "sat".to_string(),
            Ok(Answer::Unsat) => "unsat".to_string(),
            Err(why) => format!("unknown: {why}").replace('\n', " "),
        };
        self.script.push_str(&format!("; {outcome}, {:.6} s\n", start.elapsed().as_secs_f64()));
        if !assumptions.is_empty() {
            self.script.push_str("(pop 1)\n");
        }
        answer
    }

    fn count(&self, into: &mut Stats) {
        into.add("log.lost", self.lost);
    }
}
