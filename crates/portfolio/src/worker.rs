//! An engine in a process of its own: a crash, an abort of the solver or too much memory ends that process and no other.
//!
//! A worker is a fork of this process: it has the program already. It and its owner talk over a socket in the lines of
//! [`engine::wire`]: facts both ways, events and one verdict from the worker. The owner may pause and resume it at any
//! time; if the owner dies the worker dies with it.

#![allow(unsafe_code)]

use engine::wire::{self, Message};
use engine::{Board, Budget, Cx, Fact, Link, Task, Verdict, Why};
use engines::EngineInfo;
use rustix::net::RecvFlags;
use rustix::process::{Pid, Signal, WaitOptions};
use smt::SolverSettings;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use term::Store;

/// The owner's side.
pub(crate) struct Worker {
    pub(crate) engine: &'static EngineInfo,
    pid: Pid,
    stream: UnixStream,
    inbox: Vec<u8>,
    outbox: VecDeque<u8>,
    /// How many facts of the owner's board it knows.
    pub(crate) facts: usize,
    /// CPU time used when it was last looked at.
    cpu: Duration,
    running: bool,
}

/// What a look at a worker's socket brought.
pub(crate) struct News {
    pub(crate) messages: Vec<Message>,
    /// The worker has said all it will say, because it ended or was killed.
    pub(crate) closed: bool,
}

impl Worker {
    /// Starts an engine with `budget`'s limits; it knows all facts that are on `board` now.
    pub(crate) fn start(
        engine: &'static EngineInfo,
        task: &Task,
        board: &Board,
        budget: &Budget,
        solvers: &SolverSettings,
    ) -> io::Result<Worker> {
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let time = budget.left();
        let parent = rustix::process::getpid();
        // SAFETY: the child runs Rust code of this process on its only thread and leaves by `_exit`, so neither destructors
        // nor exit handlers of the parent run twice. Locks that other threads of the parent may hold at this moment are
        // those of the allocator, which the C library makes safe across `fork`, and of the standard streams, which
        // the child does not touch.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                drop(ours);
                // Should the parent be gone already, nobody listens.
                let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
                if rustix::process::getppid() == Some(parent) {
                    work(engine, task, board, time, budget.memory(), solvers, theirs);
                }
                // SAFETY: ends the process at once.
                unsafe { libc::_exit(0) }
            }
            pid => Ok(Worker {
                engine,
                pid: Pid::from_raw(pid).expect("a child has a positive number"),
                stream: ours,
                inbox: Vec::new(),
                outbox: VecDeque::new(),
                facts: board.len(),
                cpu: Duration::ZERO,
                running: true,
            }),
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        self.running
    }

    pub(crate) fn pause(&mut self) {
        self.signal(Signal::STOP);
        self.running = false;
    }

    pub(crate) fn resume(&mut self) {
        self.signal(Signal::CONT);
        self.running = true;
    }

    pub(crate) fn signal(&self, signal: Signal) {
        // It may have ended by itself; it stays our child until we wait for it.
        let _ = rustix::process::kill_process(self.pid, signal);
    }

    pub(crate) fn socket(&self) -> &UnixStream {
        &self.stream
    }

    pub(crate) fn wants_to_send(&self) -> bool {
        !self.outbox.is_empty()
    }

    /// CPU time used so far.
    pub(crate) fn cpu(&mut self) -> Duration {
        let used = base::cpu::time_of(self.pid.as_raw_nonzero().get());
        self.cpu = self.cpu.max(used.unwrap_or_default());
        self.cpu
    }

    /// Bytes of memory that are resident and its own.
    pub(crate) fn memory(&self) -> u64 {
        let statm = std::fs::read_to_string(format!("/proc/{}/statm", self.pid.as_raw_nonzero())).unwrap_or_default();
        let mut pages = statm.split_whitespace().skip(1).filter_map(|n| n.parse::<u64>().ok());
        let (resident, shared) = (pages.next().unwrap_or(0), pages.next().unwrap_or(0));
        resident.saturating_sub(shared) * rustix::param::page_size() as u64
    }

    /// Queues a fact for the worker.
    pub(crate) fn tell(&mut self, fact: &Fact) {
        let line = wire::write(&Message::Fact(fact.clone()), &mut Store::new());
        self.outbox.extend(line.as_bytes());
        self.outbox.push_back(b'\n');
        self.flush();
    }

    /// Sends what the socket takes without waiting.
    pub(crate) fn flush(&mut self) {
        while !self.outbox.is_empty() {
            match self.stream.write(self.outbox.as_slices().0) {
                Ok(sent) => drop(self.outbox.drain(..sent)),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return,
                // Nobody listens any more.
                Err(_) => self.outbox.clear(),
            }
        }
    }

    /// Reads what has come. Terms of a verdict are made in `terms`.
    pub(crate) fn receive(&mut self, terms: &mut Store) -> News {
        let mut messages = Vec::new();
        let closed = receive(&self.stream, &mut self.inbox);
        for line in lines(&mut self.inbox) {
            match wire::read(&line, terms) {
                Ok(message) => messages.push(message),
                Err(e) => messages.push(Message::Verdict(Verdict::Unknown(Why::Crashed(format!(
                    "an unreadable line from the engine: {}",
                    e.0
                ))))),
            }
        }
        News { messages, closed }
    }

    /// How the process ended, for people, after its socket was closed or it was killed. Waits for the end.
    pub(crate) fn end(mut self) -> String {
        self.cpu();
        match wait(self.pid) {
            Some(status) => match status.terminating_signal() {
                Some(signal) => format!("ended by signal {signal}"),
                None => format!("ended with code {}", status.exit_status().unwrap_or(0)),
            },
            None => "ended".to_owned(),
        }
    }
}

impl Drop for Worker {
    /// No process outlives its owner.
    fn drop(&mut self) {
        self.signal(Signal::KILL);
        wait(self.pid);
    }
}

fn wait(pid: Pid) -> Option<rustix::process::WaitStatus> {
    loop {
        match rustix::process::waitpid(Some(pid), WaitOptions::empty()) {
            Ok(found) => return found.map(|(_, status)| status),
            Err(rustix::io::Errno::INTR) => {}
            // Waited for before.
            Err(_) => return None,
        }
    }
}

/// The worker's life. Whoever can goes on behind a counterexample, until its owner, who looks at that one, ends it or has seen enough.
fn work(
    engine: &EngineInfo,
    task: &Task,
    board: &Board,
    time: Duration,
    memory: u64,
    solvers: &SolverSettings,
    stream: UnixStream,
) {
    // A panic is told to the owner, not to the terminal.
    let last_words = Arc::new(Mutex::new(String::new()));
    let words = last_words.clone();
    std::panic::set_hook(Box::new(move |info| {
        *words.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
    }));
    let socket = Arc::new(Socket { stream, inbox: Mutex::default() });
    let board = board.linked(socket.clone());
    let mut cx = Cx::new(task, Budget::new(time, memory), board, solvers.clone());
    let events = socket.clone();
    cx.listen(move |event| events.write(&Message::Event(event.clone()), &mut Store::new()));
    let mut runs = (engine.make)();
    loop {
        let verdict = catch_unwind(AssertUnwindSafe(|| runs.run(task, &mut cx))).unwrap_or_else(|_| {
            let what = last_words.lock().unwrap_or_else(PoisonError::into_inner).clone();
            Verdict::Unknown(Why::Crashed(what))
        });
        let is_last = !engine.goes_on || !matches!(verdict, Verdict::Unsafe(_));
        socket.write(&Message::Verdict(verdict), &mut cx.terms);
        if is_last {
            return;
        }
    }
}

/// The worker's side of the socket.
struct Socket {
    stream: UnixStream,
    inbox: Mutex<Vec<u8>>,
}

impl Socket {
    fn write(&self, message: &Message, terms: &mut Store) {
        let mut line = wire::write(message, terms);
        line.push('\n');
        // An owner that is gone has sent the signal that ends us.
        let _ = (&self.stream).write_all(line.as_bytes());
    }
}

impl Link for Socket {
    fn send(&self, fact: &Fact) {
        self.write(&Message::Fact(fact.clone()), &mut Store::new());
    }

    fn receive(&self) -> Vec<Fact> {
        let mut inbox = self.inbox.lock().unwrap_or_else(PoisonError::into_inner);
        receive(&self.stream, &mut inbox);
        let mut terms = Store::new();
        let messages = lines(&mut inbox).into_iter().filter_map(|line| wire::read(&line, &mut terms).ok());
        messages.filter_map(|m| if let Message::Fact(fact) = m { Some(fact) } else { None }).collect()
    }
}

/// Reads what is there without waiting; says whether the other side has closed.
fn receive(stream: &UnixStream, inbox: &mut Vec<u8>) -> bool {
    let mut buffer = [0u8; 1 << 16];
    loop {
        match rustix::net::recv(stream.as_fd(), &mut buffer, RecvFlags::DONTWAIT) {
            Ok((0, _)) => return true,
            Ok((n, _)) => inbox.extend_from_slice(&buffer[..n]),
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::AGAIN) => return false,
            Err(_) => return true,
        }
    }
}

/// Takes the complete lines out of `inbox`.
fn lines(inbox: &mut Vec<u8>) -> Vec<String> {
    let Some(end) = inbox.iter().rposition(|b| *b == b'\n') else { return Vec::new() };
    let rest = inbox.split_off(end + 1);
    let complete = std::mem::replace(inbox, rest);
    String::from_utf8_lossy(&complete).lines().map(str::to_owned).collect()
}
