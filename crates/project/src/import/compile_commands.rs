//! A proof for each function that a file of a compile database offers to others: started with any arguments
//! (`docs/entry.md`), checked for what can go wrong without a word of the user.
//!
//! Each proof reads the one file that defines its function: what other files define is any function for it, until they are
//! named in its `sources`. These are proposals: a person deletes and completes them.

use super::{Imported, TIME, absolute, relative};
use crate::compile_database::{Entry, SEVERAL, elsewhere, entries};
use crate::compiler_flags::CompilerFlags;
use crate::{Project, Proof};
use cfront::hir::{Func, FuncId, Unit};
use cfront::types::DataModel;
use cfront::{Input, Options};
use std::collections::BTreeMap;
use std::path::Path;

const PROPERTIES: [&str; 4] = ["valid-deref", "valid-free", "no-overflow", "div-by-zero"];

/// Why a program cannot start at a function of a file, if it cannot.
type Refusal = dyn Fn(&Unit, FuncId) -> Option<String> + Sync;

/// Proofs of the files in a database, for a `foldback.toml` in `folder`.
pub fn import(database: &Path, folder: &Path, refusal: &Refusal) -> Result<Imported, String> {
    let shown = database.display().to_string();
    let (database, folder) = (absolute(database)?, absolute(folder)?);
    let mut imported = Imported {
        project: Project {
            flags: vec!["--compile-commands".to_owned(), relative(&folder, &database)],
            properties: PROPERTIES.map(str::to_owned).into(),
            time_limit: Some(TIME.to_owned()),
            ..Project::default()
        },
        notes: Vec::new(),
    };
    let own = cfront::input::Project::of(std::slice::from_ref(&database));
    let mut seen = BTreeMap::new();
    for entry in entries(&database)? {
        let file = relative(&folder, &entry.path);
        let flags = entry.flags();
        // A file may be compiled several times; it is verified as the first entry says.
        if let Some(first) = seen.get(&file) {
            if *first != flags {
                imported.notes.push(format!("{shown} compiles '{file}'{SEVERAL}the first is taken"));
            }
            continue;
        }
        let offered = match entry.path.exists() && !own.allows(&entry.path) {
            true => Err(elsewhere(&entry.path)),
            false => flags.clone().and_then(|flags| offered(&entry, &flags, refusal)),
        };
        match offered {
            Ok(offered) => add(&file, offered, &mut imported),
            Err(why) => imported.notes.push(format!("{file} is left out: {why}")),
        }
        seen.insert(file, flags);
    }
    match imported.project.proofs.is_empty() {
        false => Ok(imported),
        true => {
            let notes: String = imported.notes.iter().map(|note| format!("\n  {note}")).collect();
            Err(format!("{shown}: no file offers a function to start at{notes}"))
        }
    }
}

fn add(file: &str, offered: Vec<Offered>, imported: &mut Imported) {
    for Offered { function, refusal } in offered {
        match refusal {
            Some(why) => imported.notes.push(format!("{file}: {why}")),
            None => imported.project.proofs.push(Proof {
                name: format!("{file}/{function}"),
                entry: Some(function),
                sources: vec![file.to_owned()],
                ..Proof::default()
            }),
        }
    }
}

struct Offered {
    function: String,
    refusal: Option<String>,
}

/// The functions that a file defines for others, itself or by what it includes, in order.
fn offered(entry: &Entry, flags: &CompilerFlags, refusal: &Refusal) -> Result<Vec<Offered>, String> {
    let reading = flags.reading();
    let mut options = Options::new(flags.data_model.unwrap_or(DataModel::Lp64));
    options.include_dirs = reading.include_dirs;
    options.defines = reading.defines;
    options.undefines = reading.undefines;
    options.forced = reading.forced;
    let loaded = cfront::load(&[Input::Path(entry.path.clone())], &options);
    let unit = loaded.map_err(|failure| match failure.diagnostics.first() {
        Some(first) => first.render(&failure.sources),
        None => "it cannot be read".to_owned(),
    })?;
    let is_offered = |function: &Func| {
        let is_own = unit.sources.file(function.span.file).is_some_and(|file| Path::new(&file.name) == entry.path);
        // A library of one header is compiled by a file that includes it; inline functions of headers are everybody's.
        (is_own || !function.inline) && function.body.is_some() && !function.internal && function.name != "main"
    };
    let functions = unit.funcs.iter().filter(|(_, function)| is_offered(function));
    Ok(functions
        .map(|(id, function)| Offered { function: function.name.clone(), refusal: refusal(&unit, id) })
        .collect())
}
