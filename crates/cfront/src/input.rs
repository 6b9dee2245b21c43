//! From paths to tokens: reads files, refuses what cannot be C with a clear message.

use std::path::Path;

use base::{Diagnostic, Sources};

use crate::preprocess::{self, Language, Predefined, Source};
use crate::token::{Names, TokenStream};
use crate::{Input, Options};

/// The largest source file we read; the largest files of SV-COMP have some 10 MB.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// The tokens of one input; `predefined` is made when the first C file wants it.
pub(crate) fn tokens(
    input: &Input,
    options: &Options,
    predefined: &mut Option<Predefined>,
    names: &mut Names,
    sources: &mut Sources,
) -> Result<TokenStream, Vec<Diagnostic>> {
    let (name, text, path) = match input {
        Input::Path(path) => (path.display().to_string(), read(path).map_err(|d| vec![d])?, Some(path.as_path())),
        Input::Text { name, text } => (name.clone(), text.clone().into_bytes(), None),
    };
    if path.is_some() && text.is_empty() {
        return Err(vec![Diagnostic::global(format!("'{name}' is empty")).with_help("give a C program")]);
    }
    let is_preprocessed = path.is_some_and(|p| p.extension().is_some_and(|e| e == "i"));
    let language = if is_preprocessed { Language::Preprocessed } else { Language::C };
    let start = match predefined {
        Some(start) => start,
        None if language == Language::C => predefined.insert(Predefined::new(options, names)?),
        None => &mut Predefined::default(),
    };
    let source = Source { name: &name, path, text, language };
    let stream = preprocess::tokens(source, start, options, names, sources)?;
    if stream.tokens.len() <= 1 {
        return Err(vec![
            Diagnostic::global(format!("'{name}' contains no C code")).with_help("it is empty or holds only comments"),
        ]);
    }
    Ok(stream)
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
    let mut bytes = std::fs::read(path).map_err(|e| {
        Diagnostic::global(format!("cannot read '{shown}': {e}")).with_help("check the permissions of the file")
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
