//! What all witnesses begin with. The uuid is made from the content: the same answer has the same witness.

use crate::Task;
use crate::files::{Place, hex};
use crate::yaml::quoted;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// The whole file: one entry. `content` is indented as the value of a key of the entry.
pub(crate) fn entry(task: &Task, entry_type: &str, description: Option<&str>, content: &str) -> String {
    let mut about = String::from("    task:\n      input_files:\n");
    for file in &task.files {
        let _ = writeln!(about, "        - {}", quoted(&file.name));
    }
    about += "      input_file_hashes:\n";
    for file in &task.files {
        let _ = writeln!(about, "        {}: {}", quoted(&file.name), quoted(&file.hash));
    }
    let _ = writeln!(about, "      specification: {}", quoted(task.specification.trim_end()));
    let _ = writeln!(about, "      data_model: {}\n      language: \"C\"", quoted(&task.data_model));

    let version = task.version.name();
    let uuid = uuid(&[entry_type, version, description.unwrap_or_default(), &about, content]);
    let mut text = format!("- entry_type: {entry_type}\n  metadata:\n    format_version: {}\n", quoted(version));
    let _ = writeln!(text, "    uuid: {}", quoted(&uuid));
    let _ = writeln!(text, "    creation_time: {}", quoted(&task.creation_time));
    let _ = writeln!(text, "    producer:\n      name: \"foldback\"\n      version: {}", quoted(VERSION));
    if let Some(description) = description {
        let _ = writeln!(text, "      description: {}", quoted(description));
    }
    text + &about + content
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// RFC 4122, by name.
fn uuid(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let mut bytes: Vec<u8> = hash.finalize().iter().copied().take(16).collect();
    bytes[6] = (bytes[6] & 0x0f) | 0x50;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let digits = hex(&bytes);
    format!("{}-{}-{}-{}-{}", &digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..])
}

/// A `location:` with its lines indented by `indent` blanks. Without a column it means the first place on the line.
pub(crate) fn location(place: &Place, with_column: bool, function: &str, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let mut text = format!("{pad}location:\n{pad}  file_name: {}\n{pad}  line: {}\n", quoted(&place.file), place.line);
    if with_column {
        let _ = writeln!(text, "{pad}  column: {}", place.column);
    }
    let _ = writeln!(text, "{pad}  function: {}", quoted(function));
    text
}

/// The time so many seconds after the beginning of 1970, in UTC.
pub fn iso8601(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March, in cycles of 400.
    let shifted = days + 719_468;
    let (cycle, day) = (shifted / 146_097, shifted % 146_097);
    let year_of_cycle = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = cycle * 400 + year_of_cycle + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day_of_month:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(iso8601(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso8601(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso8601(1_700_000_000), "2023-11-14T22:13:20Z");
    }

    #[test]
    fn uuids_have_their_form() {
        let id = uuid(&["a", "b"]);
        assert_eq!(id.len(), 36);
        assert_eq!(&id[14..15], "5");
        assert_ne!(id, uuid(&["ab", ""]));
    }
}
