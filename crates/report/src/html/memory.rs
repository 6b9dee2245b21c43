//! Memory as a picture: objects as boxes, pointers between them as arrows from the left to the right where possible, and
//! above each box the pointer variables that lead to it. The words for all that are its label.

use crate::highlight::escape;
use crate::model::{Memory, MemoryObject};
use crate::text::memory_in_words;
use std::fmt::Write as _;

/// The width of a letter and the height of a line, in pixels, at the size that the style sheet gives.
const LETTER: f64 = 7.9;
const LINE: f64 = 20.0;
/// Between letters and lines, boxes above each other, and columns, where the arrows are.
const PADDING: f64 = 8.0;
const GAP: f64 = 18.0;
const COLUMN_GAP: f64 = 64.0;
/// Above a box, for the variables that point to it.
const ABOVE: f64 = 40.0;

/// Where a box lies.
#[derive(Clone, Copy, Default)]
struct Frame {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Frame {
    /// The middle of a line of it.
    fn line(&self, index: usize) -> f64 {
        self.y + PADDING + LINE * (index as f64 + 0.5)
    }

    fn right(&self) -> f64 {
        self.x + self.width
    }
}

pub(super) fn picture(memory: &Memory) -> String {
    let widest = |lines: &[String]| lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) as f64 * LETTER;
    let mut frames = vec![Frame::default(); memory.objects.len()];
    let (mut x, mut bottom) = (1.0, 0.0_f64);
    for column in columns(memory) {
        let (mut y, mut width) = (1.0, 0.0_f64);
        for object in &column {
            let (lines, pointers) = (lines(&memory.objects[*object]), pointers(memory, *object));
            let height = LINE * lines.len() as f64 + 2.0 * PADDING;
            frames[*object] = Frame { x, y: y + ABOVE, width: 0.0, height };
            width = width.max(widest(&lines) + 2.0 * PADDING).max(widest(&[pointers]) + 2.0 * PADDING);
            y += ABOVE + height + GAP;
        }
        column.iter().for_each(|object| frames[*object].width = width);
        (x, bottom) = (x + width + COLUMN_GAP, bottom.max(y - GAP + 1.0));
    }
    // Arrows of the last column bend to its right.
    let (width, height) = (x - COLUMN_GAP + 40.0, bottom);
    let mut svg = format!(
        "<div class=\"picture memory\" tabindex=\"0\" role=\"img\" aria-label=\"{}\">\n\
         <svg width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" aria-hidden=\"true\">\n",
        escape(&memory_in_words(memory).join(". "))
    );
    for (number, (object, frame)) in memory.objects.iter().zip(&frames).enumerate() {
        let class = match (object.is_wrong, object.is_live) {
            (true, true) => "wrong",
            (true, false) => "wrong gone",
            (false, true) => "live",
            (false, false) => "gone",
        };
        let Frame { x, y, width, height } = *frame;
        let _ = writeln!(
            svg,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"4\"/>"
        );
        let names = pointers(memory, number);
        if !names.is_empty() {
            let (x, top) = (x + PADDING, y - ABOVE + LINE / 2.0);
            svg += &text("name", x, top, &names);
            let middle = x + LETTER / 2.0;
            let line = format!("M{middle:.1} {:.1}V{y:.1}", top + LINE / 2.0);
            svg += &arrow(&line, &format!("M{middle:.1} {y:.1}l-4 -8h8z"));
        }
        let first_cell = lines(object).len() - object.cells.len();
        for (i, line) in lines(object).iter().enumerate() {
            let class = match i {
                0 => "name",
                i if i < first_cell => "quiet",
                _ => "cell",
            };
            svg += &text(class, x + PADDING, frame.line(i), line);
        }
        for (i, cell) in object.cells.iter().enumerate() {
            let to = cell.to.and_then(|to| frames.get(to));
            svg += &to.map(|to| pointer(frame, frame.line(first_cell + i), to)).unwrap_or_default();
        }
    }
    let more =
        if memory.more > 0 { format!("<p class=\"quiet\">And {} more.</p>\n", memory.more) } else { String::new() };
    svg + "</svg></div>\n" + &more
}

/// What stands in the box of an object: its name, its history, its cells.
fn lines(object: &MemoryObject) -> Vec<String> {
    let cells = object.cells.iter().map(|cell| match (cell.name.as_str(), cell.to) {
        ("", _) => cell.value.clone(),
        (name, Some(_)) => format!("{name} ●"),
        (name, None) => format!("{name} = {}", cell.value),
    });
    std::iter::once(object.name.clone()).chain(object.history()).chain(cells).collect()
}

/// The variables that point to an object.
fn pointers(memory: &Memory, object: usize) -> String {
    let names =
        memory.pointers.iter().filter(|pointer| pointer.to == Some(object)).map(|pointer| pointer.name.as_str());
    names.collect::<Vec<_>>().join(", ")
}

/// Each object one column to the right of the first that points to it; those that none points to, but variables, stand in the
/// first column, and of a cycle its first.
fn columns(memory: &Memory) -> Vec<Vec<usize>> {
    let all = 0..memory.objects.len();
    let targets = |object: usize| memory.objects[object].cells.iter().filter_map(|cell| cell.to);
    let is_start =
        |object: &usize| !all.clone().any(|other| other != *object && targets(other).any(|to| to == *object));
    let mut columns: Vec<Vec<usize>> = Vec::new();
    for start in all.clone().filter(is_start).chain(all.clone()) {
        let mut next = vec![start];
        let mut at = 0;
        while !next.is_empty() {
            next.retain(|object| !columns.iter().flatten().any(|known| known == object));
            next.dedup();
            if columns.len() <= at {
                columns.push(Vec::new());
            }
            columns[at].extend(&next);
            next = next.iter().flat_map(|object| targets(*object)).collect();
            at += 1;
        }
    }
    columns.retain(|column| !column.is_empty());
    columns
}

fn text(class: &str, x: f64, y: f64, text: &str) -> String {
    format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" dominant-baseline=\"central\">{}</text>\n", escape(text))
}

/// From a line of a box to another box, on the right or on the left of it, or around to the right side of one in its column.
fn pointer(from: &Frame, y: f64, to: &Frame) -> String {
    let (x, end_y) = (from.right(), to.line(0));
    if to.x > x {
        let bend = (to.x - x) / 2.0;
        let line =
            format!("M{x:.1} {y:.1}C{:.1} {y:.1} {:.1} {end_y:.1} {:.1} {end_y:.1}", x + bend, to.x - bend, to.x);
        arrow(&line, &format!("M{:.1} {end_y:.1}l-8 -4v8z", to.x))
    } else if to.right() < from.x {
        let bend = (from.x - to.right()) / 2.0;
        let (x, end) = (from.x, to.right());
        let line = format!("M{x:.1} {y:.1}C{:.1} {y:.1} {:.1} {end_y:.1} {end:.1} {end_y:.1}", x - bend, end + bend);
        arrow(&line, &format!("M{end:.1} {end_y:.1}l8 -4v8z"))
    } else {
        let (bend, end) = (x.max(to.right()) + 36.0, to.right());
        let line = format!("M{x:.1} {y:.1}C{bend:.1} {y:.1} {bend:.1} {end_y:.1} {end:.1} {end_y:.1}");
        arrow(&line, &format!("M{end:.1} {end_y:.1}l8 -4v8z"))
    }
}

fn arrow(line: &str, head: &str) -> String {
    format!("<path class=\"arrow\" d=\"{line}\"/><path class=\"head\" d=\"{head}\"/>\n")
}
