//! The table of names of other verifiers.

use lower::dialect::{family, names};

#[test]
fn families() {
    assert_eq!(family("__CPROVER_assume"), Some("CBMC"));
    assert_eq!(family("klee_anything"), Some("KLEE"));
    assert_eq!(family("kleenex"), None);
}

#[test]
fn names_are_known_once() {
    for (i, name) in names().enumerate() {
        assert!(family(name).is_some(), "{name}");
        assert!(names().take(i).all(|other| other != name), "{name}");
    }
}
