//! The bundled headers. Plain C sees these and the user's own, never the machine's: the result is the same for ILP32 and
//! LP64 on any machine.

macro_rules! headers {
    ($($name:literal),* $(,)?) => {
        /// Name and text, in order of names.
        const HEADERS: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../include/", $name)))),*];
    };
}

headers![
    "alloca.h",
    "assert.h",
    "complex.h",
    "ctype.h",
    "errno.h",
    "fcntl.h",
    "fenv.h",
    "float.h",
    "getopt.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "predefined.h",
    "pthread.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/cdefs.h",
    "sys/stat.h",
    "sys/time.h",
    "sys/types.h",
    "time.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
];

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
