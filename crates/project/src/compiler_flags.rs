//! The flags of compilers, as builds give them to gcc and clang: those that say how files are read are obeyed, those that
//! would change what a program means are refused by name, all others mean nothing here and are named in one note.
//!
//! They are taken out of a command line before our own flags are read, since `-isystem` or `-std=c99` are no flags of the
//! usual form. Response files (`@file`) are replaced by what they hold.

use crate::words::split;
use cfront::Reading;
use cfront::types::DataModel;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What flags of a compiler say, paths as seen from where we run.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CompilerFlags {
    /// `-iquote`, `-I`, `-isystem`, `-idirafter`: searched in this order, each in the order of the flags.
    quoted: Vec<PathBuf>,
    includes: Vec<PathBuf>,
    system: Vec<PathBuf>,
    after: Vec<PathBuf>,
    /// The last word of `-D` and `-U` on each name.
    defines: Vec<String>,
    undefines: Vec<String>,
    forced: Vec<PathBuf>,
    /// `-std=`, `-ansi`: as it was written.
    standard: Option<String>,
    pub data_model: Option<DataModel>,
    /// Flags without a meaning here.
    ignored: Vec<String>,
    optimisation: Option<Optimisation>,
}

/// Response files inside response files: more are a mistake.
const MAX_DEPTH: u32 = 10;

fn expanded(arguments: &[String], directory: &Path, depth: u32) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    for argument in arguments {
        // A file may be called so, for a shell to put it here (`*.c`): it is that file, and its text no flags.
        let is_file = directory.join(argument).symlink_metadata().is_ok();
        let Some(name) = argument.strip_prefix('@').filter(|name| !name.is_empty() && !is_file) else {
            out.push(argument.clone());
            continue;
        };
        if depth >= MAX_DEPTH {
            return Err(format!("'{argument}': response files inside response files, {MAX_DEPTH} deep"));
        }
        let path = directory.join(name);
        let text = base::files::read_text(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let words = split(&text).ok_or_else(|| format!("{}: a quote is not closed", path.display()))?;
        out.extend(expanded(&words, directory, depth + 1)?);
    }
    Ok(out)
}

/// Flags with a value of their own, which nobody needs here.
const VALUED: [&str; 8] = ["-o", "-MF", "-MT", "-MQ", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-Xclang"];

/// Flags that give C another meaning than ours.
const REFUSED: [&str; 31] = [
    "-funsigned-char",
    "-fno-signed-char",
    "-fshort-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-ffast-math",
    "-Ofast",
    "-ffinite-math-only",
    "-funsafe-math-optimizations",
    "-fsingle-precision-constant",
    "-funsigned-bitfields",
    "-fno-signed-bitfields",
    "-mx32",
    "-m16",
    "-mlong-double-64",
    "-mlong-double-128",
    "-malign-double",
    "-mms-bitfields",
    "-fms-extensions",
    "-fplan9-extensions",
    "-fno-signed-zeros",
    "-freciprocal-math",
    "-fassociative-math",
    "-fcx-limited-range",
    "-mfpmath=387",
    "-mpc32",
    "-mpc64",
    "-fopenmp",
    "-fopenacc",
    "-finstrument-functions",
    "-fpcc-struct-return",
];

/// Which bytes a string literal becomes: as they are written, in UTF-8.
const CHARSETS: [&str; 3] = ["-finput-charset", "-fexec-charset", "-fwide-exec-charset"];

/// Whether it gives C another meaning than ours.
fn is_refused(flag: &str) -> bool {
    let (name, value) = flag.split_once('=').unwrap_or((flag, ""));
    let is_ours = ["utf-8", "utf8", "utf-32", "utf-32le"].contains(&value.to_lowercase().as_str());
    REFUSED.contains(&name) || REFUSED.contains(&flag) || CHARSETS.contains(&name) && !is_ours
}

/// How the names of flags begin that say how to warn, to optimise, to link and what to write.
const IGNORED: [&str; 11] = ["-W", "-f", "-g", "-m", "-M", "-l", "-L", "-pedantic", "-pthread", "-static", "-shared"];
const IGNORED_WORDS: [&str; 9] = ["-c", "-pipe", "-w", "-s", "-S", "-v", "-nostdinc", "-nostdlib", "-no-pie"];

/// What a program is optimised for, as far as it can tell: it does not change what C means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Optimisation {
    None,
    Speed,
    Size,
}

impl CompilerFlags {
    /// Takes the flags of compilers out of arguments, among which flags of our own may stand.
    pub fn take(arguments: &[String]) -> Result<(CompilerFlags, Vec<String>), String> {
        let mut flags = CompilerFlags::default();
        let rest = flags.read(&expanded(arguments, Path::new(""), 0)?, Path::new(""), true)?;
        flags.search(std::env::var_os("CPATH"), std::env::var_os("C_INCLUDE_PATH"));
        Ok((flags, rest))
    }

    /// Folders that the environment names, searched behind those of flags, as gcc does: an empty name is the current folder.
    fn search(&mut self, quoted: Option<OsString>, system: Option<OsString>) {
        for (paths, folders) in [(quoted, &mut self.includes), (system, &mut self.system)] {
            let paths = paths.filter(|paths| !paths.is_empty()).unwrap_or_default();
            let named = std::env::split_paths(&paths);
            let named = named.map(|path| if path.as_os_str().is_empty() { PathBuf::from(".") } else { path });
            folders.extend(named.take(if paths.is_empty() { 0 } else { usize::MAX }));
        }
    }

    /// Those of a compiler that is called in `directory`, response files included.
    pub(crate) fn of_call(arguments: &[String], directory: &Path) -> Result<CompilerFlags, String> {
        let mut flags = CompilerFlags::default();
        flags.read(&expanded(arguments, directory, 0)?, directory, false)?;
        flags.ignored.clear();
        Ok(flags)
    }

    /// Reads flags; what is none of a compiler is given back. `ours`: flags of our own may stand between them.
    fn read(&mut self, arguments: &[String], directory: &Path, ours: bool) -> Result<Vec<String>, String> {
        let mut rest = Vec::new();
        let mut at = arguments.iter();
        while let Some(argument) = at.next() {
            // The value of a flag is in the same word or in the next one.
            let mut value = |name: &str| -> Result<Option<String>, String> {
                match argument.strip_prefix(name) {
                    None => Ok(None),
                    Some("") => match at.next() {
                        Some(value) => Ok(Some(value.clone())),
                        None => Err(format!("{name} needs a value")),
                    },
                    Some(value) => Ok(Some(value.to_owned())),
                }
            };
            if argument == "--" {
                rest.push(argument.clone());
                rest.extend(at.cloned());
                break;
            }
            if let Some(dir) = value("-isystem")? {
                self.system.push(directory.join(dir));
            } else if let Some(dir) = value("-iquote")? {
                self.quoted.push(directory.join(dir));
            } else if let Some(dir) = value("-idirafter")? {
                self.after.push(directory.join(dir));
            } else if let Some(file) = value("-include")? {
                self.forced.push(directory.join(file));
            } else if let Some(define) = value("-D")? {
                self.define(&define);
            } else if let Some(name) = value("-U")? {
                self.undefine(&name);
            } else if let Some(dir) = value("-I")? {
                self.includes.push(directory.join(dir));
            } else if let Some(language) = argument.strip_prefix("-x").filter(|_| !argument.starts_with("-x-")) {
                let language = if language.is_empty() { at.next().map_or("", String::as_str) } else { language };
                if !matches!(language, "c" | "none") {
                    return Err(format!("-x {language}: only C is understood"));
                }
            } else if let Some(standard) = argument.strip_prefix("-std=") {
                version(standard)?;
                self.standard = Some(argument.clone());
            } else if argument == "-ansi" {
                self.standard = Some(argument.clone());
            } else if let Some(level) = argument.strip_prefix("-O").filter(|_| !is_refused(argument)) {
                self.optimisation = Some(match level {
                    "0" => Optimisation::None,
                    "s" | "z" => Optimisation::Size,
                    _ => Optimisation::Speed,
                });
            } else if argument == "-m32" {
                self.data_model = Some(DataModel::Ilp32);
            } else if argument == "-m64" {
                self.data_model = Some(DataModel::Lp64);
            } else if is_refused(argument) {
                return Err(format!("{argument} gives C another meaning than the one that is checked here"));
            } else if VALUED.contains(&argument.as_str()) && !ours {
                at.next();
            } else if is_ignored(argument) && !(ours && argument == "-v") {
                self.ignored.push(argument.clone());
            } else {
                refuse_language(argument)?;
                rest.push(argument.clone());
            }
        }
        Ok(rest)
    }

    fn define(&mut self, define: &str) {
        let name = macro_name(define).to_owned();
        self.undefines.retain(|other| *other != name);
        self.defines.push(define.to_owned());
    }

    fn undefine(&mut self, name: &str) {
        self.defines.retain(|other| macro_name(other) != name);
        self.undefines.retain(|other| other != name);
        self.undefines.push(name.to_owned());
    }

    /// These flags, and then others.
    pub fn followed_by(mut self, more: &CompilerFlags) -> CompilerFlags {
        self.quoted.extend(more.quoted.iter().cloned());
        self.includes.extend(more.includes.iter().cloned());
        self.system.extend(more.system.iter().cloned());
        self.after.extend(more.after.iter().cloned());
        self.forced.extend(more.forced.iter().cloned());
        more.defines.iter().for_each(|define| self.define(define));
        more.undefines.iter().for_each(|name| self.undefine(name));
        self.standard = more.standard.clone().or(self.standard);
        self.data_model = more.data_model.or(self.data_model);
        self.optimisation = more.optimisation.or(self.optimisation);
        self
    }

    /// How files are read.
    pub fn reading(&self) -> Reading {
        let mut reading = Reading {
            include_dirs: [&self.quoted, &self.includes, &self.system, &self.after]
                .into_iter()
                .flatten()
                .cloned()
                .collect(),
            defines: Vec::new(),
            undefines: self.undefines.clone(),
            forced: self.forced.clone(),
        };
        let is_free = |name: &str| {
            !self.undefines.iter().any(|other| other == name)
                && !self.defines.iter().any(|other| macro_name(other) == name)
        };
        if let Some(standard) = &self.standard {
            let text = standard.strip_prefix("-std=").unwrap_or("c90");
            // It was looked at when the flag was read.
            let (version, is_strict) = version(text).unwrap_or_default();
            if is_free("__STDC_VERSION__") {
                match version {
                    Some(version) => {
                        reading.defines.push(format!("__STDC_VERSION__={version}L"));
                        let words = if version >= C23 { &NEW_WORDS[..] } else { &[] };
                        let free = words.iter().filter(|word| is_free(macro_name(word)));
                        reading.defines.extend(free.map(|word| (*word).to_owned()));
                    }
                    None => {
                        reading.undefines.push("__STDC_VERSION__".to_owned());
                        // For the types of constants.
                        reading.defines.push(cfront::C90.to_owned());
                    }
                }
            }
            if is_strict && is_free("__STRICT_ANSI__") {
                reading.defines.push("__STRICT_ANSI__".to_owned());
            }
            if is_strict {
                let free = OWN_WORDS.iter().filter(|name| is_free(name));
                reading.undefines.extend(free.map(|name| (*name).to_owned()));
            }
        }
        let optimised: &[&str] = match self.optimisation {
            None | Some(Optimisation::None) => &[],
            Some(Optimisation::Speed) => &["__OPTIMIZE__=1"],
            Some(Optimisation::Size) => &["__OPTIMIZE__=1", "__OPTIMIZE_SIZE__=1"],
        };
        let free = optimised.iter().filter(|define| is_free(macro_name(define)));
        reading.defines.extend(free.map(|define| (*define).to_owned()));
        if !optimised.is_empty() && is_free("__NO_INLINE__") {
            reading.undefines.push("__NO_INLINE__".to_owned());
        }
        reading.defines.extend(self.defines.iter().cloned());
        reading
    }

    /// The same for a compiler, besides include directories and definitions of macros.
    pub fn for_compiler(&self) -> Vec<String> {
        let undefines = self.undefines.iter().map(|name| format!("-U{name}"));
        let forced = self.forced.iter().flat_map(|file| ["-include".to_owned(), file.display().to_string()]);
        self.standard.iter().cloned().chain(undefines).chain(forced).collect()
    }

    /// What was not looked at, in one note.
    pub fn note(&self) -> Option<String> {
        let mut seen: Vec<&str> = Vec::new();
        for flag in &self.ignored {
            if !seen.contains(&flag.as_str()) {
                seen.push(flag);
            }
        }
        (!seen.is_empty()).then(|| format!("note: compiler flags that mean nothing here: {}", seen.join(" ")))
    }
}

fn macro_name(define: &str) -> &str {
    define.split(['=', '(']).next().unwrap_or(define)
}

fn is_ignored(argument: &str) -> bool {
    // Our own flags have two dashes, or are one letter.
    !argument.starts_with("--")
        && (IGNORED.iter().any(|start| argument.starts_with(start)) || IGNORED_WORDS.contains(&argument))
}

/// What gcc defines for this machine in names that ISO C leaves to the program.
const OWN_WORDS: [&str; 3] = ["i386", "linux", "unix"];
/// What C23 says `__STDC_VERSION__` is.
const C23: u32 = 202_311;
/// Words of C23 that are others before. (`auto` with a type is refused by this, which few write.)
const NEW_WORDS: [&str; 6] = [
    // For the preprocessor: `#if true`.
    "__FOLDBACK_C23__=1",
    "alignas=_Alignas",
    "alignof=_Alignof",
    "auto=__auto_type",
    "static_assert=_Static_assert",
    "thread_local=_Thread_local",
];

/// What a standard says `__STDC_VERSION__` is, and whether GNU's extensions are off.
fn version(standard: &str) -> Result<(Option<u32>, bool), String> {
    let (year, is_strict) = match standard.strip_prefix("gnu") {
        Some(year) => (year, false),
        None => (standard.strip_prefix('c').or_else(|| standard.strip_prefix("iso9899:")).unwrap_or(""), true),
    };
    let version = match year {
        "89" | "90" | "1990" => None,
        "99" | "9x" | "1999" => Some(199_901),
        "11" | "1x" | "2011" => Some(201_112),
        "17" | "18" | "2017" | "2018" => Some(201_710),
        "23" | "2x" | "2023" | "2024" => Some(C23),
        _ if standard.contains("++") => return Err(format!("-std={standard}: C++ is not understood")),
        _ => {
            return Err(format!(
                "-std={standard} is not a standard that is known: c90, c99, c11, c17, c23, gnu90, ..."
            ));
        }
    };
    Ok((version, is_strict))
}

/// Files that are no C.
fn refuse_language(argument: &str) -> Result<(), String> {
    if argument.starts_with('-') {
        return Ok(());
    }
    let what = match Path::new(argument).extension().and_then(|e| e.to_str()) {
        Some("cc" | "cpp" | "cxx" | "c++" | "C" | "ii" | "hpp" | "hh") => "C++",
        Some("s" | "S" | "asm" | "sx") => "assembler",
        Some("o" | "a" | "so") => "compiled code",
        _ => return Ok(()),
    };
    Err(format!("'{argument}' is {what}: only C is understood"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> (CompilerFlags, Vec<String>) {
        let mut flags = CompilerFlags::default();
        let words = split(words).expect("closed quotes");
        let rest = flags.read(&words, Path::new(""), true).expect("good flags");
        (flags, rest)
    }

    #[test]
    fn the_last_word_on_a_macro_holds() {
        let (flags, rest) = read("-DA=1 -UA -DB -U C -D C=2 x.c -p memsafety");
        assert_eq!(flags.reading().defines, ["B", "C=2"]);
        assert_eq!(flags.reading().undefines, ["A"]);
        assert_eq!(rest, ["x.c", "-p", "memsafety"]);
    }

    #[test]
    fn directories_in_the_order_of_the_search() {
        let (flags, _) = read("-isystem s -Ia -iquote q -I b -idirafter z");
        let names: Vec<String> = flags.reading().include_dirs.iter().map(|d| d.display().to_string()).collect();
        assert_eq!(names, ["q", "a", "b", "s", "z"]);
    }

    #[test]
    fn folders_of_the_environment_come_last() {
        let (mut flags, _) = read("-Ia -isystem s");
        flags.search(Some("b:".into()), Some("t".into()));
        flags.search(None, Some(OsString::new()));
        let names: Vec<String> = flags.reading().include_dirs.iter().map(|d| d.display().to_string()).collect();
        assert_eq!(names, ["a", "b", ".", "s", "t"]);
    }

    #[test]
    fn what_changes_the_meaning_is_refused() {
        let fails = |words: &str| {
            let words = split(words).expect("closed quotes");
            CompilerFlags::default().read(&words, Path::new(""), true).expect_err("a refusal")
        };
        assert!(fails("-funsigned-char x.c").contains("-funsigned-char"));
        assert!(fails("-fpack-struct=1").contains("-fpack-struct"));
        assert!(fails("-mfpmath=387").contains("387"));
        assert!(fails("-fexec-charset=latin1").contains("charset"));
        assert!(read("-fexec-charset=UTF-8 -mfpmath=sse").0.note().is_some());
        assert!(fails("x.cpp").contains("C++"));
        assert!(fails("x.S").contains("assembler"));
        assert!(fails("-std=c++11").contains("C++"));
        assert!(fails("-x c++ y").contains("c++"));
        let (flags, rest) = read("-Wall -O2 -fPIC -g3 -Wall x.c --entry f -e bmc -j 2");
        assert_eq!(flags.note().expect("a note"), "note: compiler flags that mean nothing here: -Wall -fPIC -g3");
        assert_eq!(flags.reading().defines, ["__OPTIMIZE__=1"]);
        assert!(read("-O2 -O0").0.reading().defines.is_empty());
        assert_eq!(rest, ["x.c", "--entry", "f", "-e", "bmc", "-j", "2"]);
    }

    #[test]
    fn standards() {
        assert_eq!(version("gnu90"), Ok((None, false)));
        assert_eq!(version("c99"), Ok((Some(199_901), true)));
        let (flags, _) = read("-std=c99 -D__STDC_VERSION__=7");
        assert_eq!(flags.reading().defines, ["__STRICT_ANSI__", "__STDC_VERSION__=7"]);
    }
}
