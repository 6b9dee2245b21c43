//! Pictures of automata, drawn by Graphviz.

use std::io::Write;
use std::process::{Command, Stdio};

/// A page with more locations than this shows no picture: nobody could read it.
const MOST_LOCATIONS: usize = 150;

/// The automaton as a page shows it, where it can be drawn.
pub fn of(program: &cfa::Program) -> Option<String> {
    if program.main().locs.len() > MOST_LOCATIONS {
        return None;
    }
    svg(&cfa::dot::dot(program)).ok().map(|svg| String::from_utf8_lossy(&svg).into_owned())
}

/// Graphviz draws the picture. The error is for the user.
pub fn svg(dot: &str) -> Result<Vec<u8>, String> {
    let failed = |e: std::io::Error| {
        format!("cannot run Graphviz's 'dot' (package graphviz): {e}; --format dot needs no other program")
    };
    let mut child = Command::new("dot")
        .arg("-Tsvg")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .map_err(failed)?;
    let mut stdin = child.stdin.take().ok_or_else(|| "no pipe to 'dot'".to_owned())?;
    let picture = std::thread::scope(|scope| {
        // `dot` reads everything before it writes, but a pipe has to be emptied while it is filled in any case.
        scope.spawn(move || stdin.write_all(dot.as_bytes()));
        child.wait_with_output()
    })
    .map_err(failed)?;
    if !picture.status.success() {
        return Err(format!("'dot' ended with {}", picture.status));
    }
    Ok(picture.stdout)
}
