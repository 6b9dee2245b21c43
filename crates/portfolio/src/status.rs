//! What engines are doing, summed up from the news of them; and the news as JSON, a line for each in `--progress json`.

use crate::News;
use crate::limits::schedule::BOUNDS_EVERY;
use engine::{Event, Fact, FactKind};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

#[derive(Default, Debug)]
pub struct Status {
    /// In the order of their first turn.
    pub engines: Vec<EngineStatus>,
    /// CPU time of all engines.
    pub used: Duration,
    pub no_error_within: Option<u64>,
    pub invariants: usize,
    pub candidates: usize,
    /// When an engine's bound was last told.
    bounds_told: BTreeMap<(String, &'static str), Instant>,
}

#[derive(Debug)]
pub struct EngineStatus {
    pub name: String,
    pub doing: &'static str,
    /// What was heard of it last.
    pub last: String,
}

impl Status {
    pub fn hear(&mut self, news: News<'_>) {
        match news {
            News::Turn { engine } => self.engine(engine).doing = "runs",
            News::Pause { engine } => self.engine(engine).doing = "waits",
            News::Event { engine, event: Event::Bound(bound) } => self.engine(engine).last = format!("bound {bound}"),
            News::Event { engine, event: Event::Note(note) } => self.engine(engine).last.clone_from(note),
            News::Event { engine, event: Event::Limit(why) } => self.engine(engine).last = why.to_string(),
            News::Event { event: Event::Folding(_) | Event::Detail(_), .. } => {}
            News::End { engine, said } => {
                let known = self.engine(engine);
                known.doing = "ended";
                known.last = said.to_owned();
            }
            News::Fact(fact) => match &fact.kind {
                FactKind::NoErrorWithin { bound } => {
                    self.no_error_within = self.no_error_within.max(Some(*bound));
                }
                FactKind::Invariant { .. } => self.invariants += 1,
                FactKind::Candidate { .. } => self.candidates += 1,
            },
            News::Used(time) => self.used = time,
        }
    }

    /// Bounds may rise thousands of times a second: of those that follow each other closely, the first is told.
    pub fn is_told(&mut self, news: News<'_>) -> bool {
        let (engine, kind) = match news {
            News::Event { engine, event: Event::Bound(_) } => (engine, "bound"),
            News::Fact(Fact { author, kind: FactKind::NoErrorWithin { .. }, .. }) => (author.as_str(), "no error"),
            _ => return true,
        };
        let key = (engine.to_owned(), kind);
        let recent = self.bounds_told.get(&key).is_some_and(|last| last.elapsed() < BOUNDS_EVERY);
        if !recent {
            self.bounds_told.insert(key, Instant::now());
        }
        !recent
    }

    /// What to show of it: a line that begins with `head`, and one for each engine.
    pub fn lines(&self, mut head: String) -> Vec<String> {
        if let Some(bound) = self.no_error_within {
            head += &format!(", no violation within {bound} iterations");
        }
        for (count, what) in [(self.invariants, "invariant"), (self.candidates, "candidate")] {
            if count > 0 {
                head += &format!(", {count} {what}{}", if count == 1 { "" } else { "s" });
            }
        }
        let line = |engine: &EngineStatus| format!("          {:8} {:6} {}", engine.name, engine.doing, engine.last);
        std::iter::once(head).chain(self.engines.iter().map(line)).collect()
    }

    fn engine(&mut self, name: &str) -> &mut EngineStatus {
        let known = self.engines.iter().position(|engine| engine.name == name);
        let at = known.unwrap_or_else(|| {
            self.engines.push(EngineStatus { name: name.to_owned(), doing: "runs", last: String::new() });
            self.engines.len() - 1
        });
        &mut self.engines[at]
    }
}

impl News<'_> {
    /// Nothing where a line would say nothing.
    pub fn to_json(self) -> Option<Value> {
        Some(match self {
            News::Turn { engine } => json!({ "event": "turn", "engine": engine }),
            News::Pause { engine } => json!({ "event": "pause", "engine": engine }),
            News::Event { engine, event: Event::Bound(bound) } => {
                json!({ "event": "bound", "engine": engine, "bound": bound })
            }
            News::Event { engine, event: Event::Limit(why) } => {
                json!({ "event": "limit", "engine": engine, "why": why.to_string() })
            }
            News::Event { event: Event::Folding(_), .. } => return None,
            News::Event { engine, event: Event::Note(note) | Event::Detail(note) } => {
                json!({ "event": "note", "engine": engine, "note": note })
            }
            News::End { engine, said } => json!({ "event": "end", "engine": engine, "said": said }),
            News::Fact(fact) => match &fact.kind {
                FactKind::NoErrorWithin { bound } => {
                    json!({ "event": "no-error-within", "engine": fact.author, "bound": bound })
                }
                FactKind::Invariant { at, formula } => {
                    json!({ "event": "invariant", "engine": fact.author, "at": at.to_string(), "formula": formula })
                }
                FactKind::Candidate { at, formula } => {
                    json!({ "event": "candidate", "engine": fact.author, "at": at.to_string(), "formula": formula })
                }
            },
            News::Used(_) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_say_who_does_what() {
        let mut status = Status::default();
        status.hear(News::Turn { engine: "kind" });
        status.hear(News::Turn { engine: "se" });
        status.hear(News::Event { engine: "kind", event: &Event::Bound(3) });
        status.hear(News::Pause { engine: "se" });
        for bound in [3, 2] {
            let kind = FactKind::NoErrorWithin { bound };
            status.hear(News::Fact(&Fact { author: "kind".into(), automaton: 0, kind }));
        }
        let lines = status.lines("1.5 s".into());
        assert_eq!(lines[0], "1.5 s, no violation within 3 iterations");
        assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>(), ["kind", "runs", "bound", "3"]);
        assert_eq!(lines[2].split_whitespace().collect::<Vec<_>>(), ["se", "waits"]);
    }
}
