//! Ctrl-C, SIGTERM and the end of a terminal: the run is told to stop, and says what it knows. If it has not stopped soon, it is ended.
//!
//! The signals are blocked in all threads, and one thread waits for them. Engines' processes inherit that: a Ctrl-C, which
//! a terminal sends to all of them, leaves it to this process to end them. They die with it in any case.

#![allow(unsafe_code)]

use crate::limits::process::GRACE;
use crate::session::Cancellation;

/// Blocks the signals in this thread and those that it starts. To be called before there are others.
pub fn block() {
    // SAFETY: the set is initialised by the call before its use.
    unsafe {
        let set = signals();
        libc::pthread_sigmask(libc::SIG_BLOCK, &set, std::ptr::null_mut());
    }
}

/// A write beyond the limit of a file's size is an error like that of a full disk, and no end of the process. Programs that
/// are started are told nothing of it.
pub fn survive_large_files() {
    extern "C" fn nothing(_: libc::c_int) {}
    // SAFETY: the handler does nothing, and the structure is initialised.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = nothing as *const () as usize;
        libc::sigaction(libc::SIGXFSZ, &action, std::ptr::null_mut());
    }
}

/// A crash of an engine or a solver is a line in the report, and no file `core` in the folder where we were started. Processes that are
/// started are told the same.
pub fn leave_no_cores() {
    let known = rustix::process::getrlimit(rustix::process::Resource::Core);
    let none = rustix::process::Rlimit { current: Some(0), ..known };
    // Lowering a limit is always allowed.
    let _ = rustix::process::setrlimit(rustix::process::Resource::Core, none);
}

fn signals() -> libc::sigset_t {
    // SAFETY: `sigemptyset` initialises the set that it is given.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, libc::SIGINT);
        libc::sigaddset(&mut set, libc::SIGTERM);
        // Who is told to go on without a terminal (`nohup`) does.
        let mut known: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGHUP, std::ptr::null(), &mut known);
        if known.sa_sigaction != libc::SIG_IGN {
            libc::sigaddset(&mut set, libc::SIGHUP);
        }
        set
    }
}

fn wait() {
    let set = signals();
    let mut signal = 0;
    // SAFETY: both arguments live until the call returns.
    unsafe {
        libc::sigwait(&set, &mut signal);
    }
}

/// Waits for signals from now on: they cancel what is given this. `end` ends the process, and is called when stopping takes
/// too long.
pub fn watch(end: impl FnOnce() + Send + 'static) -> Cancellation {
    let cancellation = Cancellation::new();
    let watched = cancellation.clone();
    std::thread::spawn(move || {
        wait();
        watched.cancel();
        std::thread::sleep(GRACE);
        end();
    });
    cancellation
}
