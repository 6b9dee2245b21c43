//! Files as editors name them: `file:///tmp/a%20b.c`.

use lsp_types::Uri;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Nothing for what is no file.
pub(crate) fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::with_capacity(path.len());
    let mut given = path.bytes();
    while let Some(byte) = given.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                let (high, low) = (digit(given.next())?, digit(given.next())?);
                (high * 16 + low) as u8
            }
            other => other,
        });
    }
    Some(OsString::from_vec(bytes).into())
}

pub(crate) fn of(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => uri.push(char::from(*byte)),
            other => uri += &format!("%{other:02X}"),
        }
    }
    uri
}

/// For messages. What [`of`] makes, and what clients send, is a URI.
pub(crate) fn parsed(uri: &str) -> Option<Uri> {
    uri.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for name in ["/tmp/a.c", "/tmp/a b/ü%.c"] {
            assert_eq!(path(&of(Path::new(name))), Some(PathBuf::from(name)));
            assert!(parsed(&of(Path::new(name))).is_some());
        }
        assert_eq!(path("file://host/a.c"), Some(PathBuf::from("/a.c")));
        for none in ["untitled:1", "file:", "file:///%4", "file:///%zz"] {
            assert_eq!(path(none), None, "{none}");
        }
    }
}
