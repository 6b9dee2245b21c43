//! What is going on, told on standard error while a verification runs: as a live area on a terminal, as lines of JSON
//! where that is asked for, otherwise not at all.
//!
//! A thread of its own draws, so that time goes on while the program is prepared or an answer is checked. It starts late:
//! easy tasks are over before.

use crate::output;
use portfolio::News;
use portfolio::status::Status;
use report::Part;
use report::live::Live;
use serde_json::{Value, json};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Nothing is drawn before.
const QUIET: Duration = Duration::from_millis(300);
/// Between two drawings.
const REDRAW: Duration = Duration::from_millis(125);

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
    status: Status,
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
        state.status.engines.clear();
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
        state.status.hear(news);
        let told = self.mode == Mode::Json && state.status.is_told(news);
        drop(state);
        if told && let Some(line) = news.to_json() {
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
    fn lines(&self, elapsed: Duration) -> Vec<String> {
        let used = self.status.used + verifier::cpu_time();
        let mut head = format!("{:6.1} s  {}", elapsed.as_secs_f64(), self.phase);
        head += &match self.limit {
            Some(limit) => format!(", CPU {:.1} of {:.0} s", used.as_secs_f64(), limit.as_secs_f64()),
            None => format!(", CPU {:.1} s", used.as_secs_f64()),
        };
        self.status.lines(head)
    }
}
