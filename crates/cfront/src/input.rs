//! From paths to tokens: reads files, refuses what cannot be C with a clear message.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use base::{Diagnostic, Sources};

use crate::preprocess::{self, Language, Predefined, Source};
use crate::token::{Names, TokenStream};
use crate::{Input, Options};

/// The largest source file we read.
pub const MAX_FILE_BYTES: u64 = base::files::LARGEST_SOURCE;

/// The folders that a program's own files are in: those of the files that were given, and their repository. Not those of `-I`,
/// which a compile database may name.
///
/// What a program includes may end up in messages and reports, and whoever wrote the program may not be who runs us on it.
/// So `#include "/home/me/.netrc"` and links to such places are not followed: what lies outside of these folders, or
/// in a hidden file or folder of them, is read only if it is named like C.
#[derive(Clone, Debug, Default)]
pub struct Project {
    folders: Vec<PathBuf>,
}

/// How files of C are called.
const NAMED_LIKE_C: [&str; 15] =
    ["c", "h", "i", "inc", "inl", "def", "tbl", "x", "cc", "cpp", "cxx", "hpp", "hh", "hxx", "ipp"];

impl Project {
    pub fn of(files: &[PathBuf]) -> Project {
        let mut folders: Vec<PathBuf> = Vec::new();
        for file in files {
            let folder = file.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let Ok(folder) = folder.canonicalize() else { continue };
            folders.extend(folder.ancestors().find(|dir| dir.join(".git").exists()).map(Path::to_owned));
            folders.push(folder);
        }
        folders.retain(|folder| folder.parent().is_some());
        Project { folders }
    }

    /// Whether a file may be read, wherever links lead to.
    pub fn allows(&self, path: &Path) -> bool {
        let Ok(path) = path.canonicalize() else { return false };
        let named = |path: &Path| path.extension().and_then(OsStr::to_str).is_some_and(|e| NAMED_LIKE_C.contains(&e));
        let is_hidden = |part: Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
        let below = self.folders.iter().filter_map(|folder| path.strip_prefix(folder).ok());
        named(&path) || below.into_iter().any(|rest| !rest.components().any(is_hidden))
    }
}

/// What compilers call the places that are in no file.
const NOWHERE: [&str; 3] = ["<built-in>", "<command-line>", "<stdin>"];

/// The name of a file, or what a line marker says that it is. Other names in angle brackets are those of our own texts, which are
/// trusted: no file has one.
pub(crate) fn foreign_name(name: String) -> String {
    let is_ours = name.starts_with('<') && !NOWHERE.contains(&name.as_str());
    if is_ours { format!("./{name}") } else { name }
}

/// The tokens of one input; `predefined` is made when the first C file wants it.
pub(crate) fn tokens(
    input: &Input,
    options: &Options,
    predefined: &mut Option<Predefined>,
    names: &mut Names,
    sources: &mut Sources,
) -> Result<TokenStream, Vec<Diagnostic>> {
    let (name, text, path) = match input {
        Input::Path(path) => {
            let text = read(path).map_err(|d| vec![d])?;
            if !Project::of(std::slice::from_ref(path)).allows(path) {
                let message = format!("'{}' is a link to a file elsewhere that is not named like C", path.display());
                return Err(vec![Diagnostic::global(message).with_help("give the file itself")]);
            }
            (foreign_name(path.display().to_string()), text, Some(path.as_path()))
        }
        Input::Changed { path, text } => {
            (foreign_name(path.display().to_string()), text.clone().into_bytes(), Some(path.as_path()))
        }
        Input::Text { name, text } => (name.clone(), text.clone().into_bytes(), None),
    };
    let is_preprocessed = path.is_some_and(|p| p.extension().is_some_and(|e| e == "i"));
    let language = if is_preprocessed { Language::Preprocessed } else { Language::C };
    let start = match predefined {
        Some(start) => start,
        None if language == Language::C => predefined.insert(Predefined::new(options, names)?),
        None => &mut Predefined::default(),
    };
    let source = Source { name: &name, path, text, language };
    // Texts of our own are written for the newest standard.
    let is_c90 = path.is_some() && options.defines.iter().any(|define| define == crate::C90);
    Ok(TokenStream { is_c90, ..preprocess::tokens(source, start, options, names, sources)? })
}

/// What to say when there is no other file than this one without tokens.
pub(crate) fn nothing_in(input: &Input) -> Diagnostic {
    let (name, is_empty) = match input {
        Input::Changed { path, text } => (foreign_name(path.display().to_string()), text.is_empty()),
        Input::Path(path) => (path.display().to_string(), std::fs::metadata(path).is_ok_and(|file| file.len() == 0)),
        Input::Text { name, text } => (name.clone(), text.is_empty()),
    };
    match is_empty {
        true => Diagnostic::global(format!("'{name}' is empty")).with_help("give a C program"),
        false => {
            Diagnostic::global(format!("'{name}' contains no C code")).with_help("it is empty or holds only comments")
        }
    }
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let shown = path.display();
    let metadata = std::fs::metadata(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => {
            Diagnostic::global(format!("no such file: '{shown}'")).with_help("check the path and the spelling")
        }
        _ => Diagnostic::global(format!("cannot read '{shown}': {e}")),
    })?;
    if metadata.is_dir() {
        return Err(Diagnostic::global(format!("'{shown}' is a directory")).with_help("give a .c or .i file"));
    }
    if metadata.len() > MAX_FILE_BYTES {
        let (size, limit) = (metadata.len() >> 20, MAX_FILE_BYTES >> 20);
        return Err(Diagnostic::global(format!("'{shown}' has {size} MB, more than the {limit} MB this tool reads")));
    }
    let mut bytes = base::files::read(path).map_err(|e| {
        let error = Diagnostic::global(format!("cannot read '{shown}': {e}"));
        match e.kind() {
            std::io::ErrorKind::PermissionDenied => error.with_help("check the permissions of the file"),
            _ => error,
        }
    })?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        let limit = MAX_FILE_BYTES >> 20;
        return Err(Diagnostic::global(format!("'{shown}' is larger than the {limit} MB this tool reads")));
    }
    if let Some(at) = bytes.iter().position(|&b| b == 0) {
        return Err(Diagnostic::global(format!("'{shown}' is a binary file (a NUL byte at offset {at})"))
            .with_help("give C source text, ASCII, UTF-8 or Latin-1"));
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    Ok(bytes)
}
