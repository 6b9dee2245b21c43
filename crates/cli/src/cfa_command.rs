//! `foldback cfa`: shows the automaton, as text, as a Graphviz graph, as a picture or as BTOR2; or the tree that a proof
//! explores.

use crate::flags::FormatFlag;
use crate::output::{self, BadInput, Exit};
use crate::settings::Subject;
use engine::{Board, Budget, Cx, Engine, Task, Verdict};
use report::picture;
use smt::SolverSettings;
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
        FormatFlag::Text if with_source => {
            output::bytes(report::colour::harmless(&cfa::print_annotated(program)).as_bytes())
        }
        FormatFlag::Text => output::bytes(cfa::print(program).as_bytes()),
        FormatFlag::Dot => output::bytes(cfa::dot::dot(program).as_bytes()),
        FormatFlag::Svg => output::bytes(&picture::svg(&cfa::dot::dot(program))?),
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
        return Err(BadInput::Message("a tree is drawn with --format dot or --format svg".into()));
    }
    let prepared = pipeline::prepare(&load::lowered(settings)?, &load::passes(&settings.lowering.properties));
    let task = Task::new(prepared.program);
    let budget = Budget::new(EXPLORING, u64::MAX);
    let mut cx = Cx::new(&task, budget, Board::new(), SolverSettings::default());
    let mut tracer = Tracer::default();
    let verdict = tracer.run(&task, &mut cx);
    let dot = tracer
        .dot(&cx.terms)
        .ok_or_else(|| BadInput::Message(format!("the tree is too large ({})", tracer.statistics())))?;
    output::bytes(&if format == FormatFlag::Svg { picture::svg(&dot)? } else { dot.into_bytes() });
    let result = match verdict {
        Verdict::Safe(_) => "true".to_owned(),
        Verdict::Unsafe(_) => "false".to_owned(),
        Verdict::Unknown(why) => format!("unknown ({why})"),
    };
    output::note(format!("{}: {result}; {}", tracer.name(), tracer.statistics()));
    Ok(Exit::Fine)
}
