//! What the bench costs for each task beyond the task itself.

use bench::local::Local;
use bench::record::Results;
use bench::{Limits, Progress, Record, Task};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

/// Notes when results come.
struct Clock(Vec<Instant>);

impl Progress for Clock {
    fn done(&mut self, _: &Record, _: usize, _: usize) {
        self.0.push(Instant::now());
    }

    fn note(&mut self, _: &str) {}
}

#[test]
fn a_task_that_answers_at_once_takes_less_than_20_ms() {
    let folder = std::env::temp_dir().join(format!("foldback-overhead-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let binary = folder.join("answer");
    std::fs::write(&binary, "#!/bin/sh\necho 'RESULT: true'\n").unwrap();
    std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o755)).unwrap();
    let task = |n: usize| Task {
        name: format!("set/{n}"),
        files: vec!["none.c".into()],
        property: "unreach-call".into(),
        expected: Some(true),
        subproperty: String::new(),
        data_model: "lp64".into(),
        arguments: Vec::new(),
    };
    let tasks: Vec<Task> = (0..100).map(task).collect();
    let limits = Limits { cpu: Duration::from_secs(10), memory_bytes: 1 << 30 };
    let local = Local { binary, limits, arguments: Vec::new(), jobs: 1 };
    let mut results = Results::open(&folder.join("results.csv")).unwrap();
    let mut clock = Clock(vec![Instant::now()]);
    bench::run(&local, &["e".into()], &tasks, &mut results, &mut clock).unwrap();
    assert!(results.records.iter().all(|record| record.verdict == "true"));
    let mut steps: Vec<Duration> = clock.0.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.sort();
    assert_eq!(steps.len(), tasks.len());
    // Of all steps the faster ones: others wait for a busy machine.
    assert!(steps[25] < Duration::from_millis(20), "{steps:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}
