//! `foldback check-certificate`: makes the conditions of a certificate again from the program, compares, checks the proofs.

use crate::flags::CheckCertificateFlags;
use crate::output::{self, BadInput, Exit};
use crate::settings::{self, Subject};
use base::cpu::Deadline;
use certificate::{Flaw, MANIFEST, Manifest, folder};
use engine::Why;
use std::time::Duration;
use verifier::{certificates, cpu_time, property, signals};

/// Where no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(900);

pub(crate) fn check(flags: &CheckCertificateFlags) -> Result<Exit, BadInput> {
    let limits = settings::limits(&flags.limits)?;
    let end = |why: Why| {
        let exit = tell(Err(Flaw::Open(why.to_string())));
        std::process::exit(i32::from(exit.code()));
    };
    limits.enforce(end);
    // There is nothing to stop: what is checked so far is no answer.
    let _ = signals::watch(move || {
        output::leave_soon();
        end(Why::Cancelled);
    });
    let shown = flags.folder.display();
    let text = folder::manifest(&flags.folder).map_err(|why| format!("{shown}: {why}"))?;
    let manifest = Manifest::read(&text).map_err(|why| format!("{shown}/{MANIFEST}: {why}"))?;
    let subject = subject(flags, &manifest)?;
    output::line(printable(&manifest.to_string()));
    let time = limits.cpu_time.unwrap_or(DEFAULT_TIME).saturating_sub(cpu_time());
    let read = |name: &str| folder::file(&flags.folder, name);
    let checked = certificates::check(&subject, &manifest, &read, Deadline::after(time))?;
    Ok(tell(checked.map(|checked| checked.to_string())))
}

/// The flags, and what they leave open as the certificate says.
fn subject(flags: &CheckCertificateFlags, manifest: &Manifest) -> Result<Subject, BadInput> {
    let asked = match flags.program.properties.is_empty() {
        true => certificates::asked(manifest).map_err(|why| format!("the certificate's properties: {why}"))?,
        false => property::read(&flags.program.properties)?,
    };
    Ok(settings::subject_about(&flags.program, asked, Some(&manifest.about.data_model))?)
}

/// Text from the certificate, for a terminal.
fn printable(text: &str) -> String {
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
        Err(Flaw::Wrong(why)) => (format!("rejected({})", printable(&why)), Exit::Violated),
        Err(Flaw::Open(why)) => (format!("unknown({})", printable(&why)), Exit::Unknown),
    };
    output::line(format!("RESULT: {line}"));
    exit
}
