//! `foldback cfa`: shows the automaton, as text, as a Graphviz graph, as a picture or as BTOR2; or the tree that a proof
//! explores.

use crate::flags::FormatFlag;
use crate::output::{self, BadInput, Exit};
use crate::settings::Subject;
use report::picture;
use transform::pipeline::{self, Stage};
use verifier::load;
use verifier::tree::{self, Tree};

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

/// The symbolic execution tree of engine tracer.
pub(crate) fn show_tree(settings: &Subject, format: FormatFlag) -> Result<Exit, BadInput> {
    if matches!(format, FormatFlag::Text | FormatFlag::Btor2) {
        return Err(BadInput::Message("a tree is drawn with --format dot or --format svg".into()));
    }
    let Tree { dot, told } = tree::explored(settings)?;
    output::bytes(&if format == FormatFlag::Svg { picture::svg(&dot)? } else { dot.into_bytes() });
    output::note(told);
    Ok(Exit::Fine)
}
