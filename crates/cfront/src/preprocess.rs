//! Plain `.c` goes through the machine's C preprocessor, but sees only our own headers and predefined macros: the result
//! is the same for ILP32 and LP64 on any machine, with no 32-bit headers installed.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use base::{Diagnostic, Sources, Span};

use crate::Options;
use crate::types::DataModel;

macro_rules! headers {
    ($($name:literal),* $(,)?) => {
        /// The bundled headers: name and text.
        pub(crate) const HEADERS: &[(&str, &str)] = &[$(($name, include_str!(concat!("../include/", $name)))),*];
    };
}

headers![
    "alloca.h",
    "assert.h",
    "complex.h",
    "ctype.h",
    "errno.h",
    "fcntl.h",
    "fenv.h",
    "float.h",
    "getopt.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "predefined.h",
    "pthread.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/cdefs.h",
    "sys/stat.h",
    "sys/time.h",
    "sys/types.h",
    "time.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
];

/// The headers on disk for as long as the preprocessor may need them.
pub(crate) struct HeaderDir {
    path: PathBuf,
    written: BTreeSet<&'static str>,
}

impl HeaderDir {
    pub(crate) fn new() -> std::io::Result<HeaderDir> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        // A fresh directory of our own each time: nothing stale, nothing another user prepared.
        let path = loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("foldback-headers-{}-{number}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => break path,
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists && number < 10_000 => {}
                Err(e) => return Err(e),
            }
        };
        let dir = HeaderDir { path, written: BTreeSet::new() };
        std::fs::create_dir(dir.path.join("sys"))?;
        Ok(dir)
    }

    /// Writes what the source asks for, and what that asks for: forty small files take longer than a small proof.
    pub(crate) fn provide(&mut self, source: &Source<'_>, options: &Options) -> std::io::Result<()> {
        let all = || HEADERS.iter().map(|(name, _)| *name).collect();
        let asked = if options.include_dirs.is_empty() { included(source.text()) } else { None };
        let mut open: Vec<&str> = asked.unwrap_or_else(all);
        open.push("predefined.h");
        while let Some(name) = open.pop() {
            if let Some((name, text)) = HEADERS.iter().find(|(known, _)| *known == name)
                && self.written.insert(name)
            {
                std::fs::write(self.path.join(name), text)?;
                open.extend(included(text.as_bytes()).unwrap_or_else(all));
            }
        }
        Ok(())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// `<stdio.h>` for a file in this directory.
    pub(crate) fn header_name(&self, file: &str) -> Option<String> {
        let inside = Path::new(file).strip_prefix(&self.path).ok()?;
        Some(format!("<{}>", inside.display()))
    }
}

impl Drop for HeaderDir {
    fn drop(&mut self) {
        // Best effort: a leftover in the temporary directory hurts nobody.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// The names in `#include <name>`. `None` where a text includes anything else, or in other words.
fn included(text: &[u8]) -> Option<Vec<&str>> {
    let text = std::str::from_utf8(text).ok()?;
    let mut names = Vec::new();
    for (at, word) in text.match_indices("include") {
        let before = text[..at].trim_end_matches([' ', '\t']).strip_suffix('#')?.trim_end_matches([' ', '\t']);
        let after = text[at + word.len()..].trim_start_matches([' ', '\t']).strip_prefix('<')?;
        let (name, _) = after.split_once('>')?;
        if !(before.is_empty() || before.ends_with('\n')) || !HEADERS.iter().any(|(known, _)| *known == name) {
            return None;
        }
        names.push(name);
    }
    Some(names)
}

pub(crate) enum Source<'a> {
    File { path: &'a Path, text: &'a [u8] },
    Text { name: &'a str, text: &'a [u8] },
}

impl Source<'_> {
    fn text(&self) -> &[u8] {
        match self {
            Source::File { text, .. } | Source::Text { text, .. } => text,
        }
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Source::File { path, .. } => path.display().to_string(),
            Source::Text { name, .. } => (*name).to_owned(),
        }
    }
}

/// The preprocessed text.
pub(crate) fn preprocess(
    source: &Source<'_>,
    options: &Options,
    headers: &HeaderDir,
    sources: &mut Sources,
) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let candidates: Vec<&str> = match &options.preprocessor {
        Some(command) => vec![command],
        None => vec!["cc", "gcc", "clang"],
    };
    for candidate in &candidates {
        let mut words = candidate.split_whitespace();
        let Some(program) = words.next() else { continue };
        let mut command = Command::new(program);
        command.args(words);
        arguments(&mut command, source, options, headers);
        match run(command, source) {
            Ok(output) if output.status.success() => return Ok(output.stdout),
            Ok(output) => {
                let text = String::from_utf8_lossy(&output.stderr);
                return Err(messages(&text, source, headers, sources));
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
            Err(e) => return Err(vec![Diagnostic::global(format!("cannot run the C preprocessor '{program}': {e}"))]),
        }
    }
    let tried = candidates.join(", ");
    Err(vec![
        Diagnostic::global(format!("no C preprocessor found (tried {tried})"))
            .with_help("install gcc (apt install gcc) or clang, set CC, or give a preprocessed .i file"),
    ])
}

fn arguments(command: &mut Command, source: &Source<'_>, options: &Options, headers: &HeaderDir) {
    let model = match options.model {
        DataModel::Ilp32 => "-D__FOLDBACK_ILP32__=1",
        DataModel::Lp64 => "-D__FOLDBACK_LP64__=1",
    };
    // -dD keeps the definitions in the output: realignment wants to know which names are macros.
    command.args(["-E", "-dD", "-std=gnu11", "-undef", "-nostdinc", "-x", "c", model, "-include"]);
    command.arg(headers.path().join("predefined.h"));
    for dir in &options.include_dirs {
        command.arg("-I").arg(dir);
    }
    command.arg("-isystem").arg(headers.path());
    for define in &options.defines {
        command.arg(format!("-D{define}"));
    }
    match source {
        Source::File { path, .. } => command.arg(path),
        Source::Text { .. } => command.arg("-"),
    };
}

fn run(mut command: Command, source: &Source<'_>) -> std::io::Result<std::process::Output> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    // Messages are parsed below: no translations.
    command.env("LC_ALL", "C");
    match source {
        Source::File { .. } => command.stdin(Stdio::null()).output(),
        Source::Text { name, text } => {
            let mut child = command.stdin(Stdio::piped()).spawn()?;
            let stdin = child.stdin.take();
            let mut input = format!("# 1 \"{name}\"\n").into_bytes();
            input.extend_from_slice(text);
            // The preprocessor may stop reading early (an error); its own message tells why.
            std::thread::scope(|scope| {
                scope.spawn(move || {
                    if let Some(mut stdin) = stdin {
                        let _ = stdin.write_all(&input);
                    }
                });
                child.wait_with_output()
            })
        }
    }
}

/// The preprocessor's errors (`file:line:col: error: text`) as our own.
fn messages(stderr: &str, source: &Source<'_>, headers: &HeaderDir, sources: &mut Sources) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for line in stderr.lines() {
        let Some((place, text)) = line.split_once(": error: ").or_else(|| line.split_once(": fatal error: ")) else {
            continue;
        };
        let mut parts = place.rsplitn(3, ':');
        let (col, row, file) = (parts.next(), parts.next(), parts.next());
        let numbers = row.and_then(|r| r.parse::<u32>().ok()).zip(col.and_then(|c| c.parse::<u32>().ok()));
        let mut diagnostic = match (file, numbers) {
            (Some(file), Some((row, col))) => {
                let shown = headers.header_name(file).unwrap_or_else(|| file.to_owned());
                let id = sources.intern(&shown, || std::fs::read(file).ok().map(|b| crate::token::decode(&b)));
                Diagnostic::error(Span { file: id, line: row, col, end_line: row, end_col: col + 1 }, text)
            }
            _ => Diagnostic::global(format!("{place}: {text}")),
        };
        if let Some(header) = text.strip_suffix(": No such file or directory") {
            diagnostic.message = format!("header '{header}' not found");
            diagnostic = diagnostic.with_help("give its directory with -I; the C standard headers are built in");
        }
        found.push(diagnostic);
    }
    if found.is_empty() {
        let name = source.name();
        let reason = stderr.lines().find(|l| !l.trim().is_empty()).unwrap_or("no reason given");
        found.push(Diagnostic::global(format!("preprocessing '{name}' failed: {reason}")));
    }
    found
}

/// Does the text need preprocessing? Line markers and pragmas alone do not; a directive, a spliced line or
/// the name of a predefined macro does.
pub(crate) fn is_needed(text: &[u8]) -> bool {
    for line in text.split(|&b| b == b'\n') {
        let line = line.trim_ascii_start();
        if let Some(rest) = line.strip_prefix(b"#") {
            let rest = rest.trim_ascii_start();
            let harmless =
                rest.is_empty() || rest[0].is_ascii_digit() || rest.starts_with(b"line") || rest.starts_with(b"pragma");
            if !harmless {
                return true;
            }
        }
        if line.ends_with(b"\\") || line.ends_with(b"\\\r") || line.starts_with(b"%:") {
            return true;
        }
    }
    let contains = |needle: &[u8]| text.windows(needle.len()).any(|w| w == needle);
    contains(b"_Pragma") || names_predefined_macro(text)
}

/// Something like `__LINE__`: upper case between double underscores.
fn names_predefined_macro(text: &[u8]) -> bool {
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut at = 0;
    while at + 4 < text.len() {
        if text[at] == b'_' && text[at + 1] == b'_' && (at == 0 || !is_name(text[at - 1])) {
            let len = text[at..].iter().take_while(|&&b| is_name(b)).count();
            let word = &text[at..at + len];
            let inner = &word[2..];
            // `__VERIFIER_assert` and the like have lower case somewhere.
            let upper = inner.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_');
            let predefined = (upper && word.ends_with(b"__") && inner.iter().any(u8::is_ascii_uppercase))
                || matches!(word, b"__linux__" | b"__unix__" | b"__i386__" | b"__x86_64__" | b"__linux" | b"__unix");
            if predefined && !matches!(word, b"__FUNCTION__" | b"__PRETTY_FUNCTION__") {
                return true;
            }
            at += len;
        } else {
            at += 1;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_c_needs_no_preprocessor() {
        assert!(!is_needed(b"int main(void) { __VERIFIER_assert(1); return 0; }\n"));
        assert!(!is_needed(b"# 1 \"a.c\"\n#pragma pack(1)\nint x; /* # no directive */\n"));
        assert!(!is_needed(b"void f(const char *s); void g(void) { f(__FUNCTION__); }\n"));
        assert!(is_needed(b"#include <stdio.h>\n"));
        assert!(is_needed(b"int line = __LINE__;\n"));
        assert!(is_needed(b"int a \\\n= 1;\n"));
    }

    #[test]
    fn what_is_included_is_known_or_everything_is_provided() {
        assert_eq!(included(b"int x;\n"), Some(vec![]));
        assert_eq!(
            included(b"#include <stdio.h>\n # include\t<sys/stat.h> // why\n"),
            Some(vec!["stdio.h", "sys/stat.h"])
        );
        for other in [
            "#include \"mine.h\"",
            "#include <mine.h>",
            "#include WHICH",
            "#if __has_include(<math.h>)",
            "%:include <math.h>",
            "#define X #include <math.h>",
        ] {
            assert_eq!(included(other.as_bytes()), None, "{other}");
        }
    }
}
