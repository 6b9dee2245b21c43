//! The system calls that a program may make, as a filter of the kernel (seccomp). What is not in the list fails as if it
//! were not permitted: sockets, new processes and threads, signals to others, other owners, rights and times of files,
//! files without a name (their size would count nowhere), and all that only administrators need.
//!
//! The filter is assembled here: 32-bit programs make other calls than 64-bit ones on the same machine, and have to be
//! allowed beside them, which the `seccompiler` crate does not do.

use libc::sock_filter;

/// When a call is allowed.
#[derive(Clone, Copy)]
enum Rule {
    Always,
    /// If all tests hold.
    Where(&'static [Test]),
    /// If all tests hold, and only for programs whose leaks are looked for: the leak checker stops the program from a
    /// process beside it.
    ForLeaks(&'static [Test]),
}

/// A test of one argument, by its number. Only the lower halves are looked at where the upper ones must be zero.
#[derive(Clone, Copy)]
enum Test {
    OneOf(u32, &'static [u32]),
    Not(u32, u32),
    /// It is the number of the process itself.
    Own(u32),
    /// Flags of `open`: old kernels let a file be cut off that is opened for reading.
    NoSilentTruncation(u32),
    /// None of these bits.
    Without(u32, u32),
}

/// TCGETS, TIOCGWINSZ, FIONREAD.
const TERMINAL_QUESTIONS: &[u32] = &[0x5401, 0x5413, 0x541b];
/// Duplicates, flags and locks: nothing that sends signals.
const OWN_FILE_REQUESTS: &[u32] = &[0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 1030];
const SET_PARENT_DEATH_SIGNAL: u32 = 1;
/// CLONE_VM, CLONE_FS, CLONE_FILES, CLONE_UNTRACED.
const LEAK_CHECKER: u32 = 0x0080_0700;
/// Stands for the number of the process until it is known.
const OWN_NUMBER: u32 = 0x7fff_fff1;

/// What O_TMPFILE is besides O_DIRECTORY.
const NAMELESS: u32 = 0x0040_0000;

/// Name, number on x86-64, number on i386.
#[rustfmt::skip]
const CALLS: &[(&str, Option<u32>, Option<u32>, Rule)] = &[
    ("read", Some(0), Some(3), Rule::Always),
    ("write", Some(1), Some(4), Rule::Always),
    ("open", Some(2), Some(5), Rule::Where(&[Test::NoSilentTruncation(1), Test::Without(1, NAMELESS)])),
    ("close", Some(3), Some(6), Rule::Always),
    ("stat", Some(4), Some(106), Rule::Always),
    ("fstat", Some(5), Some(108), Rule::Always),
    ("lstat", Some(6), Some(107), Rule::Always),
    ("poll", Some(7), Some(168), Rule::Always),
    ("lseek", Some(8), Some(19), Rule::Always),
    ("mmap", Some(9), Some(90), Rule::Always),
    ("mprotect", Some(10), Some(125), Rule::Always),
    ("munmap", Some(11), Some(91), Rule::Always),
    ("brk", Some(12), Some(45), Rule::Always),
    ("rt_sigaction", Some(13), Some(174), Rule::Always),
    ("rt_sigprocmask", Some(14), Some(175), Rule::Always),
    ("rt_sigreturn", Some(15), Some(173), Rule::Always),
    ("ioctl", Some(16), Some(54), Rule::Where(&[Test::OneOf(1, TERMINAL_QUESTIONS)])),
    ("pread64", Some(17), Some(180), Rule::Always),
    ("pwrite64", Some(18), Some(181), Rule::Always),
    ("readv", Some(19), Some(145), Rule::Always),
    ("writev", Some(20), Some(146), Rule::Always),
    ("access", Some(21), Some(33), Rule::Always),
    ("pipe", Some(22), Some(42), Rule::Always),
    ("select", Some(23), Some(82), Rule::Always),
    ("sched_yield", Some(24), Some(158), Rule::Always),
    ("mremap", Some(25), Some(163), Rule::Always),
    ("msync", Some(26), Some(144), Rule::Always),
    ("mincore", Some(27), Some(218), Rule::Always),
    ("madvise", Some(28), Some(219), Rule::Always),
    ("dup", Some(32), Some(41), Rule::Always),
    ("dup2", Some(33), Some(63), Rule::Always),
    ("pause", Some(34), Some(29), Rule::Always),
    ("nanosleep", Some(35), Some(162), Rule::Always),
    ("getitimer", Some(36), Some(105), Rule::Always),
    ("alarm", Some(37), Some(27), Rule::Always),
    ("setitimer", Some(38), Some(104), Rule::Always),
    ("getpid", Some(39), Some(20), Rule::Always),
    ("exit", Some(60), Some(1), Rule::Always),
    ("uname", Some(63), Some(122), Rule::Always),
    ("fcntl", Some(72), Some(55), Rule::Where(&[Test::OneOf(1, OWN_FILE_REQUESTS)])),
    ("flock", Some(73), Some(143), Rule::Always),
    ("fsync", Some(74), Some(118), Rule::Always),
    ("fdatasync", Some(75), Some(148), Rule::Always),
    ("ftruncate", Some(77), Some(93), Rule::Always),
    ("getdents", Some(78), Some(141), Rule::Always),
    ("getcwd", Some(79), Some(183), Rule::Always),
    ("chdir", Some(80), Some(12), Rule::Always),
    ("fchdir", Some(81), Some(133), Rule::Always),
    ("mkdir", Some(83), Some(39), Rule::Always),
    ("rmdir", Some(84), Some(40), Rule::Always),
    ("creat", Some(85), Some(8), Rule::Always),
    ("link", Some(86), Some(9), Rule::Always),
    ("symlink", Some(88), Some(83), Rule::Always),
    ("readlink", Some(89), Some(85), Rule::Always),
    ("umask", Some(95), Some(60), Rule::Always),
    ("gettimeofday", Some(96), Some(78), Rule::Always),
    ("getrlimit", Some(97), Some(76), Rule::Always),
    ("getrusage", Some(98), Some(77), Rule::Always),
    ("sysinfo", Some(99), Some(116), Rule::Always),
    ("times", Some(100), Some(43), Rule::Always),
    ("getuid", Some(102), Some(24), Rule::Always),
    ("getgid", Some(104), Some(47), Rule::Always),
    ("geteuid", Some(107), Some(49), Rule::Always),
    ("getegid", Some(108), Some(50), Rule::Always),
    ("getppid", Some(110), Some(64), Rule::Always),
    ("getpgrp", Some(111), Some(65), Rule::Always),
    ("getgroups", Some(115), Some(80), Rule::Always),
    ("getresuid", Some(118), Some(165), Rule::Always),
    ("getresgid", Some(120), Some(171), Rule::Always),
    ("getpgid", Some(121), Some(132), Rule::Always),
    ("getsid", Some(124), Some(147), Rule::Always),
    ("capget", Some(125), Some(184), Rule::Always),
    ("rt_sigpending", Some(127), Some(176), Rule::Always),
    ("rt_sigtimedwait", Some(128), Some(177), Rule::Always),
    ("rt_sigsuspend", Some(130), Some(179), Rule::Always),
    ("sigaltstack", Some(131), Some(186), Rule::Always),
    ("statfs", Some(137), Some(99), Rule::Always),
    ("fstatfs", Some(138), Some(100), Rule::Always),
    ("getpriority", Some(140), Some(96), Rule::Always),
    ("arch_prctl", Some(158), Some(384), Rule::Always),
    ("gettid", Some(186), Some(224), Rule::Always),
    ("time", Some(201), Some(13), Rule::Always),
    ("futex", Some(202), Some(240), Rule::Always),
    ("sched_getaffinity", Some(204), Some(242), Rule::Always),
    ("set_tid_address", Some(218), Some(258), Rule::Always),
    ("fadvise64", Some(221), Some(250), Rule::Always),
    ("clock_gettime", Some(228), Some(265), Rule::Always),
    ("clock_getres", Some(229), Some(266), Rule::Always),
    ("clock_nanosleep", Some(230), Some(267), Rule::Always),
    ("exit_group", Some(231), Some(252), Rule::Always),
    ("openat", Some(257), Some(295), Rule::Where(&[Test::NoSilentTruncation(2), Test::Without(2, NAMELESS)])),
    ("mkdirat", Some(258), Some(296), Rule::Always),
    ("newfstatat", Some(262), None, Rule::Always),
    ("linkat", Some(265), Some(303), Rule::Always),
    ("symlinkat", Some(266), Some(304), Rule::Always),
    ("readlinkat", Some(267), Some(305), Rule::Always),
    ("faccessat", Some(269), Some(307), Rule::Always),
    ("pselect6", Some(270), Some(308), Rule::Always),
    ("ppoll", Some(271), Some(309), Rule::Always),
    ("set_robust_list", Some(273), Some(311), Rule::Always),
    ("dup3", Some(292), Some(330), Rule::Always),
    ("pipe2", Some(293), Some(331), Rule::Always),
    ("getrandom", Some(318), Some(355), Rule::Always),
    ("statx", Some(332), Some(383), Rule::Always),
    ("rseq", Some(334), Some(386), Rule::Always),
    ("faccessat2", Some(439), Some(439), Rule::Always),
    ("execve", Some(59), Some(11), Rule::Always),
    ("personality", Some(135), Some(136), Rule::Always),
    ("wait4", Some(61), Some(114), Rule::Always),
    ("waitid", Some(247), Some(284), Rule::Always),
    ("membarrier", Some(324), Some(375), Rule::Always),
    ("restart_syscall", Some(219), Some(0), Rule::Always),
    ("getdents64", Some(217), Some(220), Rule::Always),
    ("readahead", Some(187), Some(225), Rule::Always),
    ("prctl", Some(157), Some(172), Rule::Where(&[Test::Not(0, SET_PARENT_DEATH_SIGNAL)])),
    ("kill", Some(62), Some(37), Rule::Where(&[Test::Own(0)])),
    ("tgkill", Some(234), Some(270), Rule::Where(&[Test::Own(0)])),
    ("tkill", Some(200), Some(238), Rule::Where(&[Test::Own(0)])),
    ("prlimit64", Some(302), Some(340), Rule::Where(&[Test::OneOf(0, &[0]), Test::OneOf(2, &[0])])),
    ("clone", Some(56), Some(120), Rule::ForLeaks(&[Test::OneOf(0, &[LEAK_CHECKER])])),
    ("ptrace", Some(101), Some(26), Rule::ForLeaks(&[])),
    ("sched_getparam", Some(143), Some(155), Rule::Always),
    ("sched_getscheduler", Some(145), Some(157), Rule::Always),
    ("fstat64", None, Some(197), Rule::Always),
    ("stat64", None, Some(195), Rule::Always),
    ("lstat64", None, Some(196), Rule::Always),
    ("fstatat64", None, Some(300), Rule::Always),
    ("fcntl64", None, Some(221), Rule::Where(&[Test::OneOf(1, OWN_FILE_REQUESTS)])),
    ("_llseek", None, Some(140), Rule::Always),
    ("mmap2", None, Some(192), Rule::Always),
    ("ugetrlimit", None, Some(191), Rule::Always),
    ("getuid32", None, Some(199), Rule::Always),
    ("getgid32", None, Some(200), Rule::Always),
    ("geteuid32", None, Some(201), Rule::Always),
    ("getegid32", None, Some(202), Rule::Always),
    ("getgroups32", None, Some(205), Rule::Always),
    ("getresuid32", None, Some(209), Rule::Always),
    ("getresgid32", None, Some(211), Rule::Always),
    ("set_thread_area", Some(205), Some(243), Rule::Always),
    ("get_thread_area", Some(211), Some(244), Rule::Always),
    ("ftruncate64", None, Some(194), Rule::Always),
    ("statfs64", None, Some(268), Rule::Always),
    ("fstatfs64", None, Some(269), Rule::Always),
    ("fadvise64_64", None, Some(272), Rule::Always),
    ("sigreturn", None, Some(119), Rule::Always),
    ("sigaction", None, Some(67), Rule::Always),
    ("sigprocmask", None, Some(126), Rule::Always),
    ("sigpending", None, Some(73), Rule::Always),
    ("sigsuspend", None, Some(72), Rule::Always),
    ("signal", None, Some(48), Rule::Always),
    ("waitpid", None, Some(7), Rule::Always),
    ("_newselect", None, Some(142), Rule::Always),
    ("clock_gettime64", None, Some(403), Rule::Always),
    ("clock_getres_time64", None, Some(406), Rule::Always),
    ("clock_nanosleep_time64", None, Some(407), Rule::Always),
    ("pselect6_time64", None, Some(413), Rule::Always),
    ("ppoll_time64", None, Some(414), Rule::Always),
    ("futex_time64", None, Some(422), Rule::Always),
    ("rt_sigtimedwait_time64", None, Some(421), Rule::Always),
    ("oldolduname", None, Some(59), Rule::Always),
    ("olduname", None, Some(109), Rule::Always),
];

const X86_64: u32 = 0xc000_003e;
const I386: u32 = 0x4000_0003;

/// Offsets in what the kernel gives the filter.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
fn argument(index: u32) -> u32 {
    16 + 8 * index
}

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const AND: u16 = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const JUMP: u16 = (libc::BPF_JMP | libc::BPF_JA) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
const REFUSE: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;

fn statement(code: u16, k: u32) -> sock_filter {
    sock_filter { code, jt: 0, jf: 0, k }
}

/// If the accumulator is `k`, skips `yes` instructions, otherwise `no`.
fn branch(k: u32, yes: u8, no: u8) -> sock_filter {
    sock_filter { code: EQUAL, jt: yes, jf: no, k }
}

/// A filter for one process, made before the process is.
#[derive(Clone)]
pub(crate) struct Filter {
    instructions: Vec<sock_filter>,
}

impl Filter {
    /// `None`: this processor's calls are not known here.
    pub(crate) fn new(leaks: bool) -> Option<Filter> {
        if !cfg!(target_arch = "x86_64") {
            return None;
        }
        let wide = calls(leaks, |row| row.1);
        let narrow = calls(leaks, |row| row.2);
        let mut instructions = vec![
            statement(LOAD, ARCHITECTURE),
            branch(X86_64, 3, 0),
            branch(I386, 1, 0),
            statement(RETURN, libc::SECCOMP_RET_KILL_PROCESS),
            // Over the wide ones, which is too far for a branch.
            statement(JUMP, wide.len() as u32),
        ];
        instructions.extend(wide);
        instructions.extend(narrow);
        Some(Filter { instructions })
    }

    /// Holds the calling process to it. Makes no allocation, and no call but two.
    pub(crate) fn apply(&mut self) -> std::io::Result<()> {
        let own = std::process::id();
        self.instructions.iter_mut().filter(|i| i.code == EQUAL && i.k == OWN_NUMBER).for_each(|i| i.k = own);
        let program = libc::sock_fprog { len: self.instructions.len() as u16, filter: self.instructions.as_mut_ptr() };
        // SAFETY: the program lives until the call returns; the kernel copies it.
        let refused = unsafe {
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
                || libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &program) != 0
        };
        if refused { Err(std::io::Error::last_os_error()) } else { Ok(()) }
    }
}

/// The calls of one architecture: each is compared with the number, tested, allowed; what is left is refused.
fn calls(leaks: bool, number: impl Fn(&(&str, Option<u32>, Option<u32>, Rule)) -> Option<u32>) -> Vec<sock_filter> {
    let mut out = vec![statement(LOAD, NUMBER)];
    for row in CALLS {
        let tests = match row.3 {
            Rule::Always => &[][..],
            Rule::Where(tests) => tests,
            Rule::ForLeaks(tests) if leaks => tests,
            Rule::ForLeaks(_) => continue,
        };
        let Some(number) = number(row) else { continue };
        let mut allowed = tested(tests);
        allowed.push(statement(RETURN, ALLOW));
        out.push(branch(number, 0, allowed.len() as u8));
        out.extend(allowed);
    }
    out.push(statement(RETURN, REFUSE));
    out
}

/// Falls through where all tests hold, and refuses where one does not.
fn tested(tests: &[Test]) -> Vec<sock_filter> {
    let refuse = || statement(RETURN, REFUSE);
    let mut out = Vec::new();
    for test in tests {
        match *test {
            Test::OneOf(index, values) => {
                // A zero pointer is zero in both halves.
                if values == [0] {
                    out.extend([statement(LOAD, argument(index) + 4), branch(0, 1, 0), refuse()]);
                }
                out.push(statement(LOAD, argument(index)));
                for (i, value) in values.iter().enumerate() {
                    out.push(branch(*value, (values.len() - i) as u8, 0));
                }
                out.push(refuse());
            }
            Test::Not(index, value) => out.extend([statement(LOAD, argument(index)), branch(value, 0, 1), refuse()]),
            Test::Without(index, bits) => {
                out.extend([statement(LOAD, argument(index)), statement(AND, bits), branch(0, 1, 0), refuse()]);
            }
            Test::Own(index) => out.extend([statement(LOAD, argument(index)), branch(OWN_NUMBER, 1, 0), refuse()]),
            Test::NoSilentTruncation(index) => out.extend([
                statement(LOAD, argument(index)),
                statement(AND, libc::O_TRUNC as u32),
                branch(0, 4, 0),
                statement(LOAD, argument(index)),
                statement(AND, libc::O_ACCMODE as u32),
                branch(libc::O_RDONLY as u32, 0, 1),
                refuse(),
            ]),
        }
    }
    out
}

/// Whether the kernel has such filters.
pub(crate) fn is_there() -> bool {
    // SAFETY: without a filter the call only asks; a null pointer is answered by EFAULT where filters are known.
    let answer = unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, std::ptr::null::<u8>()) };
    answer == -1 && std::io::Error::last_os_error().raw_os_error() == Some(libc::EFAULT)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter answers to a call, computed as the kernel does.
    fn answer(filter: &Filter, architecture: u32, number: u32, arguments: [u64; 6]) -> u32 {
        let mut data = Vec::new();
        data.extend(number.to_le_bytes());
        data.extend(architecture.to_le_bytes());
        data.extend([0; 8]);
        arguments.iter().for_each(|a| data.extend(a.to_le_bytes()));
        let (mut accumulator, mut at) = (0, 0);
        loop {
            let i = filter.instructions[at];
            at += 1;
            match i.code {
                LOAD => accumulator = u32::from_le_bytes(data[i.k as usize..][..4].try_into().unwrap()),
                AND => accumulator &= i.k,
                EQUAL => at += usize::from(if accumulator == i.k { i.jt } else { i.jf }),
                JUMP => at += i.k as usize,
                RETURN => return i.k,
                code => panic!("no such instruction: {code}"),
            }
        }
    }

    #[test]
    fn what_is_allowed() {
        let filter = Filter::new(false).unwrap();
        let wide = |number, arguments| answer(&filter, X86_64, number, arguments);
        let narrow = |number, arguments| answer(&filter, I386, number, arguments);
        let none = [0; 6];
        for row in CALLS.iter().filter(|row| matches!(row.3, Rule::Always)) {
            assert!(row.1.is_none_or(|n| wide(n, none) == ALLOW), "{}", row.0);
            assert!(row.2.is_none_or(|n| narrow(n, none) == ALLOW), "{}", row.0);
        }
        // socket, fork, vfork, clone3, setsid, chmod, ptrace, io_uring_setup, truncate; unlink, rename and their relatives.
        for number in [41, 57, 58, 435, 112, 90, 101, 425, 76, 87, 263, 82, 264, 316] {
            assert_eq!(wide(number, none), REFUSE, "{number}");
        }
        // fork, socketcall, chmod, setsid, ipc; unlink, rename and their relatives.
        for number in [2, 102, 15, 66, 117, 10, 301, 38, 302, 353] {
            assert_eq!(narrow(number, none), REFUSE, "{number}");
        }
        assert_eq!(answer(&filter, 0xc000_00b7, 0, none), libc::SECCOMP_RET_KILL_PROCESS);
        // x32 calls have a bit of their own.
        assert_eq!(wide(0x4000_0000, none), REFUSE);
    }

    #[test]
    fn arguments_are_looked_at() {
        let filter = Filter::new(false).unwrap();
        let wide = |number, arguments| answer(&filter, X86_64, number, arguments);
        let (open, kill, prctl, prlimit, clone) = (2, 62, 157, 302, 56);
        let (read, cut) = (libc::O_RDONLY as u64, libc::O_TRUNC as u64);
        assert_eq!(wide(open, [0, read, 0, 0, 0, 0]), ALLOW);
        assert_eq!(wide(open, [0, libc::O_WRONLY as u64 | cut, 0, 0, 0, 0]), ALLOW);
        assert_eq!(wide(open, [0, read | cut, 0, 0, 0, 0]), REFUSE);
        assert_eq!(wide(open, [0, libc::O_DIRECTORY as u64, 0, 0, 0, 0]), ALLOW);
        assert_eq!(wide(open, [0, libc::O_TMPFILE as u64 | libc::O_RDWR as u64, 0, 0, 0, 0]), REFUSE);
        assert_eq!(wide(kill, [1, 9, 0, 0, 0, 0]), REFUSE);
        assert_eq!(wide(kill, [u64::from(OWN_NUMBER), 9, 0, 0, 0, 0]), ALLOW);
        assert_eq!(wide(prctl, [1, 0, 0, 0, 0, 0]), REFUSE);
        assert_eq!(wide(prctl, [15, 0, 0, 0, 0, 0]), ALLOW);
        assert_eq!(wide(prlimit, [0, 7, 0, 99, 0, 0]), ALLOW);
        assert_eq!(wide(prlimit, [0, 7, 1 << 40, 99, 0, 0]), REFUSE);
        assert_eq!(wide(prlimit, [1, 7, 0, 99, 0, 0]), REFUSE);
        assert_eq!(wide(clone, [u64::from(LEAK_CHECKER), 0, 0, 0, 0, 0]), REFUSE);
        let leaks = Filter::new(true).unwrap();
        assert_eq!(answer(&leaks, X86_64, clone, [u64::from(LEAK_CHECKER), 0, 0, 0, 0, 0]), ALLOW);
        assert_eq!(answer(&leaks, X86_64, clone, [0x11, 0, 0, 0, 0, 0]), REFUSE);
    }
}
