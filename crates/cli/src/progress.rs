//! What is going on, told on standard error while a verification runs: as a live area on a terminal, as lines of JSON
//! where that is asked for, otherwise not at all.
//!
//! A thread of its own draws, so that time goes on while the program is prepared or an answer is checked. It starts late:
//! easy tasks are over before.

use crate::live::Live;
use crate::output;
use engine::{Event, Fact, FactKind};
use portfolio::News;
use report::Part;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Nothing is drawn before.
const QUIET: Duration = Duration::from_millis(300);
/// Between two drawings.
const REDRAW: Duration = Duration::from_millis(125);
/// Between two lines about the bounds of one engine.
const BOUNDS: Duration = Duration::from_millis(100);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    None,
    Live,
    Json,
}

/// Clones show the same.
#[derive(Clone)]
pub(crate) struct Progress {
    mode: Mode,
    started: Instant,
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    ended: bool,
    live: Live,
    limit: Option<Duration>,
    phase: String,
    engines: Vec<EngineState>,
    used: Duration,
    no_error_within: Option<u64>,
    invariants: usize,
    candidates: usize,
    /// When an engine's bound was last told.
    bounds_told: BTreeMap<(String, &'static str), Instant>,
}

struct EngineState {
    name: String,
    doing: &'static str,
    last: String,
}

impl Progress {
    /// `limit` is that of the CPU time.
    pub(crate) fn start(mode: Mode, limit: Option<Duration>) -> Progress {
        let state = State { limit, phase: "reading the program".into(), ..State::default() };
        let shared = Arc::new(Shared { state: Mutex::new(state), ended: Condvar::new() });
        let progress = Progress { mode, started: Instant::now(), shared };
        if mode == Mode::Live {
            let drawn = progress.clone();
            std::thread::spawn(move || drawn.draw());
        }
        progress
    }

    /// Until [`Progress::end`].
    fn draw(&self) {
        let mut state = self.lock();
        let mut wait = QUIET;
        loop {
            let (now, _) = self.shared.ended.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner);
            state = now;
            if state.ended {
                return;
            }
            let lines = state.lines(self.started.elapsed());
            state.live.draw(&lines);
            wait = REDRAW;
        }
    }

    /// What the verification does between and around engines.
    pub(crate) fn phase(&self, text: impl Into<String>) {
        let text = text.into();
        self.say(|| json!({ "event": "phase", "phase": text }));
        let mut state = self.lock();
        state.engines.clear();
        state.phase = text;
    }

    /// One of several properties is decided; some are shown at once.
    pub(crate) fn decided(&self, part: &Part, is_shown: bool) {
        self.say(|| json!({ "event": "decided", "name": part.name, "result": part.result.to_string() }));
        if is_shown {
            let mut state = self.lock();
            state.live.wipe();
            output::text(&report::text::render_part(part));
        }
    }

    pub(crate) fn hear(&self, news: News<'_>) {
        if self.mode == Mode::None {
            return;
        }
        let mut state = self.lock();
        state.hear(news);
        let told = self.mode == Mode::Json && state.is_told(news);
        drop(state);
        if told && let Some(line) = in_json(news) {
            self.say(|| line);
        }
    }

    fn say(&self, line: impl FnOnce() -> Value) {
        if self.mode == Mode::Json {
            let mut line = line();
            line["seconds"] = json!((self.started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0);
            output::note(line.to_string());
        }
    }

    /// Wipes the live area; nothing is shown afterwards.
    pub(crate) fn end(&self) {
        let mut state = self.lock();
        if !state.ended {
            state.ended = true;
            state.live.wipe();
            self.shared.ended.notify_all();
        }
    }

    /// Since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn hear(&mut self, news: News<'_>) {
        match news {
            News::Turn { engine } => self.engine(engine).doing = "runs",
            News::Pause { engine } => self.engine(engine).doing = "waits",
            News::Event { engine, event: Event::Bound(bound) } => self.engine(engine).last = format!("bound {bound}"),
            News::Event { engine, event: Event::Note(note) } => self.engine(engine).last.clone_from(note),
            News::Event { event: Event::Folding(_), .. } => {}
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
    fn is_told(&mut self, news: News<'_>) -> bool {
        let (engine, kind) = match news {
            News::Event { engine, event: Event::Bound(_) } => (engine, "bound"),
            News::Fact(Fact { author, kind: FactKind::NoErrorWithin { .. }, .. }) => (author.as_str(), "no error"),
            _ => return true,
        };
        let key = (engine.to_owned(), kind);
        let recent = self.bounds_told.get(&key).is_some_and(|last| last.elapsed() < BOUNDS);
        if !recent {
            self.bounds_told.insert(key, Instant::now());
        }
        !recent
    }

    fn engine(&mut self, name: &str) -> &mut EngineState {
        let known = self.engines.iter().position(|engine| engine.name == name);
        let at = known.unwrap_or_else(|| {
            self.engines.push(EngineState { name: name.to_owned(), doing: "runs", last: String::new() });
            self.engines.len() - 1
        });
        &mut self.engines[at]
    }

    fn lines(&self, elapsed: Duration) -> Vec<String> {
        let used = self.used + verifier::cpu_time();
        let mut head = format!("{:6.1} s  {}", elapsed.as_secs_f64(), self.phase);
        head += &match self.limit {
            Some(limit) => format!(", CPU {:.1} of {:.0} s", used.as_secs_f64(), limit.as_secs_f64()),
            None => format!(", CPU {:.1} s", used.as_secs_f64()),
        };
        if let Some(bound) = self.no_error_within {
            head += &format!(", no violation within {bound} iterations");
        }
        for (count, what) in [(self.invariants, "invariant"), (self.candidates, "candidate")] {
            if count > 0 {
                head += &format!(", {count} {what}{}", if count == 1 { "" } else { "s" });
            }
        }
        let mut lines = vec![head];
        let line = |engine: &EngineState| format!("          {:8} {:6} {}", engine.name, engine.doing, engine.last);
        lines.extend(self.engines.iter().map(line));
        lines
    }
}

fn in_json(news: News<'_>) -> Option<Value> {
    Some(match news {
        News::Turn { engine } => json!({ "event": "turn", "engine": engine }),
        News::Pause { engine } => json!({ "event": "pause", "engine": engine }),
        News::Event { engine, event: Event::Bound(bound) } => {
            json!({ "event": "bound", "engine": engine, "bound": bound })
        }
        News::Event { event: Event::Folding(_), .. } => return None,
        News::Event { engine, event: Event::Note(note) } => json!({ "event": "note", "engine": engine, "note": note }),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_says_who_does_what() {
        let mut state = State { limit: Some(Duration::from_secs(60)), phase: "verifying".into(), ..State::default() };
        state.hear(News::Turn { engine: "kind" });
        state.hear(News::Turn { engine: "se" });
        state.hear(News::Event { engine: "kind", event: &Event::Bound(3) });
        state.hear(News::Pause { engine: "se" });
        let fact = |kind| engine::Fact { author: "kind".into(), automaton: 0, kind };
        state.hear(News::Fact(&fact(FactKind::NoErrorWithin { bound: 3 })));
        state.hear(News::Fact(&fact(FactKind::NoErrorWithin { bound: 2 })));
        let lines = state.lines(Duration::from_millis(1500));
        assert!(lines[0].starts_with("   1.5 s  verifying, CPU ") && lines[0].contains(" of 60 s"), "{}", lines[0]);
        assert!(lines[0].ends_with("no violation within 3 iterations"), "{}", lines[0]);
        assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>(), ["kind", "runs", "bound", "3"]);
        assert_eq!(lines[2].split_whitespace().collect::<Vec<_>>(), ["se", "waits"]);
    }
}
