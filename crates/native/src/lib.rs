//! Running a counterexample for real: the user's program, compiled by the machine's C compiler and linked with a harness
//! that hands out the recorded inputs and tells which check failed.
//!
//! The compiler is given the text that we preprocessed ourselves (`cfront::written`), so that both see the same macros, and
//! program and compiler run inside the walls of `sandbox`. Only two things count: the harness's own word, by a random
//! token over a channel of its own, and what a sanitizer tells the harness; both only if they name the place and the kind of
//! the violation (`place`). Exit codes, signals and output of the program mean nothing.
//!
//! The harness (`harness`) defines the input functions (`__VERIFIER_nondet_*` and the user's functions without body), never
//! those of the C library: what the library computes (`sin`) is left to it. Where our model only approximates it, the run
//! counts if the compiled program makes it too, and not otherwise.
//!
//! What is given other than by a function (values of uninitialised variables, memory, arguments of another function than
//! `main`) is put into the text that is compiled, as far as it goes (`given`). What cannot be controlled: all of that in loops, and the order in which the compiler
//! evaluates several inputs in one expression. A run that depends on those may go elsewhere; it is then not refuted.

mod compile;
mod given;
mod harness;
mod library;
mod outside;
mod place;

use cfa::{
    AGAIN, DataModel, LATER_ARGUMENT, OPEN, ORDER, ObjectKind, Op, Origin, PLACES, Program, Property, Violation,
    has_usual_way,
};
use cfront::Input;
use cfront::written::{Begin, Hooks, Translation};
pub use compile::has_32_bit_libraries;
use given::Given as First;
use harness::{Channel, bits};
use interpreter::{Ending, Given, Outcome, Recorded};
use place::{Expected, Lines, Report, Seen};
pub use sandbox::Wall;
use sandbox::{Ended, Finished, Folder, Job, Limits, Profile};
use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use term::Value;

/// How the user's program is compiled.
#[derive(Clone, Debug)]
pub struct Build {
    pub files: Vec<PathBuf>,
    /// The function that the program starts at.
    pub entry: String,
    /// Texts to take instead of those of the files, one for each; empty: none.
    pub changed: Vec<String>,
    pub includes: Vec<PathBuf>,
    pub defines: Vec<String>,
    /// How files are read and linked, besides; and the same as a compiler's flags.
    pub front: cfront::Options,
    pub flags: Vec<String>,
    pub data_model: DataModel,
    /// The functions whose call is the error, for unreach-call.
    pub error_functions: Vec<String>,
    /// Whether the C library has the named function, or the name stands for instructions of the processor.
    pub library: fn(&str) -> bool,
    /// Whether a harness may define the function to give its inputs: not what the C library has, unless an input is all that
    /// a call of it gives.
    pub is_given: fn(&str) -> bool,
    /// Whether the compiled program is shut in.
    pub wall: Wall,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Native {
    /// The violation happened.
    Confirmed,
    /// The program ran and did not show it.
    Missed(String),
    /// It depends on what the C library computes, and the library does not do what the model allows it to.
    NotTheLibrary(String),
    /// It could not be tried: why.
    Unavailable(String),
}

impl Build {
    /// What the front end makes of it once more, with `hooks` in it.
    fn translation(&self, hooks: &Hooks<'_>) -> Result<Translation, String> {
        let input = |(index, path): (usize, &PathBuf)| match self.changed.get(index) {
            Some(text) => Input::Changed { path: path.clone(), text: text.clone() },
            None => Input::Path(path.clone()),
        };
        let inputs: Vec<Input> = self.files.iter().enumerate().map(input).collect();
        let options = cfront::Options {
            include_dirs: self.includes.clone(),
            defines: self.defines.clone(),
            model: match self.data_model {
                DataModel::Ilp32 => cfront::types::DataModel::Ilp32,
                DataModel::Lp64 => cfront::types::DataModel::Lp64,
            },
            ..self.front.clone()
        };
        cfront::written::translation(&inputs, &options, hooks).map_err(|failure| failure.render())
    }
}

/// The harness for a run that the interpreter has made, for people, to be written to `file`.
pub fn harness(program: &Program, outcome: &Outcome, property: Property, build: &Build, file: &Path) -> String {
    let declared = build.translation(&Hooks::NONE).map(|translation| translation.declared).unwrap_or_default();
    let (compile, run) = compile::shown(program, outcome, property, build, file);
    let text = harness::write(program, outcome, property, build, &declared, Channel::Shown);
    format!(
        "/* Reproduces a violation that foldback found. Compile it with the program, and run that; exit code {} says \
         that the violation was seen:\n\n     {compile}\n     {run}\n*/\n{text}",
        harness::REACHED,
    )
}

/// Whether a compiled program takes it from the library or from the machine.
fn is_library(name: &str, build: &Build) -> bool {
    name == PLACES
        || name == ORDER
        || has_usual_way(name)
        || (build.library)(name)
        || LINKED_STATICALLY.contains(&name)
        || library::defines(name, build.data_model)
}

/// Functions of the library that are not in its shared part, or that only the compiler knows.
const LINKED_STATICALLY: [&str; 4] = ["atexit", "at_quick_exit", "pthread_atfork", "alloca"];

/// Compiles and runs it, within `time`.
pub fn confirm(program: &Program, outcome: &Outcome, property: Property, build: &Build, time: Duration) -> Native {
    confirm_within(program, outcome, property, build, Time { all: time, run: time })
}

/// How long compiling and running may take together, and running alone.
#[derive(Clone, Copy)]
struct Time {
    all: Duration,
    run: Duration,
}

fn confirm_within(program: &Program, outcome: &Outcome, property: Property, build: &Build, time: Time) -> Native {
    // A harness would do what the function itself need not do.
    if assumed(program, outcome, build).any(|assumed| assumed.name == AGAIN && !assumed.is_allowed) {
        return Native::NotTheLibrary(format!("the counterexample assumes {AGAIN}"));
    }
    let result = match compile::is_seen(property) {
        true => compile_and_run(program, outcome, property, build, time),
        false => Err(compile::unseen(property)),
    };
    let result = result.unwrap_or_else(Native::Unavailable);
    let approximated = approximated(program, outcome, build);
    match (result, approximated) {
        (Native::Missed(how) | Native::Unavailable(how), Some(Assumed { name, is_allowed: false })) => {
            let assumed = match name {
                PLACES | ORDER | OPEN => name.to_owned(),
                // Helpers of the models are nobody's names.
                _ if name.starts_with("__foldback_") => "what a function of the C library returns".to_owned(),
                _ => format!("what {name} returns"),
            };
            Native::NotTheLibrary(format!("{how}; the counterexample assumes {assumed}, which is not modelled"))
        }
        (result, _) => match (excused(result, program, outcome, property, build), approximated) {
            (Native::Missed(how), Some(Assumed { name: OPEN, .. })) => {
                Native::NotTheLibrary(format!("{how}; the counterexample assumes {OPEN}, which is not modelled"))
            }
            (Native::Missed(how), Some(Assumed { name, .. })) => {
                Native::NotTheLibrary(format!("{how}: {name} does not return what the counterexample assumes"))
            }
            (result, _) => result,
        },
    }
}

/// Functions that print and functions that allocate: C lets them fail, so that whatever their models return can happen.
const MAY_FAIL: [&str; 19] = [
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "puts",
    "putchar",
    "fputs",
    "fputc",
    "putc",
    "fflush",
    "malloc",
    "calloc",
    "realloc",
    "valloc",
    "memalign",
    "aligned_alloc",
    "__kmalloc",
    "posix_memalign",
    "strdup",
];

/// What a run assumes of the library without having computed it.
#[derive(Clone, Copy)]
struct Assumed<'p> {
    /// The function, or what it is about.
    name: &'p str,
    /// C allows it, whatever the library of this machine does.
    is_allowed: bool,
}

/// All that the run assumes of the library, and of functions without body.
fn assumed<'p>(program: &'p Program, outcome: &Outcome, build: &Build) -> impl Iterator<Item = Assumed<'p>> {
    outcome.inputs.iter().filter_map(|recorded| match &program.functions[recorded.func].edges[recorded.edge].op {
        Op::Havoc { origin: Origin::Extern(name), .. } if is_library(name, build) => {
            // Another way than the usual one is for the compiled program to show.
            let is_usual = has_usual_way(name) && matches!(recorded.given, Given::Value(Value::Bool(false)));
            Some(Assumed { name, is_allowed: is_usual || MAY_FAIL.contains(&name.as_str()) })
        }
        _ => None,
    })
}

/// Something that the run assumes of the library: what C need not allow, if there is any of that.
fn approximated<'p>(program: &'p Program, outcome: &Outcome, build: &Build) -> Option<Assumed<'p>> {
    let mut assumed = assumed(program, outcome, build);
    let first = assumed.next()?;
    Some(std::iter::once(first).chain(assumed).find(|assumed| !assumed.is_allowed).unwrap_or(first))
}

/// Whether the run assumes where objects lie.
pub fn assumes_places(program: &Program, outcome: &Outcome) -> bool {
    outcome.inputs.iter().any(|recorded| program.functions[recorded.func].edges[recorded.edge].op.depends_on_places())
}

/// Whether the program takes from the library what is not modelled.
pub fn computes_in_library(program: &Program, build: &Build) -> bool {
    let edges = program.functions.values().flat_map(|function| function.edges.values());
    edges.into_iter().any(|edge| match &edge.op {
        Op::Havoc { origin: Origin::Extern(name), .. } => is_library(name, build) && !MAY_FAIL.contains(&name.as_str()),
        _ => false,
    })
}

/// Whether a run must not be believed without having been run by the library itself.
pub fn needs_library(program: &Program, outcome: &Outcome, build: &Build) -> bool {
    approximated(program, outcome, build).is_some_and(|assumed| !assumed.is_allowed)
}

/// A run that was missed, where that proves nothing.
fn excused(result: Native, program: &Program, outcome: &Outcome, property: Property, build: &Build) -> Native {
    match result {
        Native::Missed(how) if property == Property::ValidMemcleanup => {
            Native::Unavailable(format!("{how}: its sanitizer looks for blocks that nothing points to"))
        }
        Native::Missed(how) if let Some(what) = uncontrolled(program, outcome, build) => {
            Native::Unavailable(format!("{how}; it cannot be given {what}"))
        }
        Native::Missed(how) if property == Property::NoOverflow => {
            Native::Unavailable(format!("{how}: compilers leave out operations whose results they do not need"))
        }
        // Overruns inside an object, leaks that something still points to: sanitizers do not see all there is.
        Native::Missed(how) if !matches!(property, Property::UnreachCall | Property::Assert) => {
            Native::Unavailable(format!("{how}: the sanitizer did not see the violation"))
        }
        // How large these are only the library knows, so that it cannot be told where the new part of a larger one begins.
        Native::Missed(how) if reallocates_blocks_of_the_library(program, build) => Native::NotTheLibrary(format!(
            "{how}; it cannot be given what a block that realloc makes larger holds behind its old contents"
        )),
        other => other,
    }
}

fn reallocates_blocks_of_the_library(program: &Program, build: &Build) -> bool {
    let makes = |function: &cfa::Function, is_such: fn(&str) -> bool| {
        function
            .edges
            .values()
            .any(|edge| matches!(&edge.op, Op::Alloc { name, kind: ObjectKind::Heap, .. } if is_such(name)))
    };
    program.functions.values().any(|function| makes(function, |name| name == "realloc"))
        && program
            .functions
            .values()
            .any(|function| library::defines(&function.name, build.data_model) && makes(function, |_| true))
}

/// Compiles a program that takes no inputs, of a run that nobody has made, within `time`, and runs it for a moment.
pub fn walk(program: &Program, violation: &Violation, build: &Build, time: Duration) -> Native {
    let start = (program.entry, program.main().entry);
    let expected = Outcome::unseen(Ending::Error(violation.clone()), start);
    confirm_within(program, &expected, violation.property, build, Time { all: time, run: WALK })
}

/// So long a compiled program walks to what is proved already: most loops are gone when they are optimised, others take
/// seconds.
const WALK: Duration = Duration::from_millis(100);

/// Something that the run was given and a harness cannot give, in words.
fn uncontrolled(program: &Program, outcome: &Outcome, build: &Build) -> Option<String> {
    // A pointer from outside may be the address of an object of the program, which has another one in fact.
    let edges = || program.functions.values().flat_map(|f| f.edges.values());
    let gets_out = edges().any(|e| matches!(e.op, Op::Escape { .. }));
    // So may a number.
    let objects = edges().filter(|e| matches!(e.op, Op::Alloc { .. })).count() as u64;
    let is_address = |bits: &term::Bits| {
        bits.to_u64().is_some_and(|word| (1..=objects).contains(&(word >> program.machine.offset_bits)))
    };
    let pointer = program.machine.pointer_bits();
    let is_uncontrolled = |recorded: &&Recorded| {
        let wide = match &recorded.given {
            Given::Value(Value::Bv(bits)) => {
                bits.width() > 64 || bits.width() == pointer && (gets_out || is_address(bits))
            }
            Given::Value(value) => bits(value).is_none(),
            // There may be pointers in it, to memory that lies elsewhere.
            Given::Contents(_) => !outcome.environment.is_empty(),
            _ => false,
        };
        if outside::is_variable(program, recorded) {
            return wide;
        }
        let is_given = match &program.functions[recorded.func].edges[recorded.edge].op {
            Op::Havoc { origin: Origin::Input(name), .. } => (build.is_given)(name),
            _ => argument_number(program, recorded).is_some(),
        };
        wide || !is_given
    };
    // Most telling first.
    let told = |recorded: &Recorded| {
        let function = &program.functions[recorded.func];
        match (&function.edges[recorded.edge].op, &recorded.given) {
            (Op::Alloc { .. }, _) => (4, "what memory holds before anything is stored there".to_owned()),
            _ if function.name.starts_with("__foldback_") || (build.library)(&function.name) => {
                (0, "what functions of the C library read".to_owned())
            }
            (Op::Havoc { origin: Origin::Uninitialised(name), .. }, _) => {
                (1, format!("the value that '{name}' has before anything is assigned to it"))
            }
            (Op::Havoc { origin: Origin::Extern(name), .. }, _) if (build.is_given)(name) => {
                (2, format!("what {name} returns"))
            }
            (_, Given::Changes(_)) => (3, "what functions without body change".to_owned()),
            _ => (5, "all values that it gets from outside".to_owned()),
        }
    };
    if let Some((_, what)) = outcome.inputs.iter().filter(is_uncontrolled).map(told).min() {
        return Some(what);
    }
    match arguments_given(program, outcome) {
        None => Some("so many arguments".to_owned()),
        Some(_) => (build.entry != "main").then(|| format!("the arguments of {}", build.entry)),
    }
}

/// More arguments are not given to a program.
const MAX_ARGUMENTS: u64 = 10_000;

/// Which argument of the program an object that the run made is.
fn argument_number(program: &Program, recorded: &Recorded) -> Option<usize> {
    let is_start = recorded.func == program.entry;
    match &program.functions[recorded.func].edges[recorded.edge].op {
        Op::Alloc { name, .. } if is_start => name.strip_prefix("argv[")?.strip_suffix(']')?.parse().ok(),
        _ => None,
    }
}

/// Arguments after the program's name; `None`: too many.
fn arguments_given(program: &Program, outcome: &Outcome) -> Option<usize> {
    let argc = outcome.inputs.iter().find_map(|recorded| {
        match (&program.functions[recorded.func].edges[recorded.edge].op, &recorded.given) {
            (Op::Havoc { origin: Origin::Input(name), .. }, Given::Value(value)) if name == ARGC => bits(value),
            _ => None,
        }
    });
    // Which of them one is that was made later nobody has written down.
    let is_later = |recorded: &Recorded| {
        let op = &program.functions[recorded.func].edges[recorded.edge].op;
        matches!(op, Op::Alloc { name, .. } if name == LATER_ARGUMENT)
    };
    if outcome.inputs.iter().any(is_later) {
        return None;
    }
    argc.map_or(Some(0), |argc| (1..=MAX_ARGUMENTS).contains(&argc).then(|| argc as usize - 1))
}

/// The name of the input that `main`'s first parameter is.
const ARGC: &str = "argc";

/// What the program is given after its name. Where it never looked at an argument, that is any text.
fn program_arguments(program: &Program, outcome: &Outcome) -> Vec<OsString> {
    let mut arguments = vec![OsString::from("argument"); arguments_given(program, outcome).unwrap_or(0)];
    let mut edges = program.functions[program.entry].edges.values();
    if edges.any(|edge| matches!(&edge.op, Op::Alloc { name, .. } if name == "argv[0]")) {
        arguments.fill(OsString::new());
    }
    for recorded in &outcome.inputs {
        let (Some(number), Given::Contents(bytes)) = (argument_number(program, recorded), &recorded.given) else {
            continue;
        };
        let place = number.checked_sub(1).and_then(|number| arguments.get_mut(number));
        if let Some(place) = place {
            *place = OsString::from_vec(string_in(bytes).to_vec());
        }
    }
    arguments
}

/// The string that an object for one holds: up to the first zero, which its last byte is for sure.
fn string_in(bytes: &[u8]) -> &[u8] {
    let most = bytes.len().saturating_sub(1);
    &bytes[..bytes.iter().position(|byte| *byte == 0).unwrap_or(most)]
}

/// `Err`: it could not be tried, and why.
fn compile_and_run(
    program: &Program,
    outcome: &Outcome,
    property: Property,
    build: &Build,
    time: Time,
) -> Result<Native, String> {
    let deadline = Instant::now() + time.all;
    if build.wall == Wall::Confined {
        let told = |why| {
            format!(
                "it was not run, since this system cannot shut it in ({why}); --replay native-unsandboxed runs it all the same"
            )
        };
        sandbox::protection().suffices().map_err(told)?;
    }
    let token = token().map_err(|e| format!("no random numbers: {e}"))?;
    let first = First::of(program, outcome, build);
    let (hook, give) = (harness::hook(&token), format!("foldback_give_{token}"));
    let start = format!("{} void {hook}(void *); void *{give}(int, void *, __CPROVER_size_t);", harness::TYPES);
    let entry = format!("{hook}(__builtin_return_address(0)); ");
    let functions = if property == Property::UnreachCall { &build.error_functions[..] } else { &[] };
    let begin = Begin { function: &build.entry, arguments: &first.arguments };
    let begin = (build.entry != "main").then_some(begin);
    let hooks = Hooks { start: &start, functions, entry: &entry, begin, given: &first.places, give: &give };
    let translation = build.translation(&hooks)?;
    if let Some(found) = translation.declared.iter().find(|found| harness::UNTOLD.contains(&found.name.as_str())) {
        return Err(format!("the program asks for {}, which only a verifier can tell", found.name));
    }
    let mut text = harness::write(program, outcome, property, build, &translation.declared, Channel::Token(&token));
    text += &first.functions(&give);
    let asks_sanitizer = translation.declared.iter().any(|found| harness::ACCESSIBLE.contains(&found.name.as_str()));
    if asks_sanitizer {
        text += harness::ACCESS;
    }
    let flags = |is_optimised: bool| {
        let mut flags = compile::arguments(property, build.data_model, is_optimised);
        flags.extend(first.flags());
        flags.extend(asks_sanitizer.then(|| "-fsanitize=address".to_owned()));
        flags.push(compile::LINES.to_owned());
        let traceable = compile::TRACEABLE.iter().filter(|_| is_optimised);
        flags.extend(traceable.map(|flag| (*flag).to_owned()));
        flags
    };
    let folder = Folder::new().map_err(|e| format!("no temporary folder: {e}"))?;
    let work = Work {
        folder: &folder,
        build: &build_folder(&folder)?,
        run: &run_folder(&folder)?,
        deadline,
        longest: time.run,
        wall: build.wall,
    };
    let expected = Expected::new(program, outcome, property, &translation, !build.changed.is_empty());
    if !expected.is_somewhere() && !compile::is_leak(property) {
        return Err("the violation has no place in the program's own text".into());
    }
    let attempt = |is_optimised: bool| -> Result<(Option<Seen>, Ended), String> {
        // Where no inputs are given, nothing of the harness is called often, and optimising it would take longer than the program.
        let is_plain = is_optimised && outcome.inputs.is_empty();
        let harness = format!("{}{text}", if is_plain { compile::PLAIN } else { "" });
        let binary = work.compile(&translation, &harness, flags(is_optimised))?;
        let finished = work.run(&binary, program_arguments(program, outcome), property)?;
        let seen = match Report::read(&finished.report, &token) {
            Some(Report::NoMemory) => return Err("no memory at the addresses that the run's pointers hold".into()),
            Some(report) => Some(expected.seen(&report, Lines::read(&binary).as_ref())),
            None => None,
        };
        Ok((seen, finished.ended))
    };
    let is_optimised = compile::is_optimised(property, outcome.steps);
    let (seen, ended) = match attempt(is_optimised) {
        // Whatever an optimiser did to the calls, and whether the compiler knows the flags that are to prevent it.
        Ok((Some(Seen::Other(_)), _)) | Err(_) if is_optimised => attempt(false)?,
        other => other?,
    };
    let missed = |how: String| match asks_sanitizer || translation.lacks_clauses {
        true => Err(format!("{how}, which cannot tell all that was checked")),
        false => Ok(Native::Missed(how)),
    };
    match (seen, ended) {
        (Some(Seen::Ours), _) => Ok(Native::Confirmed),
        (Some(Seen::Other(what)), _) => missed(format!("in the compiled program {what}")),
        (None, Ended::Exit(code)) => missed(format!("the compiled program ended with exit code {code}")),
        (None, Ended::Signal(signal)) => missed(format!("the compiled program ended by signal {signal}")),
        (None, Ended::Time) => Err("the compiled program: it takes too long".into()),
        (None, Ended::Memory) => Err("the compiled program: it takes too much memory".into()),
        (None, Ended::Disk) => Err("the compiled program: it writes too much".into()),
    }
}

/// A word that nobody can guess.
fn token() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn build_folder(folder: &Folder) -> Result<PathBuf, String> {
    subfolder(folder, "build")
}

/// The program's own: it sees nothing of the other one but its binary.
fn run_folder(folder: &Folder) -> Result<PathBuf, String> {
    subfolder(folder, "run")
}

fn subfolder(folder: &Folder, name: &str) -> Result<PathBuf, String> {
    let path = folder.path().join(name);
    std::fs::create_dir(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(path)
}

/// Where and how long things run.
struct Work<'a> {
    folder: &'a Folder,
    build: &'a Path,
    run: &'a Path,
    deadline: Instant,
    /// Running takes no longer.
    longest: Duration,
    wall: Wall,
}

impl Work<'_> {
    /// The program and its harness as a binary.
    fn compile(&self, translation: &Translation, harness: &str, flags: Vec<String>) -> Result<PathBuf, String> {
        let write = |name: &str, text: &[u8]| {
            std::fs::write(self.build.join(name), text).map_err(|e| format!("{}: {e}", self.build.join(name).display()))
        };
        write("harness.c", harness.as_bytes())?;
        let is_32_bit = flags.iter().any(|flag| flag == "-m32");
        let mut arguments: Vec<String> = flags;
        for (number, file) in translation.files.iter().enumerate() {
            write(&place::file_name(number), &file.text)?;
            arguments.push(place::file_name(number));
        }
        arguments.extend(["harness.c", "-o", "program", "-lm"].map(str::to_owned));
        let compiler = compile::compiler_program().ok_or("there is no C compiler")?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folder = self.build.as_os_str().to_owned();
        let job = Job {
            readable: sandbox::installation(&compiler).into_iter().collect(),
            program: compiler,
            arguments: arguments.into_iter().map(Into::into).collect(),
            environment: vec![
                ("PATH".into(), path),
                ("TMPDIR".into(), folder.clone()),
                ("HOME".into(), folder),
                ("LC_ALL".into(), "C".into()),
                ("CCACHE_DISABLE".into(), "1".into()),
            ],
            folder: self.build.to_owned(),
            writable: vec![self.build.to_owned()],
            profile: Profile::Compiler,
            wall: self.wall,
            limits: Limits::within(self.left()),
        };
        let finished = job.run(self.folder).map_err(|e| format!("the C compiler: {e}"))?;
        match finished.ended {
            Ended::Exit(0) => Ok(self.build.join("program")),
            Ended::Time => Err("the C compiler: it takes too long".into()),
            _ => {
                let first = finished.messages.lines().find(|line| line.contains("error")).unwrap_or("it failed");
                let advice = match is_32_bit && !compile::has_32_bit_libraries() {
                    true => " (32-bit programs need the package gcc-multilib)",
                    false => "",
                };
                Err(format!("the C compiler: {first}{advice}"))
            }
        }
    }

    fn run(&self, binary: &Path, arguments: Vec<std::ffi::OsString>, property: Property) -> Result<Finished, String> {
        let job = Job {
            program: binary.to_owned(),
            arguments,
            environment: compile::environment(property),
            folder: self.run.to_owned(),
            readable: vec![binary.to_owned()],
            writable: vec![self.run.to_owned()],
            profile: Profile::Program { leaks: compile::is_leak(property) },
            wall: self.wall,
            limits: Limits { file: 8 << 20, ..Limits::within(self.left().min(self.longest)) },
        };
        job.run(self.folder).map_err(|e| format!("the compiled program: {e}"))
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}
