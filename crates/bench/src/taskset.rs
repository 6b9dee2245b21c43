//! What is to be run: tasks with known answers, from a folder's `index.csv`, from task definitions (`.yml`, format 2.0)
//! or from `.set` files that list them.
//!
//! Conventions come from the columns, never from names: a task whose error function is TRACER's `_ABORT(c)` reads its
//! inputs from uninitialised globals, and so does one with marked lines, which is checked on those lines only. Several properties
//! are asked for together, an entry function, definitions and failing allocations where there are columns for them.

use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use yaml_rust2::{Yaml, YamlLoader};

/// One program, one property, and the expected answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Task {
    /// The task set's name, then the path in it: unique.
    pub name: String,
    pub files: Vec<PathBuf>,
    /// As `--property` takes it.
    pub property: String,
    pub expected: Option<bool>,
    /// The part of memory safety that is violated.
    pub subproperty: String,
    pub data_model: String,
    /// Further arguments that the task's conventions ask for.
    pub arguments: Vec<String>,
}

impl Task {
    /// The folder in the set: results are summed up by it.
    pub fn group(&self) -> &str {
        let mut parts = self.name.splitn(3, '/');
        let (set, folder) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        if parts.next().is_some() { &self.name[..set.len() + 1 + folder.len()] } else { set }
    }

    pub fn set(&self) -> &str {
        self.name.split('/').next().unwrap_or("")
    }

    /// Whether the task is in the fixed sample of so many percent: by a hash of its name, so that every run and every
    /// machine takes the same.
    pub fn in_sample(&self, percent: u32) -> bool {
        fnv1a(self.name.as_bytes()) % 100 < u64::from(percent)
    }
}

/// A hash that will never change.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The tasks of sets: a fixed sample of so many percent of them, and of those the ones whose names contain one of the texts.
pub fn chosen(sets: &[PathBuf], sample: Option<u32>, texts: &[String]) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    for set in sets {
        tasks.extend(load(set)?);
    }
    tasks.retain(|task| sample.is_none_or(|percent| task.in_sample(percent)));
    tasks.retain(|task| texts.is_empty() || texts.iter().any(|text| task.name.contains(text)));
    if tasks.is_empty() {
        return Err("no task is left: see --filter and --sample".into());
    }
    Ok(tasks)
}

/// All tasks at `path`: a folder with an `index.csv`, a `.yml` task definition, or a `.set` file.
pub fn load(path: &Path) -> Result<Vec<Task>, String> {
    let mut tasks = read(path)?;
    tasks.iter_mut().try_for_each(check)?;
    Ok(tasks)
}

/// How files are called that a set may name: messages about others would tell what is in them.
const PROGRAMS: [&str; 3] = ["c", "i", "h"];
const PROPERTIES: [&str; 1] = ["prp"];

/// A set may be a stranger's: it names programs and properties, and no flags.
fn check(task: &mut Task) -> Result<(), String> {
    let is_called = |file: &Path, endings: &[&str]| match file.canonicalize() {
        Ok(file) => file.extension().and_then(|e| e.to_str()).is_some_and(|e| endings.contains(&e)),
        // Whoever wants to read it says so.
        Err(_) => true,
    };
    for file in &mut task.files {
        if !is_called(file, &PROGRAMS) {
            return Err(format!("{}: {} is not named like C", task.name, file.display()));
        }
        // A name that begins with a dash is none of a flag.
        if file.is_relative() && !file.starts_with("..") {
            *file = Path::new(".").join(&*file);
        }
    }
    let property = Path::new(&task.property);
    if !property.is_dir() && !is_called(property, &PROPERTIES) {
        return Err(format!("{}: {} is not named like a file of properties (.prp)", task.name, property.display()));
    }
    if task.property.starts_with('-') || task.data_model.starts_with('-') {
        return Err(format!("{}: a set gives no flags", task.name));
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<Task>, String> {
    if path.is_dir() {
        let index = path.join("index.csv");
        return if index.exists() {
            from_index(path, &index)
        } else {
            Err(format!("{}: no index.csv there; name a folder with one, a .yml task or a .set file", path.display()))
        };
    }
    match path.extension().and_then(|e| e.to_str()) {
        Some("yml" | "yaml") => from_definition(path, &set_name(path.parent().unwrap_or(path))),
        Some("set") => from_set(path),
        _ => Err(format!("{}: neither a folder with an index.csv nor a .yml or .set file", path.display())),
    }
}

fn set_name(folder: &Path) -> String {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    folder.file_name().map_or_else(|| "tasks".into(), |n| n.to_string_lossy().into_owned())
}

fn from_index(folder: &Path, index: &Path) -> Result<Vec<Task>, String> {
    let bad = |e: csv::Error| format!("{}: {e}", index.display());
    let text = base::files::read(index).map_err(|e| bad(e.into()))?;
    let mut reader = csv::Reader::from_reader(&*text);
    let headers = reader.headers().map_err(bad)?.clone();
    let set = set_name(folder);
    let mut tasks = Vec::new();
    for row in reader.records() {
        let row = row.map_err(bad)?;
        let column = |name: &str| headers.iter().position(|h| h == name).and_then(|i| row.get(i)).unwrap_or("");
        tasks.push(if column("path").is_empty() {
            plain_row(folder, &set, column)
        } else {
            marked_row(folder, &set, column)
        });
    }
    Ok(tasks)
}

/// A row in the manner of SV-COMP.
fn plain_row<'a>(folder: &Path, set: &str, column: impl Fn(&str) -> &'a str) -> Task {
    let mut arguments = Vec::new();
    let error_function = column("error_function");
    if error_function.ends_with("(c)") {
        arguments.extend(["--uninit-globals".into(), "nondet".into()]);
    }
    let entry = column("entry");
    if !matches!(entry, "" | "main") {
        arguments.extend(["--entry".into(), entry.into()]);
    }
    if column("malloc_may_fail") == "yes" {
        arguments.push("--malloc-may-fail".into());
    }
    arguments.extend(column("defines").split(';').filter(|d| !d.is_empty()).map(|define| format!("-D{define}")));
    let property = match column("properties") {
        "" => property_flag(column("property")),
        several => several.split(';').map(property_flag).collect::<Vec<_>>().join("+"),
    };
    Task {
        name: format!("{set}/{}", column("task")),
        files: vec![folder.join(column("input"))],
        property,
        expected: column("expected").parse().ok(),
        subproperty: column("subproperty").into(),
        data_model: column("data_model").to_lowercase(),
        arguments,
    }
}

/// A row in the manner of VERISEC: a program, what it is linked with, and the lines whose accesses are checked.
fn marked_row<'a>(folder: &Path, set: &str, column: impl Fn(&str) -> &'a str) -> Task {
    let path = column("path");
    let mut files = vec![folder.join(path)];
    // Variables without initialiser are the inputs of these programs, globals too.
    let mut arguments = vec!["--uninit-globals".to_owned(), "nondet".to_owned()];
    let mut only = |file: &Path, lines: Vec<String>| {
        if !lines.is_empty() {
            arguments.push("--only-lines".to_owned());
            arguments.push(format!("{}:{}", file.display(), lines.join(",")));
        }
    };
    only(&files[0], column("marked_lines").split_whitespace().map(str::to_owned).collect());
    for linked in column("link_with").split_whitespace() {
        let file = folder.join(linked);
        only(&file, relevant_lines(&file));
        files.push(file);
    }
    Task {
        name: format!("{set}/{path}"),
        files,
        property: "valid-deref+assert".into(),
        expected: column("expected").parse().ok(),
        subproperty: String::new(),
        data_model: "ilp32".into(),
        arguments,
    }
}

/// The lines that follow a comment marking them as relevant.
fn relevant_lines(file: &Path) -> Vec<String> {
    let text = base::files::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let marked = text.lines().enumerate().filter(|(_, line)| line.contains("RELEVANT */"));
    marked.map(|(i, _)| (i + 2).to_string()).collect()
}

fn property_flag(name: &str) -> String {
    match name {
        "valid-memsafety" => "memsafety".into(),
        "valid-memcleanup" => "memcleanup".into(),
        other => other.into(),
    }
}

/// One task for each property with a known verdict.
fn from_definition(path: &Path, set: &str) -> Result<Vec<Task>, String> {
    let bad = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let text = base::files::read_text(path).map_err(|e| bad(&e))?;
    let documents = YamlLoader::load_from_str(&text).map_err(|e| bad(&e))?;
    let definition = documents.first().ok_or_else(|| bad(&"an empty task definition"))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let files: Vec<PathBuf> = strings(&definition["input_files"]).iter().map(|f| folder.join(f)).collect();
    if files.is_empty() {
        return Err(bad(&"the task definition names no input_files"));
    }
    let data_model = definition["options"]["data_model"].as_str().unwrap_or("LP64").to_lowercase();
    let mut tasks = Vec::new();
    for property in definition["properties"].as_vec().map(Vec::as_slice).unwrap_or_default() {
        let (Some(file), Some(expected)) = (property["property_file"].as_str(), property["expected_verdict"].as_bool())
        else {
            continue;
        };
        let stem = Path::new(file).file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let file_name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let property_file = folder.join(file);
        tasks.push(Task {
            name: format!("{set}/{file_name}:{stem}"),
            files: files.clone(),
            property: if property_file.exists() { property_file.display().to_string() } else { property_flag(&stem) },
            expected: Some(expected),
            subproperty: property["subproperty"].as_str().unwrap_or("").into(),
            data_model: data_model.clone(),
            arguments: Vec::new(),
        });
    }
    Ok(tasks)
}

fn strings(yaml: &Yaml) -> Vec<String> {
    match yaml {
        Yaml::String(s) => vec![s.clone()],
        Yaml::Array(items) => items.iter().filter_map(|i| i.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    }
}

/// A `.set` file: a pattern of task definitions on each line, `*` standing for any part of a name.
fn from_set(path: &Path) -> Result<Vec<Task>, String> {
    let text = base::files::read_text(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let set = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let mut tasks = Vec::new();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        for definition in matching(folder, line) {
            tasks.extend(from_definition(&definition, &set)?);
        }
    }
    Ok(tasks)
}

/// The files below `folder` that match, in order; `*` matches within one part of the path.
fn matching(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for part in pattern.split('/') {
        let mut next = Vec::new();
        for base in found {
            if !part.contains('*') {
                next.push(base.join(part));
                continue;
            }
            let entries = fs::read_dir(&base).into_iter().flatten().flatten();
            let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            next.extend(names.iter().filter(|n| matches_part(part, n)).map(|n| base.join(n)));
        }
        found = next;
    }
    found.retain(|p| p.exists());
    found
}

fn matches_part(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or("");
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    for (i, piece) in pieces.iter().enumerate() {
        if i + 1 == pieces.len() {
            return rest.ends_with(piece);
        }
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}

#[cfg(test)]
impl Task {
    /// A task of which only the name matters.
    pub(crate) fn named(name: &str) -> Task {
        Task {
            name: name.into(),
            files: Vec::new(),
            property: String::new(),
            expected: None,
            subproperty: String::new(),
            data_model: String::new(),
            arguments: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_names() {
        assert!(matches_part("*.yml", "a.yml") && matches_part("a*b*c", "aXbYc") && matches_part("a", "a"));
        assert!(!matches_part("*.yml", "a.yml.bak") && !matches_part("a", "ab") && !matches_part("a*b", "acd"));
    }

    #[test]
    fn the_sample_is_fixed() {
        let task = Task::named;
        assert!((0..200).all(|i| task(&format!("s/{i}")).in_sample(100)));
        let sampled: Vec<u32> = (0..1000).filter(|i| task(&format!("s/{i}")).in_sample(25)).collect();
        assert!((180..320).contains(&sampled.len()), "{}", sampled.len());
        assert_eq!(fnv1a(b"svcomp-loops/a"), fnv1a(b"svcomp-loops/a"));
        assert_eq!(task("set/folder/x.yml").group(), "set/folder");
        assert_eq!(task("set/x.yml").group(), "set");
    }

    #[test]
    fn rows_say_how_they_are_run() {
        let columns = [
            ("task", "a/b"),
            ("input", "b.c"),
            ("properties", "assert;valid-memsafety"),
            ("expected", "false"),
            ("data_model", "lp64"),
            ("entry", "f"),
            ("malloc_may_fail", "yes"),
            ("defines", "A;B=1"),
        ];
        let column = |name: &str| columns.iter().find(|(column, _)| *column == name).map_or("", |(_, value)| value);
        let task = plain_row(Path::new("folder"), "set", column);
        assert_eq!((task.name.as_str(), task.property.as_str()), ("set/a/b", "assert+memsafety"));
        assert_eq!(task.expected, Some(false));
        assert_eq!(task.arguments, ["--entry", "f", "--malloc-may-fail", "-DA", "-DB=1"]);
    }

    #[test]
    fn task_definitions_give_a_task_per_property() {
        let folder = std::env::temp_dir().join(format!("foldback-bench-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("t.yml");
        fs::write(
            &file,
            "format_version: '2.0'\ninput_files: 't.c'\nproperties:\n  - property_file: p/unreach-call.prp\n    \
             expected_verdict: true\n  - property_file: p/valid-memsafety.prp\n    expected_verdict: false\n    subproperty: \
             valid-deref\n  - property_file: p/coverage.prp\noptions:\n  language: C\n  data_model: ILP32\n",
        )
        .unwrap();
        let tasks = load(&file).unwrap();
        assert_eq!(tasks.len(), 2);
        assert_eq!((tasks[0].property.as_str(), tasks[0].expected), ("unreach-call", Some(true)));
        assert_eq!((tasks[1].property.as_str(), tasks[1].subproperty.as_str()), ("memsafety", "valid-deref"));
        assert_eq!(tasks[1].data_model, "ilp32");
        fs::remove_dir_all(&folder).unwrap();
    }
}
