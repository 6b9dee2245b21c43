//! A fixed stretch of random programs, all engines: no disagreement with exhaustive execution, no failed check.

use fuzz::hunt::{Bounds, hunt};
use std::time::Duration;
use verifier::Cancellation;

/// So many, however long it takes.
const PROGRAMS: usize = 10;
/// From here on there are programs of all kinds.
const SEED: u64 = 100;

#[test]
fn engines_agree_with_exhaustive_execution() {
    let engines = ["absint", "bmc", "kind", "se", "portfolio"];
    let bounds = Bounds { programs: PROGRAMS, faults: usize::MAX, time: Duration::from_secs(600) };
    let report = hunt(&engines, SEED, &bounds, &Cancellation::new(), &mut |_| {}).expect("a temporary folder");
    let faults = report.faults.iter().map(|f| format!("seed {}: {} {}\n{}", f.seed, f.engine, f.what, f.program));
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(report.programs, PROGRAMS, "the machine is too slow");
    // A hunt that finds nothing because nothing is ever answered would prove nothing.
    assert!(report.safe > 0 && report.unsafe_ > 0, "{report:?}");
    for (engine, right) in &report.right {
        assert!(*right > 0, "{engine} never answers");
    }
}
