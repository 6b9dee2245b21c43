//! What child processes are told before they begin.

use rustix::process::{Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The command's process is killed when the thread that starts it ends, however it ends: it has nobody to answer to.
#[allow(unsafe_code)]
pub fn die_with_us(command: &mut Command) {
    // SAFETY: between fork and exec only one system call is made.
    unsafe {
        command.pre_exec(|| {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            Ok(())
        });
    }
}

/// The command's stack may grow as large as the system lets it.
#[allow(unsafe_code)]
pub fn unlimited_stack(command: &mut Command) {
    // SAFETY: between fork and exec only two system calls are made.
    unsafe {
        command.pre_exec(|| {
            let most = getrlimit(Resource::Stack).maximum;
            // Where that is not allowed the usual limit holds.
            let _ = setrlimit(Resource::Stack, Rlimit { current: most, maximum: most });
            Ok(())
        });
    }
}
