//! What a job may use up. Most of it the kernel counts; memory (an address sanitizer reserves terabytes that it never
//! touches) and disk (many small files) are looked at by the supervisor.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From its start to its end.
    pub wall: Duration,
    /// Of each process.
    pub cpu: Duration,
    /// Resident memory of all processes together.
    pub memory: u64,
    /// Bytes of one file, what it prints included.
    pub file: u64,
    /// Bytes of all files in its folder, and how many there may be.
    pub disk: u64,
    pub files: usize,
}

impl Limits {
    /// For something that takes `wall` at most.
    pub fn within(wall: Duration) -> Limits {
        Limits {
            wall,
            cpu: wall + Duration::from_secs(1),
            memory: 2 << 30,
            file: 64 << 20,
            disk: 256 << 20,
            files: 4096,
        }
    }

    /// What the kernel holds a process to, itself and all that it starts. Called between fork and exec.
    pub(crate) fn impose(&self) -> rustix::io::Result<()> {
        let seconds = self.cpu.as_secs().max(1);
        let fixed = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
        setrlimit(Resource::Cpu, fixed(seconds))?;
        setrlimit(Resource::Fsize, fixed(self.file))?;
        setrlimit(Resource::Core, fixed(0))?;
        let files = getrlimit(Resource::Nofile).maximum.unwrap_or(OPEN_FILES).min(OPEN_FILES);
        setrlimit(Resource::Nofile, fixed(files))?;
        // Recursion is deep in some programs: the stack may grow as far as memory does, where that is allowed. Without any limit, 32-bit
        // programs have their libraries at low addresses, where the sanitizer of addresses wants to be, and do not start.
        let stack = getrlimit(Resource::Stack).maximum.unwrap_or(self.memory).min(self.memory);
        let _ = setrlimit(Resource::Stack, fixed(stack));
        Ok(())
    }
}

const OPEN_FILES: u64 = 256;

/// Whether a folder holds more than it may. Looks at no more entries than are allowed. What cannot be looked into (no right to
/// read, a path that is too long) may hold anything.
pub(crate) fn is_full(folder: &Path, limits: &Limits) -> bool {
    let (mut bytes, mut count, mut folders) = (0, 0, vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(_) => return true,
        };
        for entry in entries.flatten() {
            count += 1;
            let Ok(found) = entry.metadata() else { continue };
            bytes += found.len();
            if bytes > limits.disk || count > limits.files {
                return true;
            }
            if found.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    false
}
