//! Results as Markdown tables: for the terminal and for docs/.

use crate::page::Other;
use crate::record::{Checked, Record, Status};
use crate::score::{Sum, cross, engines};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The folder in the set that a task is in.
fn group(task: &str) -> String {
    let parts: Vec<&str> = task.split('/').collect();
    if parts.len() > 2 { parts[..2].join("/") } else { parts[0].to_owned() }
}

fn set(task: &str) -> String {
    task.split('/').next().unwrap_or("").to_owned()
}

/// A row per set and engine, then one per folder in it.
pub fn summary(records: &[Record]) -> String {
    let mut text = String::from(
        "| set | engine | tasks | solved | safe solved | unsafe solved | wrong | points | median s |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut done = BTreeSet::new();
    for by in [set as fn(&str) -> String, group] {
        let mut rows: BTreeMap<(String, usize), Vec<&Record>> = BTreeMap::new();
        let engines = engines(records);
        for record in records {
            let index = engines.iter().position(|e| *e == record.engine).unwrap_or(0);
            rows.entry((by(&record.task), index)).or_default().push(record);
        }
        // A set whose tasks are in no folder has its row already.
        rows.retain(|row, _| done.insert(row.clone()));
        for ((name, engine), records) in rows {
            let sum = Sum::of(records);
            let median = sum.median().map_or_else(|| "-".into(), |m| format!("{m:.2}"));
            let _ = writeln!(
                text,
                "| {name} | {} | {} | {} ({:.0} %) | {} of {} | {} of {} | {} | {} | {median} |",
                engines[engine],
                sum.tasks,
                sum.solved(),
                sum.percent(),
                sum.safe_solved,
                sum.safe,
                sum.unsafe_solved,
                sum.tasks - sum.safe,
                sum.wrong,
                sum.points,
            );
        }
    }
    text
}

/// How a verdict begins that would be `true` if its check had come to its end.
const NOT_CHECKED: &str = "unknown(found true by ";

/// How proofs were checked, a row per set and engine. Finding is all of a run's CPU time but for the check.
pub fn checks(records: &[Record]) -> String {
    let mut text = String::from(
        "| set | engine | found true | checked | before simplification | median check s | median check / find |\n|---|---|---:|---:|---:|---:|---:|\n",
    );
    let mut rows: BTreeMap<(String, usize), Vec<&Record>> = BTreeMap::new();
    let engines = engines(records);
    let is_found = |record: &&Record| record.verdict == "true" || record.verdict.starts_with(NOT_CHECKED);
    for record in records.iter().filter(is_found) {
        let index = engines.iter().position(|e| *e == record.engine).unwrap_or(0);
        rows.entry((set(&record.task), index)).or_default().push(record);
    }
    rows.retain(|_, records| records.iter().any(|record| record.checked.is_some()));
    if rows.is_empty() {
        return String::new();
    }
    for ((name, engine), records) in rows {
        let median = |value: fn(&Record) -> f64| {
            let mut values: Vec<f64> =
                records.iter().filter(|record| record.checked.is_some()).map(|record| value(record)).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        let (all, checked) = (records.len(), records.iter().filter(|r| r.checked.is_some()).count());
        let before = records.iter().filter(|r| r.checked == Some(Checked::BeforeSimplification)).count();
        let percent = |part: usize| 100.0 * part as f64 / all as f64;
        let _ = writeln!(
            text,
            "| {name} | {} | {all} | {checked} ({:.0} %) | {before} ({:.0} %) | {:.3} | {:.2} |",
            engines[engine],
            percent(checked),
            percent(before),
            median(|r| r.check_seconds),
            median(|r| r.check_seconds / (r.cpu_seconds - r.check_seconds).max(0.001)),
        );
    }
    text
}

/// All that there is to say about results, other results and what came to nothing.
pub fn all(records: &[Record], others: &[Other]) -> String {
    let mut text = summary(records);
    let checks = checks(records);
    if !checks.is_empty() {
        let _ = write!(text, "\nhow proofs were checked:\n\n{checks}");
    }
    let cross = cross_table(records);
    if !cross.is_empty() {
        let _ = write!(text, "\n{cross}");
    }
    for other in others {
        let _ = write!(text, "\ncompared with {}:\n\n{}", other.name, comparison(records, &other.records));
    }
    let failed = failed(records);
    if !failed.is_empty() {
        let _ = write!(text, "\nruns that came to nothing:\n\n- {}\n", failed.join("\n- "));
    }
    text
}

/// "Solved by the row's engine, not by the column's."
pub fn cross_table(records: &[Record]) -> String {
    let engines = engines(records);
    if engines.len() < 2 {
        return String::new();
    }
    let mut text =
        format!("| solved by row, not by column | {} |\n|---|{}\n", engines.join(" | "), "---:|".repeat(engines.len()));
    for (engine, row) in engines.iter().zip(cross(records)) {
        let cells: Vec<String> = row.iter().map(usize::to_string).collect();
        let _ = writeln!(text, "| {engine} | {} |", cells.join(" | "));
    }
    text
}

/// The wrong answers, a line each.
pub fn wrong(records: &[Record]) -> Vec<String> {
    let wrong = records.iter().filter(|r| r.status() == Status::Wrong);
    wrong.map(|r| format!("{}: {} says {}, expected {}", r.task, r.engine, r.verdict, r.expected)).collect()
}

/// The runs that came to nothing, a line each, the first ones.
pub fn failed(records: &[Record]) -> Vec<String> {
    const MOST: usize = 20;
    let failed: Vec<&Record> = records.iter().filter(|r| r.has_failed()).collect();
    let line = |r: &&Record| format!("{}: {}: {}", r.task, r.engine, r.verdict);
    let more = failed.len().checked_sub(MOST + 1).map(|n| format!("... and {} more", n + 1));
    failed.iter().take(MOST).map(line).chain(more).collect()
}

/// What other results have on the same tasks: solved by each, and the ratio of CPU times where both solve.
pub fn comparison(ours: &[Record], theirs: &[Record]) -> String {
    let mut text = String::from(
        "| engine | other | common tasks | solved | other solved | only engine | only other | median s | other median s |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for engine in engines(ours) {
        for other in engines(theirs) {
            let by_task: BTreeMap<String, &Record> =
                theirs.iter().filter(|r| r.engine == other).map(|r| (stem(&r.task), r)).collect();
            let pairs: Vec<(&Record, &Record)> = ours
                .iter()
                .filter(|r| r.engine == engine)
                .filter_map(|r| Some((r, *by_task.get(&stem(&r.task))?)))
                .collect();
            let right = |r: &Record| r.status() == Status::Right;
            let both: Vec<&(&Record, &Record)> = pairs.iter().filter(|(a, b)| right(a) && right(b)).collect();
            let median = |times: Vec<f64>| {
                let mut times = times;
                times.sort_by(f64::total_cmp);
                times.get(times.len() / 2).map_or_else(|| "-".into(), |m| format!("{m:.2}"))
            };
            let _ = writeln!(
                text,
                "| {engine} | {other} | {} | {} | {} | {} | {} | {} | {} |",
                pairs.len(),
                pairs.iter().filter(|(a, _)| right(a)).count(),
                pairs.iter().filter(|(_, b)| right(b)).count(),
                pairs.iter().filter(|(a, b)| right(a) && !right(b)).count(),
                pairs.iter().filter(|(a, b)| !right(a) && right(b)).count(),
                median(both.iter().map(|(a, _)| a.wall_seconds).collect()),
                median(both.iter().map(|(_, b)| b.wall_seconds).collect()),
            );
        }
    }
    text
}

/// Other tools name tasks by their program, we by their definition.
fn stem(task: &str) -> String {
    let name = task.rsplit_once('.').map_or(task, |(stem, _)| stem);
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(verdict: &str, checked: Option<Checked>, cpu_seconds: f64, check_seconds: f64) -> Record {
        Record {
            engine: "portfolio".into(),
            task: "set/folder/task".into(),
            expected: "true".into(),
            verdict: verdict.into(),
            cpu_seconds,
            wall_seconds: cpu_seconds,
            memory_mb: 1.0,
            checked,
            check_seconds,
        }
    }

    #[test]
    fn checks_are_counted_by_program_and_compared_with_finding() {
        let records = [
            record("true", Some(Checked::BeforeSimplification), 1.0, 0.2),
            record("true", Some(Checked::AfterSimplification), 1.0, 0.5),
            record("true", Some(Checked::BeforeSimplification), 0.3, 0.1),
            record("unknown(found true by kind, not checked: time)", None, 9.0, 0.0),
            record("unknown(time limit)", None, 9.0, 0.0),
        ];
        let table = checks(&records);
        assert!(table.ends_with("| set | portfolio | 4 | 3 (75 %) | 2 (50 %) | 0.200 | 0.50 |\n"), "{table}");
        assert_eq!(checks(&records[4..]), "");
    }
}
