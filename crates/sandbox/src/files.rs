//! Which files a job may touch, held by Landlock. The rules are made in the job's own process, since `/proc/self` is
//! another folder in each.

use crate::job::Job;
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
    Scope, path_beneath_rules,
};
use std::path::{Path, PathBuf};

/// Where compilers and libraries are. Nobody keeps secrets there.
const SYSTEM: [&str; 16] = [
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/bin",
    "/sbin",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/localtime",
];
/// What every process may know, and of itself.
const OWN: [&str; 9] = [
    "/proc/self",
    "/proc/sys/vm/overcommit_memory",
    "/proc/sys/kernel/pid_max",
    "/proc/meminfo",
    "/proc/cpuinfo",
    "/sys/devices/system/cpu",
    "/dev/zero",
    "/dev/urandom",
    "/dev/random",
];

/// The newest version whose rights are known here; on an older kernel, those that it knows.
const VERSION: ABI = ABI::V6;

/// Shuts the calling process in: `job`'s own files, and the system's.
pub(crate) fn confine(job: &Job) -> Result<(), String> {
    let read = AccessFs::from_read(VERSION);
    let write = AccessFs::from_all(VERSION);
    let devices = AccessFs::ReadFile | AccessFs::WriteFile;
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .map_err(|e| e.to_string())?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(write)
        .and_then(|rules| rules.handle_access(AccessNet::from_all(VERSION)))
        .and_then(|rules| rules.scope(Scope::from_all(VERSION)))
        .and_then(Ruleset::create)
        .and_then(|rules| rules.add_rules(path_beneath_rules(SYSTEM.iter().chain(&OWN), read)))
        .and_then(|rules| rules.add_rules(path_beneath_rules(&job.readable, read)))
        .and_then(|rules| rules.add_rules(path_beneath_rules(["/dev/null"], devices)))
        .and_then(|rules| rules.add_rules(path_beneath_rules(&job.writable, write)))
        .and_then(|rules| rules.restrict_self())
        .map_err(|e| e.to_string())?;
    if status.ruleset == RulesetStatus::NotEnforced {
        return Err("Landlock is not there".into());
    }
    Ok(())
}

/// The version that the kernel has; `None`: it has none, or it is switched off.
pub(crate) fn version() -> Option<u32> {
    const CREATE_RULESET: libc::c_long = 444;
    const ASK_VERSION: libc::c_long = 1;
    // SAFETY: with this flag the call reads no memory.
    let version = unsafe { libc::syscall(CREATE_RULESET, 0, 0, ASK_VERSION) };
    u32::try_from(version).ok().filter(|version| *version > 0)
}

/// Where a program that is found through `PATH` is installed, if that is none of the system's folders and does not hold
/// the user's home.
pub fn installation(program: &Path) -> Option<PathBuf> {
    let program = program.canonicalize().ok()?;
    let prefix = program.parent()?.parent()?;
    let is_wide = prefix == Path::new("/") || std::env::home_dir().is_some_and(|home| home.starts_with(prefix));
    (!is_wide).then(|| prefix.to_owned())
}
