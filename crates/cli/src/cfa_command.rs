//! `foldback cfa`: shows the automaton, as text, as a Graphviz graph, as a picture or as BTOR2; or the tree that a proof
//! explores.

use crate::flags::FormatFlag;
use crate::output::{self, BadInput, Exit};
use crate::settings::Subject;
use engine::{Board, Budget, Cx, Engine, Task, Verdict};
use smt::SolverSettings;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;
use tracer::Tracer;
use transform::pipeline::{self, Stage};
use verifier::load;

pub(crate) fn show(settings: &Subject, stage: Stage, format: FormatFlag, with_source: bool) -> Result<Exit, BadInput> {
    let lowered = load::lowered(settings)?;
    let passes = load::passes(&settings.lowering.properties);
    let later = (stage != Stage::Lowered).then(|| pipeline::at_stage(&lowered, stage, &passes));
    let program = later.as_ref().unwrap_or(&lowered);
    match format {
        FormatFlag::Text if with_source => output::bytes(cfa::print_annotated(program).as_bytes()),
        FormatFlag::Text => output::bytes(cfa::print(program).as_bytes()),
        FormatFlag::Dot => output::bytes(cfa::dot::dot(program).as_bytes()),
        FormatFlag::Svg => output::bytes(&svg(&cfa::dot::dot(program))?),
        // Of what engines get, whatever the stage.
        FormatFlag::Btor2 => {
            let prepared = pipeline::prepare(&lowered, &passes).program;
            output::bytes(btor2::write(&prepared).map_err(|why| why.to_string())?.as_bytes());
        }
    }
    Ok(Exit::Fine)
}

/// For so long the tree is explored.
const EXPLORING: Duration = Duration::from_secs(10);

/// The symbolic execution tree of engine tracer.
pub(crate) fn show_tree(settings: &Subject, format: FormatFlag) -> Result<Exit, BadInput> {
    if matches!(format, FormatFlag::Text | FormatFlag::Btor2) {
        return Err(BadInput("a tree is drawn with --format dot or --format svg".into()));
    }
    let prepared = pipeline::prepare(&load::lowered(settings)?, &load::passes(&settings.lowering.properties));
    let task = Task::new(prepared.program);
    let budget = Budget::new(EXPLORING, u64::MAX);
    let mut cx = Cx::new(&task, budget, Board::new(), SolverSettings::default());
    let mut tracer = Tracer::default();
    let verdict = tracer.run(&task, &mut cx);
    let dot =
        tracer.dot(&cx.terms).ok_or_else(|| BadInput(format!("the tree is too large ({})", tracer.statistics())))?;
    output::bytes(&if format == FormatFlag::Svg { svg(&dot)? } else { dot.into_bytes() });
    let result = match verdict {
        Verdict::Safe(_) => "true".to_owned(),
        Verdict::Unsafe(_) => "false".to_owned(),
        Verdict::Unknown(why) => format!("unknown ({why})"),
    };
    output::note(format!("{}: {result}; {}", tracer.name(), tracer.statistics()));
    Ok(Exit::Fine)
}

/// A page with more locations than this shows no picture: nobody could read it.
const MOST_LOCATIONS: usize = 150;

/// The automaton as a page shows it, where it can be drawn.
pub(crate) fn picture(program: &cfa::Program) -> Option<String> {
    if program.main().locs.len() > MOST_LOCATIONS {
        return None;
    }
    svg(&cfa::dot::dot(program)).ok().map(|svg| String::from_utf8_lossy(&svg).into_owned())
}

/// Graphviz draws the picture.
fn svg(dot: &str) -> Result<Vec<u8>, BadInput> {
    let failed = |e: std::io::Error| {
        BadInput(format!("cannot run Graphviz's 'dot' (package graphviz): {e}; --format dot needs no other program"))
    };
    let mut child = Command::new("dot")
        .arg("-Tsvg")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .map_err(failed)?;
    let mut stdin = child.stdin.take().ok_or_else(|| BadInput("no pipe to 'dot'".into()))?;
    let picture = std::thread::scope(|scope| {
        // `dot` reads everything before it writes, but a pipe has to be emptied while it is filled in any case.
        scope.spawn(move || stdin.write_all(dot.as_bytes()));
        child.wait_with_output()
    })
    .map_err(failed)?;
    if !picture.status.success() {
        return Err(BadInput(format!("'dot' ended with {}", picture.status)));
    }
    Ok(picture.stdout)
}
