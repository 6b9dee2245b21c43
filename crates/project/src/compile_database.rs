//! A compile database (`compile_commands.json`, as CMake and Bear write it): how each file of a project is compiled.

use crate::compiler_flags::CompilerFlags;
use crate::words::split;
use cfront::input::Project;
use cfront::types::DataModel;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How the files of a program are read.
pub struct Build {
    pub files: Vec<PathBuf>,
    /// All files, or those that have no flags of their own.
    pub flags: CompilerFlags,
    pub own: BTreeMap<PathBuf, CompilerFlags>,
    /// What the database says in two ways, and which of them was taken.
    pub notes: Vec<String>,
}

impl Build {
    /// As the database says, and then as the flags that were given say. Files for machines of both widths make no program,
    /// unless it is said which one is meant.
    pub fn from_database(
        database: &Path,
        files: &[PathBuf],
        given: &CompilerFlags,
        is_model_given: bool,
    ) -> Result<Build, String> {
        let Found { mut own, files, notes } = flags_of(database, files)?;
        let mut flags = given.clone();
        let mut models: Vec<DataModel> =
            own.values().map(|flags| flags.data_model.unwrap_or(DataModel::Lp64)).collect();
        models.dedup();
        if let ([_, _, ..], false, None) = (&models[..], is_model_given, flags.data_model) {
            return Err("the compile database asks for -m32 and for -m64".into());
        }
        flags.data_model = flags.data_model.or(models.first().copied());
        // Where all files are read in the same way, that is how the program is read.
        if let Some(same) = own.values().next().filter(|first| own.values().all(|flags| flags == *first)).cloned() {
            flags = same.followed_by(&flags);
            own.clear();
        }
        Ok(Build { files, flags, own, notes })
    }
}

/// What the database says of one file.
pub(crate) struct Entry {
    pub(crate) path: PathBuf,
    directory: PathBuf,
    /// The compiler's name, and its arguments.
    words: Vec<String>,
}

impl Entry {
    fn shown(&self) -> String {
        format!("cd {}; {}", self.directory.display(), self.words.join(" "))
    }

    pub(crate) fn flags(&self) -> Result<CompilerFlags, String> {
        CompilerFlags::of_call(self.words.get(1..).unwrap_or(&[]), &self.directory)
    }
}

/// All entries that name a file, in the order of the database.
pub(crate) fn entries(database: &Path) -> Result<Vec<Entry>, String> {
    let shown = database.display();
    let text = base::files::read_text(database).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let json: serde_json::Value = serde_json::from_str(&text).map_err(|e| format!("{shown}: {e}"))?;
    let listed = json.as_array().ok_or_else(|| format!("{shown}: not a list of compile commands"))?;
    let own = Project::of(&[database.to_owned()]);
    let mut out = Vec::new();
    for entry in listed {
        let Some(file) = entry["file"].as_str() else { continue };
        let bad = || format!("{shown}: the entry of '{file}' has neither arguments nor a command");
        let words: Vec<String> = match (&entry["arguments"], &entry["command"]) {
            (serde_json::Value::Array(words), _) => words.iter().filter_map(|w| Some(w.as_str()?.to_owned())).collect(),
            (_, serde_json::Value::String(command)) => split(command).ok_or_else(bad)?,
            _ => return Err(bad()),
        };
        let directory = PathBuf::from(entry["directory"].as_str().unwrap_or(""));
        // What such a file says would be shown as flags that are not understood.
        let responses = words.iter().filter_map(|word| Some(directory.join(word.strip_prefix('@')?)));
        if let Some(path) = responses.filter(|path| path.exists()).find(|path| !own.allows(path)) {
            return Err(elsewhere(&path));
        }
        out.push(Entry { path: directory.join(file), directory, words });
    }
    Ok(out)
}

/// Why a file that a database names is not read: the database may be a stranger's.
pub(crate) fn elsewhere(path: &Path) -> String {
    let shown = path.display();
    format!("{shown}: a compile database names only files of its own folders, and files named like C")
}

/// Stands in what is said of a file that is compiled in several ways.
pub const SEVERAL: &str = " in several ways: ";

/// What the database says of the files that are asked for, by the names they were asked by.
struct Found {
    own: BTreeMap<PathBuf, CompilerFlags>,
    files: Vec<PathBuf>,
    notes: Vec<String>,
}

fn flags_of(database: &Path, files: &[PathBuf]) -> Result<Found, String> {
    let shown = database.display();
    let entries = entries(database)?;
    let mut out = Found { own: BTreeMap::new(), files: Vec::new(), notes: Vec::new() };
    for file in files {
        let is_it = |entry: &&Entry| match (entry.path.canonicalize(), file.canonicalize()) {
            (Ok(a), Ok(b)) => a == b,
            _ => entry.path.ends_with(file),
        };
        let mut named = entries.iter().filter(is_it);
        let Some(entry) = named.next() else {
            return Err(format!("{shown} has no command for '{}'", file.display()));
        };
        let flags = entry.flags().map_err(|e| format!("{shown}: {}: {e}", file.display()))?;
        let path = if file.is_file() { file.clone() } else { entry.path.clone() };
        if path != *file && !Project::of(&[database.to_owned()]).allows(&path) {
            return Err(elsewhere(&path));
        }
        if let Some(other) = named.find(|other| other.flags().ok().as_ref() != Some(&flags)) {
            out.notes.push(format!(
                "{shown} compiles '{}'{SEVERAL}as in '{}', which is taken, and as in '{}'",
                file.display(),
                entry.shown(),
                other.shown()
            ));
        }
        out.own.insert(path.clone(), flags);
        out.files.push(path);
    }
    Ok(out)
}
