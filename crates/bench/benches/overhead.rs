//! What the bench costs for each task beyond the task itself: a hundred tasks that answer at once (a shell script).
//! The figure is in `docs/measured.md`; less than 20 ms is wanted.

use bench::local::Local;
use bench::record::Results;
use bench::{Limits, Progress, Record, Task};
use divan::Bencher;
use divan::counter::ItemsCount;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

fn main() {
    divan::main();
}

struct Quiet;

impl Progress for Quiet {
    fn done(&mut self, _: &Record, _: usize, _: usize) {}

    fn note(&mut self, _: &str) {}
}

fn task(number: usize) -> Task {
    Task {
        name: format!("set/{number}"),
        files: vec!["none.c".into()],
        property: "unreach-call".into(),
        expected: Some(true),
        subproperty: String::new(),
        data_model: "lp64".into(),
        arguments: Vec::new(),
    }
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn hundred_tasks(bencher: Bencher<'_, '_>) {
    let folder = std::env::temp_dir().join(format!("foldback-overhead-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for results");
    let binary = folder.join("answer");
    std::fs::write(&binary, "#!/bin/sh\necho 'RESULT: true'\n").expect("a script");
    std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o755)).expect("a script that can be run");
    let tasks: Vec<Task> = (0..100).map(task).collect();
    let limits = Limits { cpu: Duration::from_secs(10), memory_bytes: 1 << 30 };
    let local = Local { binary, limits, arguments: Vec::new(), jobs: 1 };
    let table = folder.join("results.csv");
    bencher.counter(ItemsCount::new(tasks.len())).bench_local(|| {
        // Results that are there already are not asked for again.
        let _ = std::fs::remove_file(&table);
        let mut results = Results::open(&table).expect("a new table");
        bench::run(&local, &["e".into()], &tasks, &mut results, &mut Quiet).expect("results");
        assert!(results.records.iter().all(|record| record.verdict == "true"));
    });
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}
