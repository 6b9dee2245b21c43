//! Compressed files, and hashes of what is in them.

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::io::{Read, Write};

/// Always the same bytes for the same contents: the header has neither a time nor a name.
pub(crate) fn pack(contents: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(contents).expect("memory can be written to");
    encoder.finish().expect("memory can be written to")
}

/// The contents, if they are at most so many bytes.
pub(crate) fn unpack(packed: &[u8], most: u64) -> Result<Vec<u8>, String> {
    let mut contents = Vec::new();
    let mut decoder = GzDecoder::new(packed).take(most.saturating_add(1));
    decoder.read_to_end(&mut contents).map_err(|error| format!("it is not compressed as it should be: {error}"))?;
    if contents.len() as u64 > most {
        return Err(format!("it has more than {most} bytes"));
    }
    Ok(contents)
}

pub(crate) fn sha256(contents: &[u8]) -> String {
    Sha256::digest(contents).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_survive_and_bombs_do_not_go_off() {
        let zeros = vec![0; 10_000_000];
        let packed = pack(&zeros);
        assert!(packed.len() < 20_000);
        assert_eq!(unpack(&packed, 10_000_000).as_deref(), Ok(&zeros[..]));
        assert!(unpack(&packed, 9_999_999).is_err());
        for cut in 0..packed.len().min(200) {
            assert!(unpack(&packed[..cut], 20_000_000).is_err(), "{cut}");
        }
        assert!(unpack(b"plain", 100).is_err());
    }
}
