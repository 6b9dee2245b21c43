//! `foldback check-certificate`: makes the conditions of a certificate again from the program, compares, checks the proofs.
//!
//! The folder may come from anybody. Nothing of it is followed or run: files are opened by names that we give them, if they are
//! plain files of a size that can be, and what they say is checked.

use crate::flags::CheckCertificateFlags;
use crate::interrupt;
use crate::limits;
use crate::output::{self, BadInput, Exit};
use crate::settings::{self, Subject};
use base::cpu::Deadline;
use certificate::{Flaw, MANIFEST, MAX_MANIFEST, Manifest};
use engine::Why;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;
use verifier::{certificates, cpu_time, property};

/// Where no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(900);
/// Compressed files of more bytes are not read.
const MAX_FILE: u64 = 1 << 30;

pub(crate) fn check(flags: &CheckCertificateFlags) -> Result<Exit, BadInput> {
    let limits = settings::limits(&flags.limits)?;
    let end = |why: Why| {
        let exit = tell(Err(Flaw::Open(why.to_string())));
        std::process::exit(i32::from(exit.code()));
    };
    limits::enforce(limits, end);
    // There is nothing to stop: what is checked so far is no answer.
    let _ = interrupt::watch(move || end(Why::Cancelled));
    let folder = &flags.folder;
    let text = read(folder, MANIFEST, MAX_MANIFEST).map_err(|why| format!("{}: {why}", folder.display()))?;
    let manifest = Manifest::read(&text).map_err(|why| format!("{}/{MANIFEST}: {why}", folder.display()))?;
    let subject = subject(flags, &manifest)?;
    let properties = manifest.about.properties.join(", ");
    output::line(shown(&format!(
        "certificate of {properties}, {}: {} invariants, {} conditions, made by {}",
        manifest.about.data_model,
        manifest.invariants.len(),
        manifest.conditions.len(),
        manifest.producer
    )));
    let time = limits.cpu_time.unwrap_or(DEFAULT_TIME).saturating_sub(cpu_time());
    let read = |name: &str| read(folder, name, MAX_FILE);
    let checked = certificates::check(&subject, &manifest, &read, Deadline::after(time))?;
    Ok(tell(checked.map(|checked| {
        let lemmas = match checked.lemmas {
            0 => String::new(),
            lemmas => format!(", {lemmas} lemmas of algebra"),
        };
        format!(
            "{} conditions made again and compared, {} settled as they are made; proofs of {} steps about {} clauses{lemmas} checked",
            checked.conditions, checked.settled, checked.steps, checked.clauses
        )
    })))
}

/// The flags, and what they leave open as the certificate says.
fn subject(flags: &CheckCertificateFlags, manifest: &Manifest) -> Result<Subject, BadInput> {
    let asked = match flags.program.properties.is_empty() {
        true => certificates::asked(manifest).map_err(|why| format!("the certificate's properties: {why}"))?,
        false => property::read(&flags.program.properties)?,
    };
    let mut subject = settings::subject_for(&flags.program, asked)?;
    if flags.program.data_model.is_none() && manifest.about.data_model == "ILP32" {
        subject.data_model = cfront::types::DataModel::Ilp32;
    }
    Ok(subject)
}

/// A plain file of the folder; links and devices are none.
fn read(folder: &Path, name: &str, most: u64) -> Result<Vec<u8>, String> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = std::fs::OpenOptions::new().read(true).custom_flags(flags).open(folder.join(name));
    let file = file.map_err(|error| format!("cannot read {name}: {error}"))?;
    let found = file.metadata().map_err(|error| format!("cannot read {name}: {error}"))?;
    if !found.is_file() || found.len() > most {
        return Err(format!("{name} is not a plain file of at most {most} bytes"));
    }
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).map_err(|error| format!("cannot read {name}: {error}"))?;
    Ok(bytes)
}

/// Text from the certificate, for a terminal.
fn shown(text: &str) -> String {
    text.replace(char::is_control, "?")
}

/// The last line, and the exit code.
fn tell(checked: Result<String, Flaw>) -> Exit {
    output::claim_end();
    let (line, exit) = match checked {
        Ok(how) => {
            output::line(how);
            ("confirmed".to_owned(), Exit::Fine)
        }
        Err(Flaw::Wrong(why)) => (format!("rejected({})", shown(&why)), Exit::Violated),
        Err(Flaw::Open(why)) => (format!("unknown({})", shown(&why)), Exit::Unknown),
    };
    output::line(format!("RESULT: {line}"));
    exit
}
