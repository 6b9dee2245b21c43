//! The language server: `foldback lsp`, spoken to on standard input and output.
//!
//! When a file is saved its proofs are verified, one after the other, each in a process of its own. Findings are shown at
//! their lines with the steps as related places, invariants as inlay hints, verdicts as code lenses. The loop below only
//! ever reads messages and answers from memory: whatever takes time is a process or a thread, so that a change is answered at
//! once. A change of a file ends what is verified of it; what was found before stays until the next answer, but for
//! invariants, whose places are no longer known.

mod functions;
mod job;
mod show;
mod targets;
mod transport;
mod uri;

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use functions::definitions;
use job::{End, Event, Job, Target};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CodeLens, CodeLensOptions, Command, Diagnostic, ExecuteCommandOptions, InitializeParams, OneOf, Position,
    PublishDiagnosticsParams, Range, SaveOptions, ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
};
use report::{Report, Verdict};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;

const VERIFY: &str = "foldback.verify";
const SHOW: &str = "foldback.showExecution";

/// Flags of verifications that no foldback.toml speaks of, where the editor says nothing else.
const FLAGS: [&str; 2] = ["--time-limit", "20s"];

/// Serves one editor until it leaves. `binary` is foldback itself.
pub fn serve(binary: PathBuf) -> Result<(), String> {
    let (connection, threads) = transport::stdio();
    serve_on(&connection, binary)?;
    drop(connection);
    threads.join()
}

fn serve_on(connection: &Connection, binary: PathBuf) -> Result<(), String> {
    let (id, parameters) = connection.initialize_start().map_err(|error| error.to_string())?;
    let parameters: InitializeParams = serde_json::from_value(parameters).map_err(|error| error.to_string())?;
    let capabilities = json!({
        "capabilities": capabilities(),
        "serverInfo": { "name": "foldback", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, capabilities).map_err(|error| error.to_string())?;
    let scratch = sandbox::Folder::new().map_err(|error| error.to_string())?;
    let (sender, events) = unbounded();
    let mut server = Server {
        messages: connection.sender.clone(),
        events: sender,
        binary,
        scratch,
        client: Client::of(&parameters),
        texts: BTreeMap::new(),
        unsaved: BTreeSet::new(),
        waiting: VecDeque::new(),
        running: None,
        answers: Vec::new(),
        last_id: 0,
    };
    server.serve(connection, &events);
    Ok(())
}

fn capabilities() -> ServerCapabilities {
    let save = TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) });
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            save: Some(save),
            ..TextDocumentSyncOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![VERIFY.to_owned(), SHOW.to_owned()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// What the editor can do, and wants.
struct Client {
    progress: bool,
    hints_refresh: bool,
    lenses_refresh: bool,
    flags: Vec<String>,
}

impl Client {
    fn of(parameters: &InitializeParams) -> Client {
        let (window, workspace) = (parameters.capabilities.window.as_ref(), parameters.capabilities.workspace.as_ref());
        let options = parameters.initialization_options.as_ref();
        let flags = options.and_then(|options| options.get("flags")).and_then(Value::as_array);
        let words = |flags: &Vec<Value>| flags.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        Client {
            progress: window.and_then(|window| window.work_done_progress) == Some(true),
            hints_refresh: workspace.and_then(|w| w.inlay_hint.as_ref()?.refresh_support) == Some(true),
            lenses_refresh: workspace.and_then(|w| w.code_lens.as_ref()?.refresh_support) == Some(true),
            flags: flags.map_or_else(|| FLAGS.map(str::to_owned).into(), words),
        }
    }
}

/// A target and what is known of it.
struct Answer {
    target: Target,
    /// What it said, with the file that has it.
    report: Option<(Report, PathBuf)>,
    /// Its document changed since.
    is_stale: bool,
    findings: show::Findings,
}

struct Server {
    messages: Sender<Message>,
    events: Sender<Event>,
    binary: PathBuf,
    /// For results and pages.
    scratch: sandbox::Folder,
    client: Client,
    /// Open documents as they are in the editor.
    texts: BTreeMap<String, String>,
    unsaved: BTreeSet<String>,
    waiting: VecDeque<Target>,
    running: Option<Job>,
    answers: Vec<Answer>,
    last_id: u64,
}

impl Server {
    fn serve(&mut self, connection: &Connection, events: &Receiver<Event>) {
        loop {
            select! {
                recv(connection.receiver) -> message => match message {
                    Ok(Message::Request(request)) => self.request(request),
                    Ok(Message::Notification(note)) if note.method == "exit" => break,
                    Ok(Message::Notification(note)) => self.notice(note),
                    // Answers to what we ask change nothing.
                    Ok(Message::Response(_)) => {}
                    Err(_) => break,
                },
                recv(events) -> event => if let Ok(event) = event {
                    self.event(event);
                },
            }
        }
        self.cancel_running();
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let result = match method.as_str() {
            "textDocument/codeLens" => Ok(json!(self.lenses(document(&params)))),
            "textDocument/inlayHint" => Ok(json!(self.hints(document(&params)))),
            // What is asked afterwards is answered until the editor says that it leaves.
            "shutdown" => {
                self.waiting.clear();
                self.cancel_running();
                Ok(Value::Null)
            }
            "workspace/executeCommand" => self.execute(&params).map(|()| Value::Null),
            _ => {
                let code = lsp_server::ErrorCode::MethodNotFound as i32;
                return self.send(Response::new_err(id, code, format!("{method} is not known")).into());
            }
        };
        match result {
            Ok(result) => self.send(Response::new_ok(id, result).into()),
            Err(why) => {
                let code = lsp_server::ErrorCode::RequestFailed as i32;
                self.send(Response::new_err(id, code, why).into());
            }
        }
    }

    fn notice(&mut self, note: Notification) {
        let Notification { method, params } = note;
        let at = document(&params).to_owned();
        match method.as_str() {
            "textDocument/didOpen" => {
                let text = params["textDocument"]["text"].as_str().unwrap_or_default();
                self.texts.insert(at, text.to_owned());
            }
            "textDocument/didChange" => {
                let last = params["contentChanges"].as_array().and_then(|changes| changes.last());
                if let Some(text) = last.and_then(|change| change["text"].as_str()) {
                    self.texts.insert(at.clone(), text.to_owned());
                }
                self.unsaved.insert(at.clone());
                self.cancel(|target| target.document == at);
                for answer in self.answers.iter_mut().filter(|answer| answer.target.document == at) {
                    answer.is_stale = true;
                }
            }
            "textDocument/didSave" => {
                self.unsaved.remove(&at);
                self.cancel(|target| target.document == at);
                let text = self.texts.get(&at).cloned().unwrap_or_default();
                match targets::on_save(&at, &text, &self.client.flags) {
                    Ok(targets) => {
                        // A function that is gone takes its findings with it.
                        let own = |answer: &Answer| answer.target.document == at;
                        let kept = |answer: &Answer| targets.iter().any(|target| target.name == answer.target.name);
                        self.forget(|answer| own(answer) && !kept(answer));
                        self.waiting.extend(targets);
                        self.start();
                    }
                    Err(why) => self.say(1, &why),
                }
            }
            "textDocument/didClose" => {
                self.cancel(|target| target.document == at);
                self.texts.remove(&at);
                self.unsaved.remove(&at);
                self.forget(|answer| answer.target.document == at);
            }
            "window/workDoneProgress/cancel"
                if self.running.as_ref().is_some_and(|job| params["token"] == json!(token(job.id))) =>
            {
                self.cancel_running();
                self.start();
            }
            _ => {}
        }
    }

    fn execute(&mut self, params: &Value) -> Result<(), String> {
        let word = |i: usize| params["arguments"][i].as_str().ok_or("the command needs a document and a function");
        let (document, function) = (word(0)?, word(1)?);
        match params["command"].as_str() {
            Some(VERIFY) => {
                if self.unsaved.contains(document) {
                    self.say(2, "the file as it was saved is verified: there are changes since");
                }
                let targets = targets::of_function(document, function, &self.client.flags)?;
                let same = |one: &Target| targets.iter().any(|t| t.document == one.document && t.name == one.name);
                self.cancel(same);
                self.waiting.extend(targets);
                self.start();
                Ok(())
            }
            Some(SHOW) => {
                let fits = |answer: &&Answer| answer.target.document == document && answer.target.function == function;
                let answer = self.answers.iter().filter(fits).find_map(|answer| {
                    let (report, file) = answer.report.as_ref()?;
                    (!report.violations().is_empty()).then(|| (answer.target.folder.clone(), file.clone()))
                });
                let (folder, file) = answer.ok_or_else(|| format!("no execution of {function} is known"))?;
                let (binary, page, events) = (self.binary.clone(), file.with_extension("html"), self.events.clone());
                std::thread::spawn(move || {
                    let written = job::write_page(&binary, &folder, &file, &page).map(|()| page);
                    let _ = events.send(Event::Page(written));
                });
                Ok(())
            }
            other => Err(format!("the command {other:?} is not known")),
        }
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Progress { job, message } => {
                if self.running.as_ref().is_some_and(|running| running.id == job) {
                    self.progress(job, json!({ "kind": "report", "message": message }));
                }
            }
            Event::Done { job, end } => {
                // One that was cancelled has ended for us before.
                if let Some(done) = self.running.take_if(|running| running.id == job) {
                    self.done(done, end);
                    self.start();
                }
            }
            Event::Page(Ok(page)) => {
                let params = json!({ "uri": uri::of(&page), "external": true });
                self.ask("window/showDocument", params);
            }
            Event::Page(Err(why)) => self.say(1, &why),
        }
    }

    fn done(&mut self, job: Job, end: End) {
        let Job { id, target, result, .. } = job;
        let (report, findings, said) = match end {
            End::Answer(report) => {
                let (found, said) = (show::findings(&target, &report), report.result.to_string());
                (Some((*report, result)), found, said)
            }
            End::Refused(said) => (None, show::refusal(&target, &said), "the program has errors".to_owned()),
            End::Cancelled => return,
        };
        self.progress(id, json!({ "kind": "end", "message": said }));
        let before = self
            .forget_quietly(|answer| answer.target.document == target.document && answer.target.name == target.name);
        let changed: BTreeSet<String> = before.into_iter().chain(findings.keys().cloned()).collect();
        self.answers.push(Answer { target, report, is_stale: false, findings });
        self.publish(changed);
        self.refresh();
    }

    /// Starts what waits longest, if nothing runs.
    fn start(&mut self) {
        if self.running.is_some() {
            return;
        }
        let Some(target) = self.waiting.pop_front() else { return };
        self.last_id += 1;
        let id = self.last_id;
        if self.client.progress {
            self.ask("window/workDoneProgress/create", json!({ "token": token(id) }));
        }
        let title = format!("foldback: {}", target.name);
        self.progress(id, json!({ "kind": "begin", "title": title, "cancellable": true }));
        let result = self.scratch.path().join(format!("{id}.json"));
        self.running = Some(Job::start(&self.binary, id, target, result, self.events.clone()));
    }

    /// Ends what is verified of these targets, and what waits.
    fn cancel(&mut self, which: impl Fn(&Target) -> bool) {
        self.waiting.retain(|target| !which(target));
        if self.running.as_ref().is_some_and(|job| which(&job.target)) {
            self.cancel_running();
            self.start();
        }
    }

    fn cancel_running(&mut self) {
        if let Some(job) = self.running.take() {
            job.cancel();
            self.progress(job.id, json!({ "kind": "end", "message": "cancelled" }));
        }
    }

    /// Answers that are no longer about anything.
    fn forget(&mut self, which: impl Fn(&Answer) -> bool) {
        let changed = self.forget_quietly(which);
        self.publish(changed);
    }

    /// The documents whose findings are others now.
    fn forget_quietly(&mut self, which: impl Fn(&Answer) -> bool) -> BTreeSet<String> {
        let mut changed = BTreeSet::new();
        self.answers.retain(|answer| {
            let goes = which(answer);
            if goes {
                changed.extend(answer.findings.keys().cloned());
            }
            !goes
        });
        changed
    }

    fn publish(&self, documents: BTreeSet<String>) {
        for document in documents {
            let mut diagnostics: Vec<Diagnostic> = Vec::new();
            for finding in self.answers.iter().filter_map(|answer| answer.findings.get(&document)).flatten() {
                if !diagnostics.contains(finding) {
                    diagnostics.push(finding.clone());
                }
            }
            if let Some(uri) = uri::parsed(&document) {
                self.tell(
                    "textDocument/publishDiagnostics",
                    json!(PublishDiagnosticsParams::new(uri, diagnostics, None)),
                );
            }
        }
    }

    fn refresh(&mut self) {
        if self.client.hints_refresh {
            self.ask("workspace/inlayHint/refresh", Value::Null);
        }
        if self.client.lenses_refresh {
            self.ask("workspace/codeLens/refresh", Value::Null);
        }
    }

    fn lenses(&self, document: &str) -> Vec<CodeLens> {
        let text = self.texts.get(document).map_or("", String::as_str);
        let mut lenses = Vec::new();
        for found in definitions(text) {
            let range = Range::new(Position::new(found.line, found.column), Position::new(found.line, found.end()));
            let arguments = Some(vec![json!(document), json!(found.name)]);
            let mut lens = |title: String, command: &str| {
                let command = Some(Command { title, command: command.to_owned(), arguments: arguments.clone() });
                lenses.push(CodeLens { range, command, data: None });
            };
            let own = |answer: &&Answer| answer.target.document == document && answer.target.function == found.name;
            let reports: Vec<&Report> =
                self.answers.iter().filter(own).filter_map(|answer| Some(&answer.report.as_ref()?.0)).collect();
            lens(lens_title(&reports), VERIFY);
            if reports.iter().any(|report| !report.violations().is_empty()) {
                lens("show the execution".to_owned(), SHOW);
            }
        }
        lenses
    }

    fn hints(&self, document: &str) -> Vec<lsp_types::InlayHint> {
        let valid = self.answers.iter().filter(|answer| !answer.is_stale && !self.unsaved.contains(document));
        let known = valid.filter_map(|answer| Some((&answer.target, &answer.report.as_ref()?.0)));
        known.flat_map(|(target, report)| show::hints(target, report, document)).collect()
    }

    fn progress(&self, id: u64, value: Value) {
        if self.client.progress {
            self.tell("$/progress", json!({ "token": token(id), "value": value }));
        }
    }

    /// `kind`: 1 an error, 2 a warning.
    fn say(&self, kind: u8, message: &str) {
        self.tell("window/showMessage", json!({ "type": kind, "message": format!("foldback: {message}") }));
    }

    fn tell(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params }.into());
    }

    fn ask(&mut self, method: &str, params: Value) {
        self.last_id += 1;
        let id = RequestId::from(format!("foldback-{}", self.last_id));
        self.send(Request { id, method: method.to_owned(), params }.into());
    }

    fn send(&self, message: Message) {
        // An editor that is gone is noticed by its silence.
        let _ = self.messages.send(message);
    }
}

fn token(id: u64) -> String {
    format!("foldback/{id}")
}

fn document(params: &Value) -> &str {
    params["textDocument"]["uri"].as_str().unwrap_or_default()
}

fn lens_title(reports: &[&Report]) -> String {
    let what = "verify this function";
    let sign = |report: &&Report| match &report.result {
        Verdict::True { proof, .. } if proof.accepted_unchecked => "✓ true (accepted without a check)".to_owned(),
        Verdict::True { .. } => "✓ true".to_owned(),
        Verdict::False { .. } => format!("✗ {}", report.result),
        Verdict::Unknown { .. } => "? unknown".to_owned(),
    };
    let signs: Vec<String> = reports.iter().map(sign).collect();
    if signs.is_empty() { what.to_owned() } else { format!("{what} ({})", signs.join(", ")) }
}
