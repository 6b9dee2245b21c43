//! Files: loading them into the one text, finding headers, entering and leaving inclusions.
//!
//! `"x.h"` is looked for beside the file that asks, then as `<x.h>` is: in the directories of `-I` in order, then among the
//! bundled headers, then in the machine's include folders. Headers of the machine's find the bundled ones first, too, so that
//! types are defined once; parts that several headers share bear glibc's names (`bits/types/sigset_t.h`) for that reason. A file
//! that is nothing but `#ifndef X … #endif` is not read again while `X` is defined.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::input;
use crate::token::Name;

use super::*;

const MAX_INCLUDE_DEPTH: usize = 200;

/// What identifies a loaded file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Origin {
    File(PathBuf),
    Bundled(String),
}

/// A file in the text.
#[derive(Clone)]
pub(super) struct Loaded {
    from: usize,
    to: usize,
    joints: Rc<[u32]>,
    /// As it was before lines were joined, where there were any to join.
    unjoined: Option<Rc<[u8]>>,
    wide: bool,
    /// It need not be read while this macro is defined.
    guard: Option<Name>,
    pub(super) once: bool,
    /// Its lines are known to [`Places`].
    recorded: bool,
}

impl Loaded {
    pub(super) fn original<'t>(&'t self, text: &'t [u8]) -> &'t [u8] {
        self.unjoined.as_deref().unwrap_or(&text[self.from..self.to])
    }
}

/// A file that is being read.
pub(super) struct Include {
    pub(super) loaded: usize,
    pub(super) scanner: Scanner,
    /// The directive that asked for it.
    pub(super) from: Option<At>,
    pub(super) role: Role,
    pub(super) conditions: Vec<directive::Condition>,
    pub(super) guard: Guard,
    stretch: Stretch,
}

/// Is the file nothing but one `#ifndef` group?
#[derive(Clone, Copy)]
pub(super) enum Guard {
    Nothing,
    Inside(Name),
    After(Name),
    No,
}

impl Guard {
    /// Something stands there that no group encloses, unless we are inside one.
    pub(super) fn saw_token(&mut self) {
        if !matches!(self, Guard::Inside(_)) {
            *self = Guard::No;
        }
    }
}

/// A header where it was found.
struct Found {
    origin: Origin,
    role: Role,
}

/// As what a file is read: under which name, from which directory, and in which of the searched ones it was found.
#[derive(Clone, Debug)]
pub(super) struct Role {
    pub(super) name: String,
    pub(super) directory: Option<PathBuf>,
    /// 0 beside the file that asked, then those of `-I`, then the bundled headers, then the machine's.
    found_in: usize,
}

impl Role {
    /// The file the user gave, or a text.
    pub(super) fn main(name: &str, path: Option<&Path>) -> Role {
        let directory = path.and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
        Role { name: name.to_owned(), directory: Some(directory), found_in: 0 }
    }
}

impl Preprocessor<'_> {
    pub(super) fn load(&mut self, name: &str, mut bytes: Vec<u8>) -> Res<usize> {
        if self.is_macro(b"__STRICT_ANSI__") && !self.is_macro(b"__FOLDBACK_C23__") {
            scan::replace_trigraphs(&mut bytes);
        }
        if self.text.len() + bytes.len() > MAX_TEXT_BYTES {
            let limit = MAX_TEXT_BYTES >> 20;
            return Err(vec![Diagnostic::global(format!("with '{name}' there are more than {limit} MB of text"))]);
        }
        let wide = !bytes.is_ascii() && std::str::from_utf8(&bytes).is_ok();
        let from = self.text.len();
        let mut loaded = Loaded {
            from,
            to: 0,
            joints: Rc::new([]),
            unjoined: None,
            wide,
            guard: None,
            once: false,
            recorded: false,
        };
        match scan::join_lines(&bytes) {
            Some((joined, joints)) => {
                self.text.extend_from_slice(&joined);
                loaded.joints = joints.into();
                loaded.unjoined = Some(bytes.into());
            }
            None if from == 0 => self.text = bytes,
            None => self.text.extend_from_slice(&bytes),
        }
        loaded.to = self.text.len();
        self.loaded.push(loaded);
        Ok(self.loaded.len() - 1)
    }

    /// Starts reading a loaded file; the directive at `from` asked for it.
    pub(super) fn enter_file(&mut self, loaded: usize, role: Role, from: Option<At>) {
        let file = self.places.file(&role.name);
        let divides = self.is_macro(b"__STRICT_ANSI__") && !self.is_macro(b"__STDC_VERSION__");
        let Loaded { from: start, to, joints, wide, .. } = &self.loaded[loaded];
        let mut scanner = Scanner::new(*start, *to, Rc::clone(joints), *wide, file);
        scanner.divides = divides;
        self.scanned += to - start;
        let stretch = Stretch { file, loaded, from: 1, to: 1, line: 1 };
        let guard = Guard::Nothing;
        // What was entered before is at its end, unless this one is included in it.
        if from.is_none() {
            self.files.clear();
        }
        self.files.push(Include { loaded, scanner, from, role, conditions: Vec::new(), guard, stretch });
    }

    /// The lines so far are those of the stretch we were in; what comes after real line `ends` is `file` from `line` on.
    pub(super) fn new_stretch(&mut self, ends: u32, file: u32, line: u32) {
        let Some(top) = self.files.last_mut() else { return };
        let next = Stretch { file, loaded: top.loaded, from: ends + 1, to: ends + 1, line };
        let done = Stretch { to: ends, ..std::mem::replace(&mut top.stretch, next) };
        if !self.loaded[top.loaded].recorded {
            self.places.record(done);
        }
    }

    /// The line at hand is the last of the stretch we are in.
    fn end_stretch(&mut self) {
        let Some(top) = self.files.last() else { return };
        let (ends, stretch) = (top.scanner.real_line().saturating_add(1), top.stretch);
        self.new_stretch(ends, stretch.file, stretch.line);
    }

    /// The innermost file is at its end. Was it included by another?
    pub(super) fn leave_file(&mut self) -> Res<bool> {
        let Some(top) = self.files.last_mut() else { return Ok(false) };
        if let Some(open) = top.conditions.last() {
            let (at, word) = (open.at, open.word);
            return self.fail(at, format!("unterminated #{word}"), "close it with #endif");
        }
        let loaded = top.loaded;
        if let Guard::After(name) = top.guard {
            self.loaded[loaded].guard = Some(name);
        }
        self.end_stretch();
        self.loaded[loaded].recorded = true;
        let included = self.files.len() > 1;
        if included {
            self.files.pop();
        }
        Ok(included)
    }

    /// After a mistake: messages show the lines that were read so far.
    pub(super) fn leave_open_files(&mut self) {
        while !self.files.is_empty() {
            self.end_stretch();
            self.files.pop();
        }
    }

    /// `#include`, `#include_next`, `#import`; `at` is the place of the directive, the name is `"x.h"` or `<x.h>`.
    pub(super) fn include(&mut self, at: At, name: &[u8], next: bool, once: bool) -> Res<()> {
        let (inner, quoted) = match name {
            [b'"', inner @ .., b'"'] => (inner, true),
            [b'<', inner @ .., b'>'] => (inner, false),
            _ => return self.fail(at, "#include expects \"FILE\" or <FILE>", "give the name of a header"),
        };
        if inner.is_empty() {
            return self.fail(at, "empty name of a header in #include", "give the name of a header");
        }
        let Some(found) = self.find(inner, quoted, next) else {
            let message = format!("header '{}' not found", decode(inner));
            // It may be there, but what lies elsewhere and is not named like C is none of a program's business.
            let is_elsewhere = quoted && Path::new(&decode(inner)).is_absolute();
            let is_of_processor = inner.ends_with(b"intrin.h") || inner == b"arm_neon.h";
            let help = match (is_elsewhere, is_of_processor) {
                (true, _) => "only files named like C are read from outside of the program's folders",
                (_, true) => {
                    "the processor's own instructions are not modelled; -U with the macro that the program asks for them by \
                     (-U__SSE2__, say) takes its portable way"
                }
                _ => "give its directory with -I; the C standard headers are built in",
            };
            return self.fail(at, message, help);
        };
        if self.files.len() > MAX_INCLUDE_DEPTH {
            let message = format!("#include nested more than {MAX_INCLUDE_DEPTH} deep");
            return self.fail(at, message, "does a file include itself? give it an include guard");
        }
        let known = self.by_path.get(&found.origin).copied();
        let loaded = match known {
            Some(loaded) => {
                let Loaded { guard, once: never_again, .. } = &self.loaded[loaded];
                if *never_again || once || guard.is_some_and(|name| self.macro_named(name).is_some()) {
                    return Ok(());
                }
                loaded
            }
            None => {
                let bytes = match &found.origin {
                    Origin::File(path) => {
                        input::read(path).map_err(|d| self.chained(Diagnostic { span: Some(at.span()), ..d }))?
                    }
                    Origin::Bundled(name) => headers::bundled(name).unwrap_or_default().as_bytes().to_vec(),
                };
                let loaded = self.load(&found.role.name, bytes)?;
                self.by_path.insert(found.origin, loaded);
                loaded
            }
        };
        self.loaded[loaded].once |= once;
        if self.is_machines(&found.role) && !self.files.last().is_some_and(|asks| self.is_machines(&asks.role)) {
            let message = format!("{} is this machine's own header: another machine may have another", found.role.name);
            self.notes.push(Diagnostic::note(Some(at.span()), message));
        }
        if self.scanned > MAX_TEXT_BYTES {
            return self.too_large(at);
        }
        self.enter_file(loaded, found.role, Some(at));
        Ok(())
    }

    /// Looks for a header; with `next`, only behind the directory where the file that asks was found.
    fn find(&self, name: &[u8], quoted: bool, next: bool) -> Option<Found> {
        let name = decode(name);
        let asks = self.files.last();
        let file = |path: PathBuf, found_in: usize| {
            if !path.is_file() || !self.project.allows(&path) {
                return None;
            }
            let name = input::foreign_name(path.display().to_string());
            let role = Role { name, directory: path.parent().map(Path::to_owned), found_in };
            Some(Found { origin: Origin::File(path.canonicalize().unwrap_or(path)), role })
        };
        let own = Path::new(&name);
        if own.is_absolute() {
            return file(own.to_owned(), 0);
        }
        let from = match asks {
            // In the file the user gave there is no directory to go on from.
            Some(asks) if next && asks.from.is_some() => asks.role.found_in + 1,
            _ if quoted && !next => 0,
            _ => 1,
        };
        if from == 0
            && let Some(beside) = asks.and_then(|asks| asks.role.directory.as_ref())
            && let Some(found) = file(beside.join(own), 0)
        {
            return Some(found);
        }
        let dirs = self.options.include_dirs.iter().enumerate().skip(from.saturating_sub(1));
        for (index, dir) in dirs {
            if let Some(found) = file(dir.join(own), index + 1) {
                return Some(found);
            }
        }
        let last = self.options.include_dirs.len() + 1;
        let bundled = || {
            let is_bundled = from <= last && headers::bundled(&name).is_some();
            let role = Role { name: format!("<{name}>"), directory: None, found_in: last };
            is_bundled.then(|| Found { origin: Origin::Bundled(name.clone()), role })
        };
        let machine = || {
            let dirs = headers::SYSTEM_DIRS.iter().enumerate().skip(from.saturating_sub(last + 1));
            dirs.into_iter().find_map(|(index, dir)| file(Path::new(dir).join(own), last + 1 + index))
        };
        bundled().or_else(machine)
    }

    /// Whether a header is the machine's own.
    fn is_machines(&self, role: &Role) -> bool {
        role.found_in > self.options.include_dirs.len() + 1
    }

    /// `__has_include`.
    pub(super) fn has_include(&self, name: &[u8], next: bool) -> bool {
        match name {
            [b'"', inner @ .., b'"'] => self.find(inner, true, next).is_some(),
            [b'<', inner @ .., b'>'] => self.find(inner, false, next).is_some(),
            _ => false,
        }
    }
}
