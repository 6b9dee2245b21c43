//! Z3 as a child process, spoken to in SMT-LIB: the second opinion.
//!
//! As with Bitwuzla, asserting only notes down; a check brings the process in line first. Assumptions are asserted under
//! names one level up, so that any term may be assumed and the unsat core consists of assumptions only. A process that
//! was interrupted or misbehaved is killed, and the next check starts another. So is one whose logic has become too
//! small: Z3 is told the smallest that serves, since it bit-blasts `QF_BV` at once, often in a tenth of the time.

use crate::limits::backend::READ_TIME;
use std::process::Command;
use std::sync::Mutex;

use rustc_hash::FxHashSet;
use term::smtlib::{Dialect, Printer};
use term::{Op, Sort, Store, Term, Value};

use super::pipe::Pipe;
use crate::frames::{Frames, Step};
use crate::solver::{Answer, Limits, Quantified, Renewable, Solver, Stats, Why};

/// Which program to run, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Z3Settings {
    pub program: String,
    /// For the process, in megabytes.
    pub memory: Option<u32>,
}

impl Default for Z3Settings {
    fn default() -> Z3Settings {
        Z3Settings { program: "z3".to_string(), memory: None }
    }
}

impl Z3Settings {
    /// What the program calls itself, or why it cannot be used.
    pub fn version(&self) -> Result<String, Why> {
        let output = Command::new(&self.program).arg("--version").output();
        let output = output.map_err(|error| Why::Failed(format!("{} does not run: {error}", self.program)))?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_string();
        if output.status.success() && !text.is_empty() {
            Ok(text)
        } else {
            Err(Why::Failed(format!("{} --version fails", self.program)))
        }
    }
}

/// What a logic has to offer besides bit-vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Needs {
    arrays: bool,
    floats: bool,
    /// Quantifiers, functions, equalities of arrays.
    more: bool,
}

impl Needs {
    fn add(&mut self, store: &Store, term: Term) {
        match store.sort(term) {
            Sort::Array(array) => {
                self.arrays = true;
                self.floats |= [array.index, array.elem].iter().any(|part| matches!(Sort::from(*part), Sort::Float(_)));
            }
            Sort::Float(_) => self.floats = true,
            Sort::Bool | Sort::Bv(_) => {}
        }
        let op = store.op(term);
        // Arrays that are compared or constant are too much for Z3's QF_ABV.
        let compares_arrays = op == Op::Eq && matches!(store.sort(store.arg(term, 0)), Sort::Array(_));
        self.more |= op.is_quantifier() || matches!(op, Op::Apply(_) | Op::ConstArray(_)) || compares_arrays;
    }

    fn logic(self) -> &'static str {
        match self {
            Needs { arrays: false, floats: false, more: false } => "QF_BV",
            Needs { arrays: true, floats: false, more: false } => "QF_ABV",
            Needs { arrays: false, floats: true, more: false } => "QF_FPBV",
            _ => "ALL",
        }
    }
}

/// A process that waits for its first question, so that nobody has to wait for its start.
struct Spare {
    settings: Z3Settings,
    pipe: Pipe,
    /// The process that started it: what forks off from it must not talk to it.
    owner: u32,
}

static SPARE: Mutex<Option<Spare>> = Mutex::new(None);
/// What a spare process is told to expect: most questions are of this kind, and setting it up is half of the start.
const SPARE_LOGIC: &str = "QF_BV";

/// Starts a process for the first question to come. It ends with the calling thread.
pub fn start_ahead(settings: &Z3Settings) {
    let Ok(pipe) = spawn(settings) else { return };
    if pipe.send(format!("{}(declare-fun ?ready () Bool)\n", greeting(SPARE_LOGIC))).is_ok() {
        let spare = Spare { settings: settings.clone(), pipe, owner: std::process::id() };
        *SPARE.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(spare);
    }
}

/// The spare process, if there is one like that.
fn take_spare(settings: &Z3Settings) -> Option<Pipe> {
    let mut spare = SPARE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let fits = |spare: &mut Spare| spare.settings == *settings && spare.owner == std::process::id();
    spare.take_if(fits).map(|spare| spare.pipe)
}

fn spawn(settings: &Z3Settings) -> Result<Pipe, Why> {
    let mut command = Command::new(&settings.program);
    command.args(["-in", "-smt2"]);
    if let Some(megabytes) = settings.memory {
        command.arg(format!("-memory:{megabytes}"));
    }
    // Z3 clears 16 MB of tables before it reads a line: in huge pages that takes half as long. Other C libraries ignore it.
    if std::env::var_os(TUNABLES).is_none() {
        command.env(TUNABLES, "glibc.malloc.hugetlb=1");
    }
    Pipe::spawn(&mut command)
}

const TUNABLES: &str = "GLIBC_TUNABLES";

fn greeting(logic: &str) -> String {
    format!("{PRELUDE}(set-logic {logic})\n")
}

/// A process and what it has been told.
struct Session {
    pipe: Pipe,
    /// The logic that a spare process was told.
    told: Option<&'static str>,
    needs: Needs,
    printer: Printer,
    reached: Frames,
    /// One more level is open, for assumptions.
    assuming: bool,
    /// Names are never used twice.
    names: u64,
    /// Written but not yet sent.
    script: String,
    /// Whether anything was sent, the logic first.
    began: bool,
    /// For reading values, which come as terms.
    values: Store,
}

const PRELUDE: &str = "(set-option :print-success false)
(set-option :produce-models true)
(set-option :produce-unsat-cores true)
(set-option :global-declarations true)
";

impl Session {
    fn start(settings: &Z3Settings, needs: Needs) -> Result<Session, Why> {
        let (pipe, told) = match take_spare(settings) {
            Some(pipe) => (pipe, Some(SPARE_LOGIC)),
            None => (spawn(settings)?, None),
        };
        Ok(Session {
            pipe,
            told,
            needs,
            printer: Printer::new(Dialect::V26),
            reached: Frames::default(),
            assuming: false,
            names: 0,
            script: String::new(),
            began: false,
            values: Store::new(),
        })
    }

    fn play(&mut self, store: &Store, step: Step) {
        match step {
            Step::Push => self.script.push_str("(push 1)\n"),
            Step::Pop => self.script.push_str("(pop 1)\n"),
            Step::Assert(fact) => {
                self.printer.declare(store, &[fact], &mut self.script);
                self.script.push_str("(assert ");
                self.printer.write(store, fact, &mut self.script);
                self.script.push_str(")\n");
            }
        }
        self.reached.play(step);
    }

    /// Asserts a term under a fresh name.
    fn assume(&mut self, store: &Store, term: Term) -> String {
        let name = format!("?assumption{}", self.names);
        self.names += 1;
        self.printer.declare(store, &[term], &mut self.script);
        self.script.push_str("(assert (! ");
        self.printer.write(store, term, &mut self.script);
        self.script.push_str(" :named ");
        self.script.push_str(&name);
        self.script.push_str("))\n");
        name
    }

    /// Sends what was written and waits for one reply.
    fn ask(&mut self, question: &str, limits: &Limits) -> Result<String, Why> {
        self.script.push_str(question);
        self.script.push('\n');
        if !std::mem::replace(&mut self.began, true) && self.told.is_none() {
            self.script.insert_str(0, &greeting(self.needs.logic()));
        }
        self.pipe.send(std::mem::take(&mut self.script))?;
        self.pipe.receive(limits)
    }
}

/// Z3 asked in its own language: for questions that are no terms of ours, about integers say. Each stands for itself.
pub struct Z3Scripts {
    settings: Z3Settings,
    pipe: Option<Pipe>,
}

impl Z3Scripts {
    pub fn new(settings: &Z3Settings) -> Z3Scripts {
        Z3Scripts { settings: settings.clone(), pipe: None }
    }

    /// Whether what the script declares and asserts can hold together.
    pub fn check(&mut self, script: &str, limits: &Limits) -> Result<Answer, Why> {
        let pipe = match self.pipe.take() {
            Some(pipe) => pipe,
            None => spawn(&self.settings)?,
        };
        pipe.send(format!("(reset)\n{script}(check-sat-using smt)\n"))?;
        let reply = pipe.receive(limits)?;
        // Only where it answered the conversation goes on.
        self.pipe = Some(pipe);
        match reply.as_str() {
            "sat" => Ok(Answer::Sat),
            "unsat" => Ok(Answer::Unsat),
            other => Err(Why::GaveUp(other.to_owned())),
        }
    }
}

/// How the last check ended, as far as values and cores are concerned.
enum Last {
    Nothing,
    Sat,
    /// The assumptions and their names.
    Unsat(Vec<(Term, String)>),
}

/// See the module.
pub struct Z3Process {
    settings: Z3Settings,
    session: Option<Session>,
    wanted: Frames,
    limits: Limits,
    last: Last,
    /// The assumptions of the last check.
    assumed: Vec<Term>,
    /// What the terms seen so far need.
    needs: Needs,
    seen: FxHashSet<Term>,
    checks: u64,
    processes: u64,
}

impl Z3Process {
    /// An error says that the program is not there.
    pub fn new(settings: &Z3Settings) -> Result<Z3Process, Why> {
        let session = Session::start(settings, Needs::default())
            .map_err(|why| Why::Failed(format!("cannot run {} (apt-get install z3): {why}", settings.program)))?;
        Ok(Z3Process {
            settings: settings.clone(),
            session: Some(session),
            wanted: Frames::default(),
            limits: Limits::default(),
            last: Last::Nothing,
            assumed: Vec::new(),
            needs: Needs::default(),
            seen: FxHashSet::default(),
            checks: 0,
            processes: 1,
        })
    }

    /// Notes what the terms need; a session that does not offer it ends.
    fn look_at(&mut self, store: &Store, terms: &[Term]) {
        let mut open: Vec<Term> = terms.to_vec();
        while let Some(term) = open.pop() {
            if self.seen.insert(term) {
                self.needs.add(store, term);
                open.extend(store.args(term));
            }
        }
        match &mut self.session {
            Some(session) if session.began && session.needs != self.needs => self.session = None,
            Some(session) if session.told.is_some_and(|logic| logic != self.needs.logic()) => self.session = None,
            Some(session) => session.needs = self.needs,
            None => {}
        }
    }

    /// A session that holds exactly the facts of `wanted`.
    fn catch_up(&mut self, store: &Store) -> Result<&mut Session, Why> {
        if let Some(session) = &mut self.session
            && std::mem::take(&mut session.assuming)
        {
            session.script.push_str("(pop 1)\n");
        }
        let steps = self.session.as_ref().and_then(|session| session.reached.steps_to(&self.wanted));
        let steps = match steps {
            Some(steps) => steps,
            None => {
                self.session = Some(Session::start(&self.settings, self.needs)?);
                self.processes += 1;
                Frames::default().steps_to(&self.wanted).expect("from nothing to anything")
            }
        };
        let session = self.session.as_mut().expect("made above");
        steps.into_iter().for_each(|step| session.play(store, step));
        Ok(session)
    }

    fn check_now(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        let limits = self.limits.clone();
        let facts = self.wanted.facts().to_vec();
        self.look_at(store, &facts);
        self.look_at(store, assumptions);
        let session = self.catch_up(store)?;
        let mut named = Vec::new();
        if !assumptions.is_empty() {
            session.script.push_str("(push 1)\n");
            session.assuming = true;
            named.extend(assumptions.iter().map(|&term| (term, session.assume(store, term))));
        }
        match session.ask("(check-sat)", &limits)?.as_str() {
            "sat" => {
                self.last = Last::Sat;
                Ok(Answer::Sat)
            }
            "unsat" => {
                self.last = Last::Unsat(named);
                Ok(Answer::Unsat)
            }
            "unknown" => {
                let reason = session.ask("(get-info :reason-unknown)", &reading())?;
                Err(Why::GaveUp(reason))
            }
            other => Err(Why::Failed(format!("Z3 answered {other}"))),
        }
    }

    fn read(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        self.look_at(store, &[term]);
        if self.session.is_none() {
            // The model went with a logic that cannot say the term.
            let assumed = std::mem::take(&mut self.assumed);
            if self.check_now(store, &assumed)? != Answer::Sat {
                return Err(Why::NotAvailable);
            }
            self.assumed = assumed;
        }
        let session = self.session.as_mut().ok_or(Why::NotAvailable)?;
        session.printer.declare(store, &[term], &mut session.script);
        let mut question = "(get-value (".to_string();
        session.printer.write(store, term, &mut question);
        question.push_str("))");
        let reply = session.ask(&question, &reading())?;
        let unreadable = || Why::Failed(format!("unreadable value {reply}"));
        let values = term::smtlib::parse_values(&mut session.values, &reply).map_err(|_| unreadable())?;
        values.into_iter().next().filter(|value| value.sort() == store.sort(term)).ok_or_else(unreadable)
    }

    fn read_core(&mut self) -> Result<Vec<Term>, Why> {
        let (Last::Unsat(named), Some(session)) = (&self.last, &mut self.session) else {
            return Err(Why::NotAvailable);
        };
        if named.is_empty() {
            return Ok(Vec::new());
        }
        let reply = session.ask("(get-unsat-core)", &reading())?;
        let names: Vec<&str> = reply.trim_matches(['(', ')']).split_whitespace().collect();
        Ok(named.iter().filter(|(_, name)| names.contains(&name.as_str())).map(|(term, _)| *term).collect())
    }

    fn check_wanted(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        self.assumed = assumptions.to_vec();
        let answer = self.check_now(store, assumptions);
        self.trust(answer)
    }

    /// After a failed exchange nothing in the conversation can be relied on.
    fn trust<T>(&mut self, result: Result<T, Why>) -> Result<T, Why> {
        if result.is_err() {
            self.session = None;
            self.last = Last::Nothing;
        }
        result
    }
}

fn reading() -> Limits {
    Limits { time: Some(READ_TIME), cancel: None }
}

impl Solver for Z3Process {
    super::notes_what_is_wanted!();

    fn value(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        if !matches!(self.last, Last::Sat) {
            return Err(Why::NotAvailable);
        }
        let value = self.read(store, term);
        self.trust(value)
    }

    fn core(&mut self) -> Result<Vec<Term>, Why> {
        if !matches!(self.last, Last::Unsat(_)) {
            return Err(Why::NotAvailable);
        }
        let core = self.read_core();
        self.trust(core)
    }

    fn stats(&self, into: &mut Stats) {
        into.add("z3.checks", self.checks);
        into.add("z3.processes", self.processes);
    }
}

impl Renewable for Z3Process {
    fn renew(&mut self) {
        self.last = Last::Nothing;
        self.session = None;
        self.needs = Needs::default();
        self.seen.clear();
    }
}

impl Quantified for Z3Process {}
