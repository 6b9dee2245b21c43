//! From paths to text: reads files, refuses what cannot be C with a clear message, decides on preprocessing.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use base::{Diagnostic, Sources};

use crate::lex::{Originals, lex};
use crate::preprocess::{self, HeaderDir, Source};
use crate::realign::realign;
use crate::token::{Names, TokenStream};
use crate::{Input, Options};

/// The largest source file we read; the largest files of SV-COMP have some 10 MB.
pub const MAX_FILE_BYTES: u64 = 64 << 20;
/// What one file may grow to by preprocessing.
const MAX_TEXT_BYTES: usize = 512 << 20;

/// What the preprocessor left behind: headers are written to disk once, when a file asks for them, and a file that is
/// read twice is preprocessed once.
#[derive(Default)]
pub(crate) struct Preprocessed {
    headers: Option<HeaderDir>,
    files: HashMap<PathBuf, Vec<u8>>,
}

/// The tokens of one input.
pub(crate) fn tokens(
    input: &Input,
    options: &Options,
    done: &mut Preprocessed,
    names: &mut Names,
    sources: &mut Sources,
) -> Result<TokenStream, Vec<Diagnostic>> {
    let (name, text, path) = match input {
        Input::Path(path) => (path.display().to_string(), read(path).map_err(|d| vec![d])?, Some(path.as_path())),
        Input::Text { name, text } => (name.clone(), text.clone().into_bytes(), None),
    };
    let preprocessed = path.is_some_and(|p| p.extension().is_some_and(|e| e == "i"));
    let wanted = !preprocessed && (preprocess::is_needed(&text) || (path.is_some() && !options.defines.is_empty()));
    let stream = if wanted {
        let source = match path {
            Some(path) => Source::File { path, text: &text },
            None => Source::Text { name: &name, text: &text },
        };
        expanded(&source, options, done, names, sources)?
    } else {
        lex(text, &name, &Originals::InPlace, names, sources).map_err(|d| vec![d])?.0
    };
    if stream.tokens.len() <= 1 {
        return Err(vec![
            Diagnostic::global(format!("'{name}' contains no C code")).with_help("it is empty or holds only comments"),
        ]);
    }
    Ok(stream)
}

fn expanded(
    source: &Source<'_>,
    options: &Options,
    done: &mut Preprocessed,
    names: &mut Names,
    sources: &mut Sources,
) -> Result<TokenStream, Vec<Diagnostic>> {
    let text = match source {
        Source::File { path, .. } => match done.files.get(*path) {
            Some(text) => text.clone(),
            None => {
                let text = preprocessed(source, options, &mut done.headers, sources)?;
                done.files.insert(path.to_path_buf(), text.clone());
                text
            }
        },
        Source::Text { .. } => preprocessed(source, options, &mut done.headers, sources)?,
    };
    let read = |name: &str| match source {
        Source::Text { name: own, text } if *own == name => Some(text.to_vec()),
        _ if name.starts_with('<') => {
            let inner = name.trim_matches(['<', '>']);
            preprocess::HEADERS.iter().find(|(h, _)| *h == inner).map(|(_, text)| text.as_bytes().to_vec())
        }
        _ => std::fs::read(name).ok(),
    };
    let (mut stream, macros) =
        lex(text, &source.name(), &Originals::Read(&read), names, sources).map_err(|d| vec![d])?;
    realign(&mut stream, sources, &macros);
    Ok(stream)
}

fn preprocessed(
    source: &Source<'_>,
    options: &Options,
    headers: &mut Option<HeaderDir>,
    sources: &mut Sources,
) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let provided = headers.take().map_or_else(HeaderDir::new, Ok).and_then(|mut dir| {
        dir.provide(source, options)?;
        Ok(dir)
    });
    let dir = headers.insert(provided.map_err(|e| {
        vec![
            Diagnostic::global(format!("cannot write the bundled headers to the temporary directory: {e}"))
                .with_help("set TMPDIR to a writable directory, or give a preprocessed .i file"),
        ]
    })?);
    let text = preprocess::preprocess(source, options, dir, sources)?;
    if text.len() > MAX_TEXT_BYTES {
        let limit = MAX_TEXT_BYTES >> 20;
        return Err(vec![Diagnostic::global(format!("preprocessing gave more than {limit} MB of text"))]);
    }
    Ok(with_header_names(text, dir))
}

/// Line markers that name the directory of the bundled headers name the header instead.
fn with_header_names(text: Vec<u8>, dir: &HeaderDir) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|&b| b == b'\n') {
        let renamed = line.starts_with(b"# ").then(|| {
            let marker = String::from_utf8_lossy(line).into_owned();
            let mut quoted = marker.splitn(3, '"');
            let (number, file, flags) = (quoted.next()?, quoted.next()?, quoted.next()?);
            Some(format!("{number}\"{}\"{flags}", dir.header_name(file)?))
        });
        match renamed.flatten() {
            Some(marker) => out.extend_from_slice(marker.as_bytes()),
            None => out.extend_from_slice(line),
        }
    }
    out
}

fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
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
    if bytes.is_empty() {
        return Err(Diagnostic::global(format!("'{shown}' is empty")).with_help("give a C program"));
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
