//! The process between a job and us. It starts the job, looks at what it uses, and ends it and all that it has started. If
//! we are gone (the pipe that we hold is closed then, whatever our end was) it ends the job at once and removes the
//! private folder, so that nothing is left of either.

use crate::folder;
use crate::job::Ended;
use crate::limits::{self, Limits};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, WaitStatus};
use std::fs::File;
use std::io;
use std::os::fd::{BorrowedFd, RawFd};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What the supervisor has to know.
pub(crate) struct Order {
    pub(crate) limits: Limits,
    pub(crate) folder: PathBuf,
    pub(crate) root: PathBuf,
    /// Its other end is closed when we are gone.
    pub(crate) gone: RawFd,
    /// Where the end of the job is written down.
    pub(crate) status: RawFd,
}

const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Looking at a folder takes longer.
const LOOKS_FOR_DISK: u32 = 5;
/// So long what was killed may take to be gone.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// Makes the calling process, a fresh copy of ours, a supervisor, and returns in a second one, which is to become the job.
pub(crate) fn split(order: &Order) -> io::Result<()> {
    let started = Instant::now();
    rustix::process::setsid()?;
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    // SAFETY: the process has one thread, and leaves by `_exit`.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(()),
        pid => {
            let (gone, status) = keep_only(order.gone, order.status);
            let job = Pid::from_raw(pid).expect("a child has a positive number");
            // SAFETY: the file stays open until the end of this process.
            let (gone, status) = unsafe { (BorrowedFd::borrow_raw(gone), BorrowedFd::borrow_raw(status)) };
            let ended = watch(order, job, gone, started);
            end_all(job);
            match ended {
                Some(ended) => write(status, ended),
                None => folder::remove(&order.root),
            }
            // SAFETY: ends the process at once.
            unsafe { libc::_exit(0) }
        }
    }
}

/// Closes all files but the standard ones and these two, and gives their new numbers. Others that we held would seem open
/// to those who wait for their end.
fn keep_only(gone: RawFd, status: RawFd) -> (RawFd, RawFd) {
    const FIRST: RawFd = 3;
    // SAFETY: these are calls on numbers of files, in a process that uses no others.
    unsafe {
        let high = |fd| libc::fcntl(fd, libc::F_DUPFD, 64);
        let (a, b) = (high(gone), high(status));
        libc::dup2(a, FIRST);
        libc::dup2(b, FIRST + 1);
        let last = libc::c_long::from(u32::MAX);
        if libc::syscall(libc::SYS_close_range, libc::c_long::from(FIRST + 2), last, 0) == -1 {
            (FIRST + 2..1024).for_each(|fd| {
                libc::close(fd);
            });
        }
    }
    (FIRST, FIRST + 1)
}

/// Waits for the end of the job, or the reason to end it. `None`: nobody is left who wants to know.
fn watch(order: &Order, job: Pid, gone: BorrowedFd<'_>, started: Instant) -> Option<Ended> {
    let own = rustix::process::pidfd_open(job, PidfdFlags::empty()).ok();
    let pause = Timespec { tv_sec: 0, tv_nsec: LOOK_EVERY.as_nanos() as _ };
    for look in 1_u32.. {
        let mut waited = vec![PollFd::new(&gone, PollFlags::IN)];
        waited.extend(own.as_ref().map(|own| PollFd::new(own, PollFlags::IN)));
        // An interruption or an error is one look more.
        let _ = poll(&mut waited, Some(&pause));
        if !waited[0].revents().is_empty() {
            return None;
        }
        match rustix::process::waitpid(Some(job), WaitOptions::NOHANG) {
            Ok(Some((_, status))) => return Some(how(status)),
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return Some(Ended::Signal(0)),
        }
        if started.elapsed() >= order.limits.wall {
            return Some(Ended::Time);
        }
        if memory(job) > order.limits.memory {
            return Some(Ended::Memory);
        }
        if look % LOOKS_FOR_DISK == 0 && limits::is_full(&order.folder, &order.limits) {
            return Some(Ended::Disk);
        }
    }
    None
}

fn how(status: WaitStatus) -> Ended {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Ended::Exit(code),
        (None, signal) => Ended::Signal(signal.unwrap_or(0)),
    }
}

/// Bytes of a process and all below it: in memory, put aside, and what the kernel itself needs to know where they are (that is
/// more than the rest where much is only read).
fn memory(process: Pid) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{}/status", process.as_raw_nonzero())).unwrap_or_default();
    let kilobytes = |name: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(name))?;
        value.split_whitespace().next()?.parse::<u64>().ok()
    };
    let own: u64 = ["VmRSS:", "VmSwap:", "VmPTE:"].into_iter().filter_map(kilobytes).sum();
    let below: u64 = children(process).into_iter().map(memory).sum();
    own * 1024 + below
}

fn children(of: Pid) -> Vec<Pid> {
    let of = of.as_raw_nonzero();
    if let Ok(text) = std::fs::read_to_string(format!("/proc/{of}/task/{of}/children")) {
        return text.split_whitespace().filter_map(|n| Pid::from_raw(n.parse().ok()?)).collect();
    }
    // Kernels without that list: every process names its parent.
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    numbers.filter(|n| parent(*n) == Some(of.get())).filter_map(Pid::from_raw).collect()
}

/// The parent of a process: the second word behind its name, which is in parentheses and may hold anything.
fn parent(process: i32) -> Option<i32> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// Kills the job's group and all that comes to us from it, until nothing is left.
fn end_all(job: Pid) {
    let own = rustix::process::getpid();
    let until = Instant::now() + LAST_WAIT;
    while Instant::now() < until {
        // They may have ended.
        let _ = rustix::process::kill_process_group(job, Signal::KILL);
        for child in children(own) {
            let _ = rustix::process::kill_process(child, Signal::KILL);
        }
        loop {
            match rustix::process::wait(WaitOptions::NOHANG) {
                Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
                Ok(None) => break,
                Err(_) => return,
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Writes the end of a job down.
fn write(status: BorrowedFd<'_>, ended: Ended) {
    let (kind, value) = match ended {
        Ended::Exit(code) => (1, code),
        Ended::Signal(signal) => (2, signal),
        Ended::Time => (3, 0),
        Ended::Memory => (4, 0),
        Ended::Disk => (5, 0),
    };
    let bytes = [i32::to_le_bytes(kind), value.to_le_bytes()].concat();
    // Where that fails, the reader finds nothing and says so.
    let _ = rustix::io::write(status, &bytes);
}

/// The end of a job, as its supervisor wrote it down.
pub(crate) fn read(status: &File) -> io::Result<Ended> {
    let mut bytes = [0; 8];
    status.read_exact_at(&mut bytes, 0).map_err(|_| io::Error::other("its supervisor was killed"))?;
    let number = |at: usize| i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    Ok(match number(0) {
        1 => Ended::Exit(number(4)),
        2 => Ended::Signal(number(4)),
        3 => Ended::Time,
        4 => Ended::Memory,
        _ => Ended::Disk,
    })
}
