//! Smaller programs with the same fault: leave out lines, and blocks around lines, as long as the fault stays.

use crate::generate::{Line, Source};

/// The smallest program found for which `is_faulty` still says yes.
pub fn shrink(source: &Source, is_faulty: &mut dyn FnMut(&Source) -> bool) -> Source {
    let mut best = source.clone();
    'again: loop {
        for smaller in smaller(&best.lines) {
            let candidate = Source { lines: smaller };
            if is_faulty(&candidate) {
                best = candidate;
                continue 'again;
            }
        }
        return best;
    }
}

/// All ways to leave out one line, or to put a block's lines in its place.
fn smaller(lines: &[Line]) -> Vec<Vec<Line>> {
    let mut out = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let with = |new: Vec<Line>| [&lines[..i], &new, &lines[i + 1..]].concat();
        out.push(with(Vec::new()));
        if let Line::Block(head, inner) = line {
            out.push(with(inner.clone()));
            for new in smaller(inner) {
                out.push(with(vec![Line::Block(head.clone(), new)]));
            }
        }
    }
    out
}
