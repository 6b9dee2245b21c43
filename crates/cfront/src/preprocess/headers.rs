//! The bundled headers. Plain C sees the user's own and these: the result is the same for ILP32 and LP64 on any machine. Only
//! what is in neither is taken from the machine's own include folders, and the answer says so.

macro_rules! headers {
    ($($name:literal),* $(,)?) => {
        /// Name and text, in order of names.
        const HEADERS: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../include/", $name)))),*];
    };
}

headers![
    "alloca.h",
    "arpa/inet.h",
    "assert.h",
    "bits/file-constants.h",
    "bits/posix-types.h",
    "bits/pthreadtypes.h",
    "bits/size_t.h",
    "bits/stat.h",
    "bits/stdint-intn.h",
    "bits/terminals.h",
    "bits/time-types.h",
    "bits/types.h",
    "bits/types/__sigset_t.h",
    "bits/types/locale_t.h",
    "bits/types/siginfo_t.h",
    "bits/types/sigset_t.h",
    "bits/types/sigval_t.h",
    "bits/types/struct_sched_param.h",
    "bits/waitmacros.h",
    "byteswap.h",
    "complex.h",
    "ctype.h",
    "dirent.h",
    "dlfcn.h",
    "endian.h",
    "err.h",
    "errno.h",
    "fcntl.h",
    "features.h",
    "fenv.h",
    "float.h",
    "fnmatch.h",
    "getopt.h",
    "grp.h",
    "inttypes.h",
    "iso646.h",
    "klee/klee.h",
    "langinfo.h",
    "libgen.h",
    "limits.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "netdb.h",
    "netinet/in.h",
    "netinet/tcp.h",
    "poll.h",
    "predefined.h",
    "pthread.h",
    "pwd.h",
    "regex.h",
    "sched.h",
    "search.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdio_ext.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/cdefs.h",
    "sys/file.h",
    "sys/ioctl.h",
    "sys/mman.h",
    "sys/param.h",
    "sys/poll.h",
    "sys/resource.h",
    "sys/select.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/time.h",
    "sys/times.h",
    "sys/types.h",
    "sys/uio.h",
    "sys/un.h",
    "sys/utsname.h",
    "sys/wait.h",
    "syslog.h",
    "termios.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "unistd.h",
    "utime.h",
    "wchar.h",
    "wctype.h",
];

/// Where the machine keeps its headers.
pub(super) const SYSTEM_DIRS: [&str; 3] = ["/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include"];

/// What every program starts with: the macros that describe compiler and machine.
pub(super) const PREDEFINED: &str = "predefined.h";

/// The text of a bundled header.
pub(super) fn bundled(name: &str) -> Option<&'static str> {
    let index = HEADERS.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    Some(HEADERS[index].1)
}

#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    HEADERS.iter().map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_header_is_found() {
        assert!(HEADERS.iter().all(|(name, text)| bundled(name) == Some(text)));
        assert!(bundled("windows.h").is_none());
    }
}
