//! A look at the input files before the front end gets them: what is certainly no C program is refused with its reason.

use std::fs;
use std::io::Read;
use std::path::Path;

/// Larger files are refused: nothing of that size can be verified, and reading it would only use up memory.
const LARGEST: u64 = 64 << 20;

/// Says what is wrong with the file at `path`, if it is plain to see.
pub(crate) fn check(path: &Path) -> Result<(), String> {
    let shown = path.display();
    let metadata = fs::metadata(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => format!("no such file: {shown}"),
        _ => format!("cannot read {shown}: {e}"),
    })?;
    if metadata.is_dir() {
        return Err(format!("{shown} is a directory: give the C files themselves"));
    }
    if metadata.len() > LARGEST {
        let (size, limit) = (metadata.len() >> 20, LARGEST >> 20);
        return Err(format!("{shown} is too large: {size} MB, and the limit is {limit} MB"));
    }
    let mut text = Vec::new();
    let file = fs::File::open(path).map_err(|e| format!("cannot read {shown}: {e}"))?;
    // Devices and pipes have no size: read no more than the limit from them either.
    file.take(LARGEST + 1).read_to_end(&mut text).map_err(|e| format!("cannot read {shown}: {e}"))?;
    if text.len() as u64 > LARGEST {
        return Err(format!("{shown} is too large: the limit is {} MB", LARGEST >> 20));
    }
    if text.iter().all(u8::is_ascii_whitespace) {
        return Err(format!("{shown} is empty"));
    }
    if text.contains(&0) {
        return Err(format!("{shown} is not a text file (it contains zero bytes)"));
    }
    Ok(())
}
