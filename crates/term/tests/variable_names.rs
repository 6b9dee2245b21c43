//! Names of variables survive SMT-LIB text.

#[path = "../src/smtlib/names.rs"]
mod names;

use names::{decode, encode};

#[test]
fn names_survive_the_round_trip() {
    for name in ["x", "select", "a b", "and~", "main::x", "x!3", "bvadd", "~", "1st", "@y"] {
        let text = encode(name);
        let bare = text.strip_prefix('|').and_then(|t| t.strip_suffix('|')).unwrap_or(&text);
        assert_eq!(decode(bare), name);
    }
    assert_eq!(encode("x"), "x");
    assert_eq!(encode("select"), "select~");
    assert_eq!(encode("a b"), "|a b|");
}
