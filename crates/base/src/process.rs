//! What child processes are told before they begin.

use rustix::process::{Signal, set_parent_process_death_signal};
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
