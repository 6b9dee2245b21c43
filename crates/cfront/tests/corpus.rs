//! The benchmark programs, where they are at hand: all parse, and their trees are sound. And the parser survives
//! mutilated ones: bytes, lines and tokens deleted, swapped and spliced, by a generator with a fixed seed.

#![allow(clippy::print_stderr)]

use std::path::{Path, PathBuf};

use cfront::types::DataModel;
use cfront::{Input, Options, load};

/// Input files of a task set and their data models, in index order.
fn inputs(set: &str) -> Vec<(PathBuf, DataModel)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/tasks").join(set);
    let Ok(index) = std::fs::read_to_string(folder.join("index.csv")) else {
        eprintln!("skipped: no benchmark programs at {}", folder.display());
        return Vec::new();
    };
    let rows = index.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    rows.map(|row| (folder.join(row[1]), if row[5] == "LP64" { DataModel::Lp64 } else { DataModel::Ilp32 })).collect()
}

#[test]
fn benchmark_programs_parse_and_are_sound() {
    let mut complaints = Vec::new();
    for (path, model) in ["svcomp-loops", "svcomp-mix", "tracer"].iter().flat_map(|set| inputs(set)) {
        match load(&[Input::Path(path.clone())], &Options::new(model)) {
            Ok(unit) => complaints.extend(cfront::with_big_stack(|| cfront::verify::verify(&unit))),
            Err(failure) => complaints.push(failure.render()),
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n.max(1) as u64) as usize
    }
}

/// The text with something wrong about it.
fn mutilate(text: &str, other: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let from: Vec<&str> = other.lines().collect();
    for _ in 0..=random.below(4) {
        if lines.is_empty() || from.is_empty() {
            break;
        }
        let at = random.below(lines.len());
        match random.below(7) {
            0 => {
                lines.remove(at);
            }
            6 => {
                let mut characters: Vec<char> = lines[at].chars().collect();
                let place = random.below(characters.len() + 1);
                let strange = random.below(256) as u8 as char;
                characters.insert(place, strange);
                lines[at] = characters.into_iter().collect();
            }
            1 => lines[at] = from[random.below(from.len())].to_owned(),
            2 => {
                let with = random.below(lines.len());
                lines.swap(at, with);
            }
            _ => {
                let mut words: Vec<String> = split_tokens(&lines[at]);
                let foreign = split_tokens(from[random.below(from.len())]);
                if words.is_empty() {
                    continue;
                }
                let word = random.below(words.len());
                match random.below(4) {
                    0 => {
                        words.remove(word);
                    }
                    1 => {
                        let with = random.below(words.len());
                        words.swap(word, with);
                    }
                    2 => words.insert(word, words[random.below(words.len())].clone()),
                    _ if !foreign.is_empty() => words[word] = foreign[random.below(foreign.len())].clone(),
                    _ => {}
                }
                lines[at] = words.join(" ");
            }
        }
    }
    lines.join("\n")
}

fn split_tokens(line: &str) -> Vec<String> {
    // Words and runs of operator characters stay together, everything else stands alone.
    let class = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '$' | '"' => 1,
        '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '=' | '<' | '>' | '!' | '.' => 2,
        _ => 0,
    };
    let mut tokens: Vec<String> = Vec::new();
    let mut last = 0;
    for c in line.chars() {
        match tokens.last_mut() {
            Some(token) if class(c) != 0 && class(c) == last => token.push(c),
            _ if c.is_whitespace() => {}
            _ => tokens.push(c.to_string()),
        }
        last = class(c);
    }
    tokens
}

#[test]
fn mutilated_programs_do_not_crash_the_parser() {
    let mut texts: Vec<(String, DataModel)> = Vec::new();
    for (path, model) in ["svcomp-loops", "svcomp-mix", "tracer"].iter().flat_map(|set| inputs(set)) {
        if let Ok(text) = std::fs::read_to_string(&path)
            && text.len() < 60_000
            && !text.contains("#include")
        {
            texts.push((text, model));
        }
    }
    let c = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    for name in ["init.c", "gnu.c"] {
        let text = std::fs::read_to_string(c.join(name)).expect("test file");
        texts.extend(std::iter::repeat_n((text, DataModel::Lp64), 50));
    }
    let rounds = std::env::var("FOLDBACK_FUZZ_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let seed = std::env::var("FOLDBACK_FUZZ_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut random = Random(seed);
    let mut accepted = 0;
    for round in 0..rounds {
        let (text, model) = &texts[random.below(texts.len())];
        let (other, _) = &texts[random.below(texts.len())];
        let broken = mutilate(text, other, &mut random);
        let input = Input::Text { name: format!("round{round}.c"), text: broken.clone() };
        let options = Options::new(*model);
        let start = std::time::Instant::now();
        let outcome = std::panic::catch_unwind(|| match load(&[input], &options) {
            Ok(unit) => cfront::with_big_stack(|| cfront::verify::verify(&unit)),
            Err(failure) => {
                assert!(!failure.diagnostics.is_empty() && !failure.render().is_empty());
                Vec::new()
            }
        });
        let complaint = match outcome {
            Ok(problems) if problems.is_empty() => None,
            Ok(problems) => Some(problems.join("\n")),
            Err(_) => Some("panic".to_owned()),
        };
        let slow = start.elapsed().as_secs() >= 60;
        if complaint.is_some() || slow {
            let kept = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{seed}-{round}.c"));
            std::fs::write(&kept, &broken).expect("write");
            panic!("round {round} (kept in {}): {}", kept.display(), complaint.unwrap_or("slow".to_owned()));
        }
        accepted += 1;
    }
    assert_eq!(accepted, rounds);
}
