//! The page of a result in a browser: clicked through on a narrow and on a wide screen, dark and light.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use crate::common::{BUG, PROOF, Scratch, npm, stderr, stdout};
use std::process::Command;

/// A browser that runs without a screen; without one, the test says that it is skipped.
fn browser() -> Option<&'static str> {
    let found = ["chromium", "chromium-browser", "google-chrome", "chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()));
    if found.is_none() {
        eprintln!("skipped: no chromium or chrome to open the page in");
    }
    found
}

/// Verifies some files and leaves the page beside them.
fn page(name: &str, files: &[(&str, &str)], flags: &[&str]) -> Scratch {
    let scratch = Scratch::new(&format!("page-{name}"));
    files.iter().for_each(|(file, text)| drop(scratch.file(file, text)));
    let sources = files.iter().map(|(file, _)| *file).filter(|file| file.ends_with(".c"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_foldback"));
    command.args(["verify", "--replay", "interpreter", "--html", "page.html"]).args(flags).args(sources);
    let output = command.current_dir(scratch.path(".")).output().expect("the binary runs");
    assert!(scratch.path("page.html").exists(), "{}{}", stdout(&output), stderr(&output));
    scratch
}

/// Narrow and wide, light and dark.
const SCREENS: [(u32, bool); 4] = [(420, false), (420, true), (1400, false), (1400, true)];

/// What a script says that has a page in a frame of some width: `d` is its document, `w` its window, `say` says a line.
/// The page itself is as it was written: what its policy forbids does not happen.
fn in_browser(browser: &str, scratch: &Scratch, page: &str, (width, is_dark): (u32, bool), script: &str) -> String {
    let driver = format!(
        "<!doctype html><body><iframe id=\"frame\" src=\"{page}\" width=\"{width}\" height=\"800\"></iframe>\n\
         <pre id=\"out\"></pre><script>\nconst say = (text) => out.textContent += text + '\\n';\n\
         frame.addEventListener('load', async () => {{\nconst d = frame.contentDocument, w = frame.contentWindow;\n\
         const press = (key) => d.dispatchEvent(new w.KeyboardEvent('keydown', {{ key, bubbles: true }}));\n\
         try {{\n{script}\n}} catch (error) {{ say(error); }}\n}});\n</script></body>"
    );
    scratch.file("driver.html", driver);
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1600,1000", "--dump-dom"])
        .args(["--allow-file-access-from-files", "--virtual-time-budget=30000"])
        .arg(format!("--blink-settings=preferredColorScheme={}", if is_dark { 0 } else { 1 }))
        .arg(format!("--user-data-dir={}", scratch.path("profile").display()))
        .arg(format!("file://{}", scratch.path("driver.html").display()))
        .output()
        .expect("the browser runs");
    let dom = stdout(&output);
    let out = dom.split("<pre id=\"out\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    out.unwrap_or_else(|| panic!("{dom}\n{}", stderr(&output))).trim().to_owned()
}

#[test]
fn a_browser_steps_through() {
    let Some(browser) = browser() else { return };
    let scratch = page("steps", &[("program.c", BUG)], &["--time-limit", "20s"]);
    let script = r#"
const state = (what) => {
  const line = d.querySelector('.line.here')?.id;
  const rows = [...d.querySelectorAll('#values tbody tr')];
  const values = rows.map((r) => [...r.cells].map((c) => c.textContent).join(' ') + (r.className ? '!' : ''));
  const position = d.getElementById('position').textContent;
  say(`${what}: ${position} ${line} [${values}] ${d.querySelectorAll('ol.steps [aria-current]').length}`);
};
state('start');
press('End'); state('end');
press('ArrowRight'); state('beyond');
press('Home'); state('home');
press('ArrowRight'); press('ArrowLeft'); press('ArrowRight'); state('right');
d.getElementById('next').click(); state('next');
const loop = [...d.querySelectorAll('ol.steps button')].find((b) => b.textContent.includes('runs 7 times'));
loop.click(); state('loop');
"#;
    let said = in_browser(browser, &scratch, "page.html", (1200, false), script);
    let lines: Vec<&str> = said.lines().collect();
    let [start, end, beyond, home, right, next, at_loop] = lines[..] else { panic!("{said}") };
    assert!(start.contains("step 1 of ") && start.ends_with(" 1"), "{said}");
    assert!(end.contains(" f0-13 ") && end.contains("doubled main 28"), "{said}");
    assert_eq!(beyond.split_once(':').map(|x| x.1), end.split_once(':').map(|x| x.1), "{said}");
    assert_eq!(home.split_once(':').map(|x| x.1), start.split_once(':').map(|x| x.1), "{said}");
    assert!(right.contains("step 2 of ") && next.contains("step 3 of "), "{said}");
    assert!(at_loop.contains(" f0-9 ") && at_loop.contains("n main 14!"), "{said}");
}

/// Many lines lie between where a number comes in, in one file, and where it does harm, in another.
#[test]
fn controls_stay_in_sight_and_the_other_file_opens() {
    let Some(browser) = browser() else { return };
    let filler = "/* A long file. */\n".repeat(120);
    let main = format!(
        "#include <assert.h>\nint half(int);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {{\n\
         \x20 int n = __VERIFIER_nondet_int();\n{filler}  int h = half(n);\n  return h;\n}}\n"
    );
    let half = format!(
        "#include <assert.h>\n{filler}int half(int x) {{\n  int result = x / 2;\n{filler}  assert(result * 2 == x);\n\
         \x20 return result;\n}}\n"
    );
    let scratch = page("sight", &[("main.c", &main), ("half.c", &half)], &["--property", "assert"]);
    let script = r#"
say(w.matchMedia('(prefers-color-scheme: dark)').matches);
say(w.getComputedStyle(d.body).backgroundColor);
const inSight = (element) => {
  const box = element.getBoundingClientRect();
  return box.top >= 0 && box.bottom <= w.innerHeight;
};
d.querySelectorAll('section.code details').forEach((file) => file.removeAttribute('open'));
for (const key of ['Home', 'End', 'Home', 'ArrowRight']) {
  press(key);
  const line = d.querySelector('.line.here'), side = d.querySelector('.side').getBoundingClientRect();
  const isCovered = side.left < 20 && line.getBoundingClientRect().top < side.bottom;
  say([key, inSight(d.querySelector('.controls')), inSight(line) && !isCovered, line.closest('details').open].join(' '));
}
press('End');
say(d.getElementById('calls').textContent);
say(d.querySelector('.line.here').id);
say(d.documentElement.scrollWidth <= w.innerWidth);
say([...d.querySelectorAll('#h-checks ~ div a')].map((a) => a.getAttribute('href')));
say(d.body.textContent.includes('No picture'));
"#;
    for (width, is_dark) in SCREENS {
        let said = in_browser(browser, &scratch, "page.html", (width, is_dark), script);
        let lines: Vec<&str> = said.lines().collect();
        let [dark, paper, steps @ .., calls, here, fits, checks, boxed] = &lines[..] else { panic!("{said}") };
        assert_eq!(*dark, is_dark.to_string(), "{said}");
        assert_eq!(*paper, if is_dark { "rgb(22, 24, 27)" } else { "rgb(255, 255, 255)" }, "{said}");
        for step in steps {
            assert!(step.ends_with(" true true true"), "at {width} pixels: {said}");
        }
        assert_eq!(*calls, "Calls: main › half (called at main.c:126)", "{said}");
        assert_eq!(*here, "f1-244", "{said}");
        assert_eq!(*fits, "true", "nothing is wider than {width} pixels: {said}");
        assert_eq!(*checks, "#f1-244", "{said}");
        assert_eq!(*boxed, "false", "{said}");
    }
}

/// Of an answer that is not there, the checks and what is known of loops are listed, with links.
#[test]
fn checks_and_loops_are_listed() {
    let program = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
        int main(void) { unsigned long long n = __VERIFIER_nondet_uint(), x = 0, y = 1, s = 0;\n\
        while (x < n) { x++; y = y * 6364136223846793005ull + 1442695040888963407ull; s += (y >> 33) * (x ^ s); }\n\
        if (s == 123456789012345ull && n > 1000) reach_error(); return 0; }\n";
    let scratch = page("checks", &[("hard.c", program)], &["-p", "unreach-call", "--time-limit", "4s"]);
    let page = std::fs::read_to_string(scratch.path("page.html")).expect("a page");
    let of = |heading: &str| page.split(heading).nth(1).and_then(|rest| rest.split("</section>").next()).unwrap_or("");
    let checks = of("<h2 id=\"h-checks\">");
    assert!(checks.contains("open</span></td><td><a href=\"#f0-5\">hard.c:5</a>"), "{page}");
    let loops = of("<h2 id=\"h-loops\">");
    assert!(loops.contains("<a href=\"#f0-4\">hard.c:4</a> in <code>main</code>"), "{page}");
    assert!(!page.contains("No picture"), "{page}");
}

/// Nothing keeps people from reading or using a page: of violations, of a proof and of no answer.
#[test]
fn axe_finds_nothing() {
    let (Some(browser), Some(axe)) = (browser(), npm("axe-core@4.14.0", "axe-core/axe.min.js")) else { return };
    let heap = "#include <stdlib.h>\nstruct node { int key; struct node *next; };\nint main(void) {\n\
        \x20 struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);\n  a->key = 1; a->next = b;\n\
        \x20 b->key = 2; b->next = 0;\n  free(b);\n  return a->next->key;\n}\n";
    let pages = [
        ("axe-bug", BUG, &["--time-limit", "20s"][..]),
        ("axe-heap", heap, &["-p", "memsafety", "--time-limit", "20s"]),
        ("axe-proof", PROOF, &["--engine", "absint", "--time-limit", "20s"]),
        ("axe-open", PROOF, &["--engine", "bmc", "--time-limit", "200ms"]),
    ];
    // The policy of the page forbids other scripts than its own: here, and only here, it is taken out.
    let script = "const found = await w.axe.run(d, { resultTypes: ['violations'] });\nsay(found.passes.length > 20);\n\
        for (const { id, nodes } of found.violations) say(id + ': ' + nodes[0].html + ' ' + nodes[0].failureSummary);\n";
    for (name, program, flags) in pages {
        let scratch = page(name, &[("program.c", program)], flags);
        std::fs::copy(&axe, scratch.path("axe.js")).expect("a copy");
        let text = std::fs::read_to_string(scratch.path("page.html")).expect("a page");
        let (start, rest) = text.split_once("<meta http-equiv=\"Content-Security-Policy\"").expect("a policy");
        let (_, rest) = rest.split_once(">\n").expect("its end");
        scratch
            .file("axe.html", format!("{start}{rest}").replace("</head>", "<script src=\"axe.js\"></script></head>"));
        for screen in SCREENS {
            let said = in_browser(browser, &scratch, "axe.html", screen, script);
            assert_eq!(said, "true", "{name} at {screen:?}");
        }
    }
}
