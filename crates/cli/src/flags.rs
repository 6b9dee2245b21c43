//! Flags as they are typed. Nothing is interpreted here; `settings` turns them into typed settings.

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use project::CompilerFlags;
use report::text::Detail;
use std::path::PathBuf;
use transform::pipeline::Stage;

/// A verifier for C programs.
#[derive(Parser, Debug)]
#[command(name = "foldback", version = env!("FOLDBACK_VERSION"), max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Flags {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands that take a program, and so flags of compilers.
pub(crate) const WITH_PROGRAM: [&str; 6] = ["verify", "run", "cfa", "check-witness", "check-certificate", "replay"];

impl Flags {
    /// Takes in what flags of compilers say.
    pub(crate) fn set_build(&mut self, build: CompilerFlags) {
        let program = match &mut self.command {
            Command::Verify(flags) => &mut flags.program,
            Command::CheckWitness(flags) => &mut flags.program,
            Command::CheckCertificate(flags) => &mut flags.program,
            Command::Replay(flags) => &mut flags.program,
            Command::Run(flags) => &mut flags.program,
            Command::Cfa(flags) => &mut flags.program,
            _ => return,
        };
        program.build = build;
    }
}

// Groups of flags in help texts.
const PROPERTY: &str = "What is checked";
const SOURCES: &str = "The program";
const MEANING: &str = "What is assumed of the world outside";
const ENGINES: &str = "Engines and evidence";
const LIMITS: &str = "Limits";
const KEPT: &str = "Files to write";
const PRINTED: &str = "What is printed";

const EXIT_CODES: &str = "Exit codes: 0 the property holds (or: all went well), 1 it is violated, 2 bad usage or input, \
                          3 unknown.";

const VERIFY_EXAMPLES: &str = "Examples:
  foldback verify count.c                               assertions, memory, overflow, division
  foldback verify -p memsafety list.c main.c            its memory, in two files
  foldback verify -p no-overflow --entry parse parse.c  one function, with any arguments
  foldback verify --html report.html --time-limit 60s count.c

docs/tutorial.md is a tour for newcomers, docs/unknown.md says what to do where there is no answer.";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Decide whether a program violates a property
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify(Box<VerifyFlags>),
    /// Show a result that was kept with --json
    Explain {
        /// The result
        #[arg(value_name = "RESULT.json")]
        file: PathBuf,

        #[command(flatten)]
        kept: KeptFlags,

        #[command(flatten)]
        detail: DetailFlags,
    },
    /// Decide whether a witness of an answer holds
    CheckWitness(CheckWitnessFlags),
    /// Check a certificate: make its conditions again from the program, and check their proofs
    CheckCertificate(CheckCertificateFlags),
    /// Run the counterexample of a result or a witness again
    Replay(ReplayFlags),
    /// Execute a program with given or random inputs
    Run(RunFlags),
    /// Show the automaton of a program
    Cfa(CfaFlags),
    /// Run task sets with known answers and keep score
    Bench(Box<BenchFlags>),
    /// Run one batch of a bench on a node of a cluster
    #[command(hide = true)]
    BenchBatch {
        /// The plan
        #[arg(value_name = "PLAN.json")]
        plan: PathBuf,
        /// Which batch of it
        #[arg(value_name = "NUMBER")]
        index: usize,
    },
    /// Run the proofs that foldback.toml lists
    Check(CheckFlags),
    /// Say how large the store of answers is, or clear it
    Store {
        /// The folder [default: .foldback/store, which `check` uses]
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
        /// Remove all answers
        #[arg(long)]
        clear: bool,
    },
    /// Write foldback.toml from another tool's proofs, or from a compile database
    Import {
        #[command(subcommand)]
        from: ImportFrom,
    },
    /// Serve an editor: the language server protocol on standard input and output (docs/editor.md)
    Lsp {
        /// As editors say it; there is no other way
        #[arg(long, hide = true)]
        stdio: bool,
    },
    /// List the engines
    Engines,
    /// Check that solvers, compiler and limits are in order
    Doctor,
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the pages of the manual into a folder
    #[command(hide = true)]
    Man {
        /// The folder
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Hunt wrong answers: random programs, all engines, against exhaustive execution
    Fuzz(FuzzFlags),
}

/// What makes up a program and its meaning.
#[derive(Args, Debug)]
pub(crate) struct ProgramFlags {
    /// C files (`.c`, preprocessed first; `.i` as it is), linked into one program
    #[arg(required_unless_present = "stub", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Property to check: unreach-call, assert, memsafety, valid-deref, valid-free, valid-memtrack, memcleanup,
    /// no-overflow, div-by-zero, undefined-shift, undefined-conversion, pointer-overflow, unsigned-overflow, conversion, float,
    /// termination, all (what C leaves undefined, assertions, error functions and termination), or a `.prp` file; may be
    /// repeated. Default of verify: assert, unreach-call, memsafety, no-overflow and div-by-zero, each as far as the program has anything to check;
    /// of other commands: unreach-call and assert
    #[arg(help_heading = PROPERTY, long = "property", short = 'p', value_name = "NAME|FILE.prp")]
    pub(crate) properties: Vec<String>,

    /// A function that must not be called, for unreach-call; may be repeated. Default: reach_error, __VERIFIER_error
    #[arg(help_heading = PROPERTY, long = "error-function", value_name = "NAME")]
    pub(crate) error_functions: Vec<String>,

    /// Sizes of the types: ilp32 (long and pointers of 32 bits) or lp64 [default: lp64, or what the witness says]
    #[arg(help_heading = SOURCES, long, value_enum, ignore_case = true)]
    pub(crate) data_model: Option<DataModelFlag>,

    // All flags of compilers are taken out of the command line before the others are read: `build_flags`.
    /// Define a macro
    #[arg(help_heading = SOURCES, short = 'D', value_name = "NAME[=VALUE]")]
    pub(crate) defines: Vec<String>,

    /// Search a directory for included files. Other flags of compilers are understood, too: -U, -include, -isystem, -iquote,
    /// -idirafter, -std=, -ansi, -m32, -m64, @FILE; those that warn, optimise or link are ignored
    #[arg(help_heading = SOURCES, short = 'I', value_name = "DIR")]
    pub(crate) includes: Vec<PathBuf>,

    #[arg(skip)]
    pub(crate) build: CompilerFlags,

    /// Read each FILE as this compile database (compile_commands.json) says
    #[arg(help_heading = SOURCES, long, value_name = "FILE.json")]
    pub(crate) compile_commands: Option<PathBuf>,

    /// A function that loses its body in all FILEs, but not in those of --stub; may be repeated
    #[arg(help_heading = SOURCES, long, value_name = "FUNCTION")]
    pub(crate) remove_body: Vec<String>,

    /// The only functions that keep their bodies in FILEs; may be repeated
    #[arg(help_heading = SOURCES, long, value_name = "FUNCTION")]
    pub(crate) only_body: Vec<String>,

    /// A further C file, whose functions stand for those of --remove-body; may be repeated
    #[arg(help_heading = SOURCES, long, value_name = "FILE")]
    pub(crate) stub: Vec<PathBuf>,

    /// Function where the program starts [default: main]
    #[arg(help_heading = SOURCES, long, value_name = "FUNCTION")]
    pub(crate) entry: Option<String>,

    /// Check the contract of a function (__CPROVER_requires and the like): it starts in any state that its precondition
    /// allows, and its postcondition and its frame are asserted where it returns
    #[arg(help_heading = SOURCES, long, value_name = "FUNCTION", conflicts_with = "entry")]
    pub(crate) check_contract: Option<String>,

    /// Read ACSL annotations (`/*@ ... */`, `//@ ...`): contracts of functions and loops, and assertions (docs/contracts.md)
    #[arg(help_heading = SOURCES, long)]
    pub(crate) acsl: bool,

    /// Replace calls of a function by its contract, or those of all functions that have one (all); may be repeated
    #[arg(help_heading = SOURCES, long, value_name = "FUNCTION|all")]
    pub(crate) use_contract: Vec<String>,

    /// What globals without initialiser hold: zero, as C says, or anything
    #[arg(help_heading = MEANING, long, value_enum, default_value_t = UninitGlobalsFlag::Zero)]
    pub(crate) uninit_globals: UninitGlobalsFlag,

    /// malloc and its like may return NULL
    #[arg(help_heading = MEANING, long)]
    pub(crate) malloc_may_fail: bool,

    /// What functions without body do to memory: change nothing (pure), what their arguments point at (arguments), or
    /// anything that they can reach, which pointers from outside may point to as well (any) [default: any; arguments with
    /// a property file, as competition tasks assume]
    #[arg(help_heading = MEANING, long, value_enum, value_name = "WHAT")]
    pub(crate) externs: Option<ExternsFlag>,

    /// Functions without body leave memory alone: --externs pure
    #[arg(help_heading = MEANING, long, conflicts_with = "externs")]
    pub(crate) pure_externs: bool,

    /// Where memory is checked: an index beyond an array member of a struct is out of bounds, even inside of the struct
    #[arg(help_heading = PROPERTY, long)]
    pub(crate) subobject_bounds: bool,

    /// undefined-shift as C11 has it: left shifts of negative numbers and into the sign bit are undefined, too
    #[arg(help_heading = PROPERTY, long)]
    pub(crate) strict_shifts: bool,

    /// Check memory accesses and assertions only on these lines of a file; may be repeated
    #[arg(help_heading = PROPERTY, long, value_name = "FILE:LINE,LINE")]
    pub(crate) only_lines: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DataModelFlag {
    Ilp32,
    Lp64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum WitnessFormatFlag {
    #[value(name = "2.0")]
    V2_0,
    #[value(name = "2.1")]
    V2_1,
    #[value(name = "2.2")]
    V2_2,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ExternsFlag {
    Pure,
    Arguments,
    Any,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum UninitGlobalsFlag {
    Zero,
    Nondet,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ReplayFlag {
    Interpreter,
    Native,
    Both,
    NativeUnsandboxed,
    None,
}

#[derive(Args, Debug)]
pub(crate) struct VerifyFlags {
    #[command(flatten)]
    pub(crate) program: ProgramFlags,

    /// Engine to use (see `foldback engines`)
    #[arg(help_heading = ENGINES, long, short = 'e', value_name = "NAME", default_value = "portfolio")]
    pub(crate) engine: String,

    /// Which engines to run when, as a TOML file, instead of the built-in strategy (see docs/strategies.md)
    #[arg(help_heading = ENGINES, long, value_name = "FILE.toml")]
    pub(crate) strategy: Option<PathBuf>,

    /// Engines that run side by side [default: number of cores]
    #[arg(help_heading = ENGINES, long, short = 'j', value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,

    /// So many words at the end come from a project's file, which may be a stranger's (see `project_words`)
    #[arg(long, value_name = "N", hide = true)]
    pub(crate) project_words: Option<usize>,

    /// For tests: kill an engine's process after so much CPU time
    #[arg(long, value_name = "ENGINE@TIME", hide = true)]
    pub(crate) inject_fault: Vec<String>,

    /// How counterexamples are confirmed: by the compiled program too, where there is a C compiler (native, both), or by
    /// the interpreter alone, which finds the inputs and always runs (interpreter, none). The compiled program is shut in
    /// (SECURITY.md); native-unsandboxed gives it all of your rights
    #[arg(help_heading = ENGINES, long, value_enum, value_name = "HOW", default_value_t = ReplayFlag::Both)]
    pub(crate) replay: ReplayFlag,

    /// Keep the C file that reproduces a counterexample when compiled with the program
    #[arg(help_heading = KEPT, long, value_name = "FILE.c")]
    pub(crate) harness: Option<PathBuf>,

    /// Keep the result as JSON (docs/result-schema.md); `foldback explain` shows it again
    #[arg(help_heading = KEPT, long, value_name = "FILE.json")]
    pub(crate) json: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) kept: KeptFlags,

    #[command(flatten)]
    pub(crate) detail: DetailFlags,

    /// How to tell what is going on, on standard error: auto (live on a terminal, otherwise nothing), json (a line for
    /// everything that happens), none
    #[arg(help_heading = PRINTED, long, value_enum, value_name = "HOW", default_value_t = ProgressFlag::Auto)]
    pub(crate) progress: ProgressFlag,

    /// Find contracts of the functions that have none, prove them, and print them as C, in CBMC's language (docs/contracts.md)
    #[arg(help_heading = PRINTED, long)]
    pub(crate) show_contracts: bool,

    /// Keep a witness of the answer in SV-COMP's YAML format, for other tools to confirm
    #[arg(help_heading = KEPT, long, value_name = "FILE.yml")]
    pub(crate) witness: Option<PathBuf>,

    /// The version of the witness's format: 2.0, 2.1, 2.2 [default: 2.0, and 2.1 for termination]
    #[arg(help_heading = KEPT, long, value_enum, value_name = "VERSION", requires = "witness")]
    pub(crate) witness_format: Option<WitnessFormatFlag>,

    /// Keep a certificate of a proof in a new folder: its conditions as SMT-LIB and clauses, with proofs (docs/certificates.md)
    #[arg(help_heading = KEPT, long, value_name = "DIR")]
    pub(crate) certificate: Option<PathBuf>,

    /// Keep a copy of the program with the invariants of a proof written in, as CBMC's loop contracts (docs/contracts.md): a new
    /// file, or a new folder where the program has several
    #[arg(help_heading = KEPT, long, value_name = "FILE.c")]
    pub(crate) annotate: Option<PathBuf>,

    /// Check a danger invariant that you wrote (docs/witnesses.md) instead of running engines
    #[arg(help_heading = ENGINES, long, value_name = "FILE.yml")]
    pub(crate) danger_invariant: Option<PathBuf>,

    /// Look for contracts of functions that are called from several places first: each is proved once, and stands for the calls
    #[arg(help_heading = ENGINES, long)]
    pub(crate) found_contracts: bool,

    /// Say true also where a proof was found that could not be checked; the answer says so
    #[arg(help_heading = ENGINES, long)]
    pub(crate) accept_unchecked: bool,

    /// Write what engines ask their solvers as SMT-LIB scripts into a directory, a file for each solver
    #[arg(help_heading = ENGINES, long, value_name = "DIR")]
    pub(crate) log_smt: Option<PathBuf>,

    /// Tell what loop folding does: candidates, their extensions, and why they fail (engine bself)
    #[arg(help_heading = ENGINES, long)]
    pub(crate) trace_folding: bool,

    /// Read the answer back from this folder if the program means the same as before, and keep it there (docs/projects.md)
    #[arg(help_heading = KEPT, long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: LimitFlags,
}

/// When to give up.
#[derive(Args, Debug)]
pub(crate) struct LimitFlags {
    /// CPU time after which to give up: 900s, 15min, 500ms [default: none; 90s for witnesses, 15min for certificates]
    #[arg(help_heading = LIMITS, long, value_name = "TIME")]
    pub(crate) time_limit: Option<String>,

    /// Time on the clock after which to give up, whatever processes are doing [default: four times the CPU time and 30 s
    /// more, if that is limited]
    #[arg(help_heading = LIMITS, long, value_name = "TIME")]
    pub(crate) wall_limit: Option<String>,

    /// Memory at which to give up: 8GB, 500MB [default: none]
    #[arg(help_heading = LIMITS, long, value_name = "SIZE")]
    pub(crate) memory_limit: Option<String>,
}

/// Forms of a result besides text and JSON.
#[derive(Args, Debug)]
pub(crate) struct KeptFlags {
    /// Keep the result as one HTML page, with the counterexample to step through or the invariants at their loops
    #[arg(help_heading = KEPT, long, value_name = "FILE.html")]
    pub(crate) html: Option<PathBuf>,

    /// Keep the result as SARIF 2.1.0, for code scanning (docs/ci.md)
    #[arg(help_heading = KEPT, long, value_name = "FILE.sarif")]
    pub(crate) sarif: Option<PathBuf>,
}

/// How much is printed.
#[derive(Args, Debug)]
pub(crate) struct DetailFlags {
    /// Print the verdict alone
    #[arg(help_heading = PRINTED, long, short = 'q', conflicts_with = "verbose")]
    quiet: bool,

    /// Print also what every engine did
    #[arg(help_heading = PRINTED, long, short = 'v')]
    verbose: bool,
}

impl DetailFlags {
    pub(crate) fn detail(&self) -> Detail {
        match (self.quiet, self.verbose) {
            (true, _) => Detail::Quiet,
            (_, true) => Detail::Verbose,
            _ => Detail::Normal,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ProgressFlag {
    Auto,
    Json,
    None,
}

#[derive(Args, Debug)]
pub(crate) struct CheckWitnessFlags {
    /// The witness, in the YAML format 2.0, 2.1 or 2.2
    #[arg(value_name = "WITNESS.yml")]
    pub(crate) witness: PathBuf,

    #[command(flatten)]
    pub(crate) program: ProgramFlags,

    #[command(flatten)]
    pub(crate) limits: LimitFlags,

    /// How counterexamples are confirmed, as for verify
    #[arg(long, value_enum, value_name = "HOW", default_value_t = ReplayFlag::Both)]
    pub(crate) replay: ReplayFlag,
}

#[derive(Args, Debug)]
pub(crate) struct CheckCertificateFlags {
    /// The folder that verify --certificate wrote
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    #[command(flatten)]
    pub(crate) program: ProgramFlags,

    #[command(flatten)]
    pub(crate) limits: LimitFlags,
}

#[derive(Args, Debug)]
pub(crate) struct CheckFlags {
    /// Proofs to run: a name, or the start of names up to a `/`. Default: all
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// The proofs (docs/projects.md) [default: foldback.toml]
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) file: Option<PathBuf>,

    /// Proofs at a time [default: number of cores]
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,

    /// CPU time of each proof, instead of what the file says
    #[arg(long, value_name = "TIME")]
    pub(crate) time_limit: Option<String>,

    /// Keep all results as one run of SARIF 2.1.0
    #[arg(long, value_name = "FILE.sarif")]
    pub(crate) sarif: Option<PathBuf>,

    /// Find every answer anew, and keep none
    #[arg(long)]
    pub(crate) no_store: bool,

    /// Keep an index and a page for each proof in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) html: Option<PathBuf>,

    /// Keep the table as JUnit's XML
    #[arg(long, value_name = "FILE.xml")]
    pub(crate) junit: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ImportFrom {
    /// Proofs of CBMC's starter kit: folders with a Makefile that names a harness
    Cbmc {
        /// The folder with the proofs
        dir: PathBuf,

        /// The file to write [default: foldback.toml in that folder]
        #[arg(long, value_name = "FILE.toml")]
        out: Option<PathBuf>,
    },
    /// A proof for each function that the files of a compile database offer, started with any arguments
    CompileCommands {
        /// The database, compile_commands.json
        file: PathBuf,

        /// The file to write [default: foldback.toml in its folder]
        #[arg(long, value_name = "FILE.toml")]
        out: Option<PathBuf>,
    },
}

#[derive(Args, Debug)]
pub(crate) struct ReplayFlags {
    /// A result that was kept with --json, or a violation witness
    #[arg(value_name = "RESULT.json|WITNESS.yml")]
    pub(crate) evidence: PathBuf,

    #[command(flatten)]
    pub(crate) program: ProgramFlags,

    /// Who runs it, as for verify
    #[arg(long, value_enum, value_name = "HOW", default_value_t = ReplayFlag::Both)]
    pub(crate) replay: ReplayFlag,
}

#[derive(Args, Debug)]
pub(crate) struct BenchFlags {
    /// Folders with an index.csv, .yml task definitions, or .set files that list them
    #[arg(required_unless_present = "resume", value_name = "SET")]
    pub(crate) sets: Vec<PathBuf>,

    /// Engines, separated by commas; all: every one
    #[arg(long, short = 'e', value_name = "NAME,...", value_delimiter = ',', default_value = "portfolio")]
    pub(crate) engine: Vec<String>,

    /// CPU time for each task
    #[arg(long, value_name = "TIME", default_value = "60s")]
    pub(crate) time_limit: String,

    /// Memory for each task
    #[arg(long, value_name = "SIZE", default_value = "8GB")]
    pub(crate) memory_limit: String,

    /// Only the fixed sample of so many percent of the tasks
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) sample: Option<u32>,

    /// Tasks at a time
    #[arg(long, short = 'j', value_name = "N", default_value = "1")]
    pub(crate) jobs: std::num::NonZeroUsize,

    /// Only tasks whose name contains this; may be repeated (any of them)
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Vec<String>,

    /// Where results go: results.csv, summary.md, index.html. A run that was interrupted goes on there; results of other
    /// limits or flags are refused
    #[arg(long, value_name = "DIR", required_unless_present = "resume")]
    pub(crate) out: Option<PathBuf>,

    /// Go on with the interrupted run whose results go to DIR, as it was started
    #[arg(long, value_name = "DIR", exclusive = true)]
    pub(crate) resume: Option<PathBuf>,

    /// Where tasks run: on this machine, or on a Slurm cluster (docs/cluster.md)
    #[arg(long, value_enum, value_name = "WHERE", default_value_t = OnFlag::Local)]
    pub(crate) on: OnFlag,

    /// Partition of the cluster
    #[arg(long, value_name = "NAME")]
    pub(crate) partition: Option<String>,

    /// Account on the cluster
    #[arg(long, value_name = "NAME")]
    pub(crate) account: Option<String>,

    /// Array tasks to submit, each a batch of runs. Default: as many as take about ten minutes each, by the times in
    /// --out and --compare
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) array_size: Option<u32>,

    /// Results of another run or tool to compare with: a CSV file; may be repeated
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) compare: Vec<PathBuf>,

    /// Define a macro in every program
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub(crate) defines: Vec<String>,

    /// After `--`: flags of `verify` for every task, such as --strategy FILE.toml or --jobs 2
    #[arg(last = true, value_name = "FLAG")]
    pub(crate) arguments: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum OnFlag {
    Local,
    Slurm,
}

#[derive(Args, Debug)]
pub(crate) struct FuzzFlags {
    /// Engines, separated by commas; all: every one, and the portfolio
    #[arg(long, short = 'e', value_name = "NAME,...", value_delimiter = ',', default_value = "all")]
    pub(crate) engine: Vec<String>,

    /// How long to go on
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(crate) seconds: u64,

    /// The first program; others follow
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,

    /// At most so many programs
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    pub(crate) programs: usize,

    /// Stop after so many faults
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    pub(crate) faults: usize,
}

#[derive(Args, Debug)]
pub(crate) struct RunFlags {
    #[command(flatten)]
    pub(crate) program: ProgramFlags,

    /// Values of the inputs: a JSON list in the order they are asked for, or an object with a list for each input
    /// function, {"__VERIFIER_nondet_int": [1, -2]}. Further inputs are zero
    #[arg(long, value_name = "FILE.json", conflicts_with = "seed")]
    pub(crate) inputs: Option<PathBuf>,

    /// Random inputs, the same for the same number. Without it (and without --inputs) they are all zero
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,

    /// Stop after so many steps of the automaton
    #[arg(long, value_name = "NUMBER")]
    pub(crate) max_steps: Option<u64>,

    /// Show the inputs that the run asked for
    #[arg(long)]
    pub(crate) show_inputs: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CfaFlags {
    #[command(flatten)]
    pub(crate) program: ProgramFlags,

    /// How to show it
    #[arg(long, value_enum, default_value_t = FormatFlag::Text)]
    pub(crate) format: FormatFlag,

    /// How far to take it: `lowered` is what C means, `sliced` is what engines get
    #[arg(long, value_name = "STAGE", default_value = Stage::Lowered.name(), value_parser = stage_names())]
    pub(crate) stage: String,

    /// Leave the source lines out
    #[arg(long)]
    pub(crate) no_source: bool,

    /// Draw the symbolic execution tree that engine tracer explores in ten seconds, with what subsumes what (--format dot or
    /// svg), for small programs
    #[arg(long, conflicts_with = "stage")]
    pub(crate) proof: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FormatFlag {
    Text,
    Dot,
    Svg,
    /// A transition system for hardware model checkers, of the program that engines get
    Btor2,
}

fn stage_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Stage::ALL.map(Stage::name))
}
