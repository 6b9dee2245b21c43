//! The language server, spoken to by a scripted editor.

use crate::common::Scratch;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Nothing takes longer, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(60);

struct Editor {
    server: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    last: u64,
}

impl Editor {
    fn start(flags: &[&str]) -> Editor {
        let mut command = Command::new(env!("CARGO_BIN_EXE_foldback"));
        command.args(["lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().expect("the server starts");
        let input = server.stdin.take().expect("its input");
        let mut output = BufReader::new(server.stdout.take().expect("its output"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut editor = Editor { server, input, messages, last: 0 };
        let result = editor.ask(
            "initialize",
            &json!({
                "capabilities": {
                    "window": { "workDoneProgress": true },
                    "workspace": { "inlayHint": { "refreshSupport": true }, "codeLens": { "refreshSupport": true } },
                },
                "initializationOptions": { "flags": flags },
            }),
        );
        let capabilities = &result["capabilities"];
        assert!(capabilities["codeLensProvider"].is_object(), "{result}");
        assert_eq!(
            capabilities["executeCommandProvider"]["commands"],
            json!(["foldback.verify", "foldback.showExecution"])
        );
        editor.tell("initialized", &json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len())
            .and_then(|()| self.input.flush())
            .expect("sent");
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The answer; what else is said meanwhile is dropped.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let answer = self.hear(|message| message["id"] == json!(id) && message.get("method").is_none());
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    /// The first message that fits.
    fn hear(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(left).expect("a message in time");
            // Requests of the server are granted.
            if let (Some(id), true) = (message.get("id"), message.get("method").is_some()) {
                let id = id.clone();
                self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": null }));
            }
            if fits(&message) {
                return message;
            }
        }
    }

    fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        let message = self.hear(|m| m["method"] == "textDocument/publishDiagnostics" && m["params"]["uri"] == uri);
        message["params"]["diagnostics"].as_array().expect("a list").clone()
    }

    fn progress(&mut self, kind: &str) -> Value {
        self.hear(|m| m["method"] == "$/progress" && m["params"]["value"]["kind"] == kind)["params"]["value"].clone()
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "c", "version": 1, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    fn change(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "version": 2 });
        self.tell("textDocument/didChange", &json!({ "textDocument": document, "contentChanges": [{ "text": text }] }));
    }

    fn save(&mut self, uri: &str) {
        self.tell("textDocument/didSave", &json!({ "textDocument": { "uri": uri } }));
    }

    fn lenses(&mut self, uri: &str) -> Vec<(u64, String)> {
        let lenses = self.ask("textDocument/codeLens", &json!({ "textDocument": { "uri": uri } }));
        let lens = |lens: &Value| {
            let title = lens["command"]["title"].as_str().expect("a title").to_owned();
            (lens["range"]["start"]["line"].as_u64().expect("a line"), title)
        };
        lenses.as_array().expect("a list").iter().map(lens).collect()
    }

    fn hints(&mut self, uri: &str) -> Vec<(u64, String)> {
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
        let hints = self.ask("textDocument/inlayHint", &json!({ "textDocument": { "uri": uri }, "range": range }));
        let hint = |hint: &Value| {
            (hint["position"]["line"].as_u64().expect("a line"), hint["label"].as_str().expect("a label").to_owned())
        };
        hints.as_array().expect("a list").iter().map(hint).collect()
    }

    /// Leaves as editors do; the server ends by itself.
    fn leave(mut self) {
        self.ask("shutdown", &Value::Null);
        self.tell("exit", &Value::Null);
        assert!(self.server.wait().expect("it ends").success());
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

const BUG: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\nint twice(int x) {\n  return x + x;\n}\n\n\
                   int main(void) {\n  int n = __VERIFIER_nondet_int();\n  if (n > -1000 && n < 1000) {\n    int m = twice(n);\n    assert(m != 84);\n  }\n  return 0;\n}\n";

const SAFE: &str = "#include <assert.h>\nextern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n  unsigned n = __VERIFIER_nondet_uint();\n\
                    \x20 unsigned i = 0, j = 0;\n  while (i < n) {\n    i++;\n    j++;\n  }\n  assert(i == j);\n  return 0;\n}\n";

#[test]
fn a_bug_its_steps_and_its_page() {
    let scratch = Scratch::new("lsp-bug");
    let file = scratch.file("bug.c", BUG);
    let uri = uri(&file);
    let mut editor = Editor::start(&["--time-limit", "30s"]);
    editor.open(&uri, BUG);
    let plain = "verify this function".to_owned();
    assert_eq!(editor.lenses(&uri), [(3, plain.clone()), (7, plain.clone())]);

    editor.save(&uri);
    assert_eq!(editor.progress("begin")["title"], "foldback: main");
    let found = editor.diagnostics(&uri);
    let [finding] = &found[..] else { panic!("{found:?}") };
    assert_eq!((&finding["code"], &finding["source"]), (&json!("assert"), &json!("foldback")));
    assert_eq!((&finding["severity"], &finding["range"]["start"]["line"]), (&json!(1), &json!(11)), "{finding}");
    assert!(finding["message"].as_str().is_some_and(|m| m.contains("m != 84") && m.contains("m = 84")), "{finding}");
    let steps = finding["relatedInformation"].as_array().expect("steps");
    assert!(
        steps.iter().any(|s| s["message"] == "step 1: n = 42" && s["location"]["range"]["start"]["line"] == 8),
        "{steps:?}"
    );
    assert_eq!(editor.lenses(&uri)[1..], [(7, format!("{plain} (✗ false(assert))")), (7, "show the execution".into())]);

    editor.ask("workspace/executeCommand", &json!({ "command": "foldback.showExecution", "arguments": [uri, "main"] }));
    let shown = editor.hear(|message| message["method"] == "window/showDocument");
    let page = shown["params"]["uri"].as_str().and_then(|uri| uri.strip_prefix("file://")).expect("a file");
    assert!(std::fs::read_to_string(page).expect("a page").contains("m != 84"));

    // One function by itself, with any arguments.
    editor.ask("workspace/executeCommand", &json!({ "command": "foldback.verify", "arguments": [uri, "twice"] }));
    let found = editor.diagnostics(&uri);
    assert!(found.iter().any(|f| f["code"] == "no-overflow" && f["range"]["start"]["line"] == 4), "{found:?}");

    // Repaired and saved, its findings are gone.
    let repaired = BUG.replace("m != 84", "m != 85");
    std::fs::write(&file, &repaired).expect("saved");
    editor.change(&uri, &repaired);
    editor.save(&uri);
    let found = editor.hear(|m| {
        m["method"] == "textDocument/publishDiagnostics"
            && m["params"]["diagnostics"].as_array().is_some_and(|all| all.iter().all(|f| f["code"] != "assert"))
    });
    assert_eq!(found["params"]["uri"], json!(uri));
    editor.leave();
}

#[test]
fn invariants_stand_beside_their_loops() {
    let scratch = Scratch::new("lsp-safe");
    let uri = uri(&scratch.file("safe.c", SAFE));
    let mut editor = Editor::start(&["--engine", "kind"]);
    editor.open(&uri, SAFE);
    assert!(editor.hints(&uri).is_empty());
    editor.save(&uri);
    assert_eq!(editor.progress("end")["message"], "true");
    let hints = editor.hints(&uri);
    assert!(hints.iter().any(|(line, label)| *line == 5 && label.starts_with("invariant: ")), "{hints:?}");
    assert_eq!(editor.lenses(&uri), [(2, "verify this function (✓ true)".to_owned())]);
    // Their places are no longer known.
    editor.change(&uri, &format!("\n{SAFE}"));
    assert!(editor.hints(&uri).is_empty());
    editor.leave();
}

/// What is not C is told where it stands.
#[test]
fn errors_of_the_text() {
    let scratch = Scratch::new("lsp-syntax");
    let text = "int main(void) {\n  int x = ;\n  return 0;\n}\n";
    let uri = uri(&scratch.file("bad.c", text));
    let mut editor = Editor::start(&[]);
    editor.open(&uri, text);
    editor.save(&uri);
    let found = editor.diagnostics(&uri);
    assert_eq!((&found[0]["range"]["start"]["line"], &found[0]["severity"]), (&json!(1), &json!(1)), "{found:?}");
    editor.leave();
}

/// A change ends what is verified, and is answered at once.
#[test]
fn a_change_cancels() {
    let hard = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
        int main(void) { unsigned long long n = __VERIFIER_nondet_uint(), x = 0, y = 1, s = 0;\n\
        while (x < n) { x++; y = y * 6364136223846793005ull + 1442695040888963407ull; s += (y >> 33) * (x ^ s); }\n\
        if (s == 123456789012345ull && n > 1000) reach_error(); return 0; }\n";
    let scratch = Scratch::new("lsp-cancel");
    let uri = uri(&scratch.file("hard.c", hard));
    let mut editor = Editor::start(&[]);
    editor.open(&uri, hard);
    editor.save(&uri);
    assert!(editor.progress("report")["message"].is_string());
    // Of several tries, for a machine that does other things.
    let mut best = PATIENCE;
    for i in 0..3 {
        let begin = Instant::now();
        editor.change(&uri, &format!("{}{hard}", "\n".repeat(i + 1)));
        assert_eq!(editor.progress("end")["message"], "cancelled");
        assert_eq!(editor.lenses(&uri), [(i as u64 + 3, "verify this function".to_owned())]);
        best = best.min(begin.elapsed());
        editor.save(&uri);
        editor.progress("begin");
    }
    assert!(best < Duration::from_millis(200), "{best:?}");
    // The editor's button does the same.
    editor.tell("window/workDoneProgress/cancel", &json!({ "token": "foldback/none" }));
    let report = editor.hear(|m| m["method"] == "$/progress" && m["params"]["value"]["kind"] == "report");
    editor.tell("window/workDoneProgress/cancel", &json!({ "token": report["params"]["token"] }));
    assert_eq!(editor.progress("end")["message"], "cancelled");
    editor.leave();
}

/// Where foldback.toml speaks of a file, its proofs are what is verified.
#[test]
fn proofs_of_a_project() {
    let scratch = Scratch::new("lsp-project");
    scratch.file(
        "foldback.toml",
        "time-limit = \"30s\"\n[[proof]]\nname = \"adds\"\nentry = \"check_add\"\nsources = [\"add.c\", \"proof.c\"]\n",
    );
    let add = "int add(int a, int b) {\n  return a + b;\n}\n";
    let add_uri = uri(&scratch.file("add.c", add));
    let proof = "int add(int, int);\nvoid check_add(int a) {\n  add(a, 1);\n}\n";
    scratch.file("proof.c", proof);
    let mut editor = Editor::start(&[]);
    editor.open(&add_uri, add);
    editor.save(&add_uri);
    assert_eq!(editor.progress("begin")["title"], "foldback: adds");
    let found = editor.diagnostics(&add_uri);
    let [finding] = &found[..] else { panic!("{found:?}") };
    assert_eq!((&finding["code"], &finding["range"]["start"]["line"]), (&json!("no-overflow"), &json!(1)), "{finding}");
    editor.leave();
}
