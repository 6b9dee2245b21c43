//! Programs of our own with their bugs behind millions of iterations, in the manner of the paper's table.

use crate::common::{ask, prepared_file};
use engine::Question;
use std::path::Path;

#[test]
fn deep_bugs_are_proved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    for name in [
        "array1",
        "const1",
        "diamond1",
        "fig2a",
        "overflow1",
        "phases1",
        "phases2",
        "two_counters",
        "underapprox1",
        "quarters",
        "remainder",
        "cell",
        "nodes",
        "inputs_in_loop",
        "offset",
    ] {
        let mut answered = ask(&prepared_file(&folder.join(format!("{name}.c"))), Question::Reach, 60);
        assert!(matches!(answered.verdict, engine::Verdict::Unsafe(_)), "{name}: {:?}", answered.verdict);
        answered.danger();
    }
}
