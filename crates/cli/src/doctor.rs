//! `foldback doctor`: is everything there that foldback uses?

use crate::output::{self, Exit};

pub(crate) fn doctor() -> Exit {
    for finding in verifier::doctor::findings() {
        let (mark, text) = match &finding.state {
            Ok(text) => ("ok", text),
            Err(text) => ("missing", text),
        };
        output::line(format!("{mark:8} {:16} {text}", finding.what));
    }
    Exit::Fine
}
