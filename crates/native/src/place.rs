//! What a compiled program reported, and whether that names the check which the counterexample violates.
//!
//! The harness writes to a channel of its own, each line after a random word. It gives addresses; the compiler's line table
//! turns them into lines of the text that it was given, and the text's own table those into places of the source.

use base::{Sources, Span};
use cfa::{LocKind, Program, Property, Violation};
use cfront::written::Translation;
use gimli::{EndianSlice, LittleEndian};
use interpreter::{Ending, Outcome};
use object::{Object, ObjectSection};
use std::path::Path;

/// What the harness said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Report {
    /// A check failed: the call at this address came back to it.
    Reached { address: u64 },
    /// The sanitizer of addresses: its words, and the addresses of the calls, innermost first.
    Address { text: String, frames: Vec<u64> },
    /// The sanitizer of arithmetic: its word for what happened, and where.
    Arithmetic { kind: String, file: usize, line: u32 },
    /// The leak checker found something at the end.
    Leak,
    /// There is no memory where the run needs it.
    NoMemory,
}

impl Report {
    /// The first report in what came over the channel. Lines without the word are not the harness's.
    pub(super) fn read(bytes: &[u8], token: &str) -> Option<Report> {
        let text = String::from_utf8_lossy(bytes);
        let start = text.find(&format!("{token} "))?;
        let (head, rest) = text[start..].split_once('\n')?;
        let mut words = head.split(' ').skip(1);
        match words.next()? {
            "reached" => Some(Report::Reached { address: u64::from_str_radix(words.next()?, 16).ok()? }),
            "address" => {
                let text = rest.split(&format!("\n{token} end")).next()?.to_owned();
                let frames = text.lines().filter_map(frame);
                let frames = first_stack(frames);
                Some(Report::Address { text, frames })
            }
            "arithmetic" => Some(Report::Arithmetic {
                kind: words.next()?.to_owned(),
                file: file_number(words.next()?)?,
                line: words.next()?.parse().ok()?,
            }),
            "leak" => Some(Report::Leak),
            "memory" => Some(Report::NoMemory),
            _ => None,
        }
    }
}

/// `    #1 0x401196  (/…/program+0x1196)`: the number of the frame and the address.
fn frame(line: &str) -> Option<(usize, u64)> {
    let mut words = line.trim().strip_prefix('#')?.split_whitespace();
    let number = words.next()?.parse().ok()?;
    Some((number, u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()?))
}

/// Reports show where memory was allocated and freed as well: that is another stack, which starts at 0 again.
fn first_stack(frames: impl Iterator<Item = (usize, u64)>) -> Vec<u64> {
    let mut out = Vec::new();
    for (number, address) in frames {
        if number != out.len() {
            break;
        }
        out.push(address);
    }
    out
}

/// The name under which the compiler is given a file.
pub(super) fn file_name(number: usize) -> String {
    format!("program{number}.i")
}

fn file_number(name: &str) -> Option<usize> {
    name.rsplit('/').next()?.strip_prefix("program")?.strip_suffix(".i")?.parse().ok()
}

/// A compiler's table of lines: from each address on, which line of which file, or none.
pub(super) struct Lines {
    rows: Vec<(u64, Option<(usize, u32)>)>,
}

impl Lines {
    pub(super) fn read(binary: &Path) -> Option<Lines> {
        let bytes = std::fs::read(binary).ok()?;
        let object = object::File::parse(&*bytes).ok()?;
        let section = |id: gimli::SectionId| -> Result<EndianSlice<'_, LittleEndian>, gimli::Error> {
            let data = object.section_by_name(id.name()).and_then(|section| section.data().ok());
            Ok(EndianSlice::new(data.unwrap_or(&[]), LittleEndian))
        };
        let dwarf = gimli::Dwarf::load(section).ok()?;
        let mut rows = Vec::new();
        let mut units = dwarf.units();
        while let Some(header) = units.next().ok()? {
            let unit = dwarf.unit(header).ok()?;
            let Some(program) = unit.line_program.clone() else { continue };
            let mut steps = program.rows();
            while let Some((header, row)) = steps.next_row().ok()? {
                let name = row.file(header).and_then(|file| dwarf.attr_string(&unit, file.path_name()).ok());
                let file = name.and_then(|name| file_number(&name.to_string_lossy()));
                let line = row.line().and_then(|line| u32::try_from(line.get()).ok());
                rows.push((row.address(), file.zip(line).filter(|_| !row.end_sequence())));
            }
        }
        // Of rows with one address the last one counts: a sequence may start where another ends.
        rows.sort_by_key(|(address, row)| (*address, row.is_some()));
        Some(Lines { rows })
    }

    fn at(&self, address: u64) -> Option<(usize, u32)> {
        let behind = self.rows.partition_point(|(start, _)| *start <= address);
        self.rows.get(behind.checked_sub(1)?)?.1
    }
}

/// The check that a counterexample violates: its kind, and the places that count as its own.
pub(super) struct Expected<'a> {
    pub(super) property: Property,
    sources: &'a Sources,
    /// `None`: the run violates nothing, and any place contradicts it.
    spans: Option<Vec<Span>>,
    translation: &'a Translation,
    /// The text that was compiled has other columns than the program's.
    is_changed: bool,
    /// The failing check is called by a model of the library.
    is_of_library: bool,
}

/// Whether a report is about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Seen {
    Ours,
    /// Something else, and where.
    Other(String),
}

impl<'a> Expected<'a> {
    pub(super) fn new(
        program: &'a Program,
        outcome: &Outcome,
        property: Property,
        translation: &'a Translation,
        is_changed: bool,
    ) -> Expected<'a> {
        let spans = match &outcome.ending {
            Ending::Error(violation) => Some(places(program, outcome, violation)),
            _ => None,
        };
        let (func, loc) = outcome.location;
        let is_of_library = spans.is_some() && !is_users(program, &program.functions[func].locs[loc].span);
        Expected { property, sources: &program.sources, spans, translation, is_changed, is_of_library }
    }

    /// Whether there is a place to compare with.
    pub(super) fn is_somewhere(&self) -> bool {
        self.spans.as_ref().is_none_or(|spans| !spans.is_empty())
    }

    /// What the report is about; `lines` are those of the program that made it.
    pub(super) fn seen(&self, report: &Report, lines: Option<&Lines>) -> Seen {
        let line =
            |address: u64| lines.and_then(|lines| lines.at(address)).and_then(|(file, line)| self.place(file, line));
        match report {
            // The address is behind the call.
            Report::Reached { address } => {
                let is_call = matches!(self.property, Property::UnreachCall | Property::Assert);
                let place = line(address.wrapping_sub(1));
                // The library calls what `atexit` was given.
                if place.is_none() && lines.is_some() && self.is_of_library && self.property == Property::UnreachCall {
                    return Seen::Ours;
                }
                self.compare(place, is_call, !self.is_changed, "another check fails")
            }
            Report::Address { text, frames } => {
                let is_free = text.contains("attempting free") || text.contains("attempting double-free");
                let is_kind = match self.property {
                    Property::ValidDeref => !is_free,
                    Property::ValidFree => is_free,
                    _ => false,
                };
                // A jump to nowhere is a function that nobody defines, as far as one can tell.
                let is_jump = frames.first() == Some(&0);
                let place = frames.iter().find_map(|address| line(*address));
                self.compare(place, is_kind && !is_jump, false, "the sanitizer reports something else")
            }
            Report::Arithmetic { kind, file, line } => {
                let is_kind = match self.property {
                    Property::NoOverflow => kind.contains("overflow") || kind.contains("shift"),
                    Property::DivByZero => kind.contains("division") || kind.contains("divide"),
                    Property::UndefinedShift => kind.contains("shift"),
                    Property::UndefinedConversion => kind.contains("float-cast"),
                    _ => false,
                };
                self.compare(self.place(*file, *line), is_kind, false, "the sanitizer reports something else")
            }
            Report::Leak if matches!(self.property, Property::ValidMemtrack | Property::ValidMemcleanup) => Seen::Ours,
            Report::Leak | Report::NoMemory => Seen::Other("it reports something else".into()),
        }
    }

    fn compare(&self, place: Option<Span>, is_kind: bool, exact: bool, otherwise: &str) -> Seen {
        let Some(place) = place else { return Seen::Other(format!("{otherwise}, nobody knows where")) };
        let is_here = |spans: &Vec<Span>| spans.iter().any(|span| self.is_within(place, *span, exact));
        let is_ours = is_kind && self.spans.as_ref().is_none_or(is_here);
        if is_ours {
            Seen::Ours
        } else {
            Seen::Other(format!("{otherwise}, at {}", self.translation.sources.place(place)))
        }
    }

    /// The place of a line of the compiled text.
    fn place(&self, file: usize, line: u32) -> Option<Span> {
        let places = &self.translation.files.get(file)?.places;
        let place = *places.get((line as usize).checked_sub(1)?)?;
        (!place.is_nowhere()).then_some(place)
    }

    /// Whether a place of the compiled text lies in a stretch of the program, by columns or by lines.
    fn is_within(&self, place: Span, span: Span, exact: bool) -> bool {
        let name = |sources: &Sources, span: Span| sources.file(span.file).map(|file| file.name.clone());
        if name(&self.translation.sources, place) != name(self.sources, span) {
            return false;
        }
        let end = (span.end_line, span.end_col).max((span.line, span.col));
        match exact {
            true => ((span.line, span.col)..=end).contains(&(place.line, place.col)),
            false => (span.line..=end.0).contains(&place.line),
        }
    }
}

/// Whether it is a place in the user's text, not in the library's models.
fn is_users(program: &Program, span: &Span) -> bool {
    let file = program.sources.file(span.file);
    !span.is_nowhere() && file.is_some_and(|file| !file.name.starts_with('<'))
}

/// Where the run ends in the user's text; for a run that nobody has made, wherever that violation is.
fn places(program: &Program, outcome: &Outcome, violation: &Violation) -> Vec<Span> {
    let is_users = |span: &Span| is_users(program, span);
    let is_it = |kind: &LocKind| matches!(kind, LocKind::Error(found) if found == violation);
    let (func, loc) = outcome.location;
    if is_it(&program.functions[func].locs[loc].kind) {
        let calls = outcome.call_path.iter().rev().map(|(caller, edge)| program.functions[*caller].edges[*edge].span);
        let first = std::iter::once(program.functions[func].locs[loc].span).chain(calls).find(is_users);
        return first.into_iter().collect();
    }
    let locations = program.functions.values().flat_map(|function| function.locs.values());
    locations.filter(|location| is_it(&location.kind)).map(|location| location.span).filter(is_users).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_with_the_word_count() {
        let read = |text: &str| Report::read(text.as_bytes(), "f00d");
        assert_eq!(read("hello\nf00d reached 4011a6\n"), Some(Report::Reached { address: 0x4011a6 }));
        assert_eq!(read("beef reached 4011a6\n"), None);
        assert_eq!(read("reached 4011a6\n"), None);
        assert_eq!(read("f00d reached 4011a6"), None, "cut off");
        let arithmetic = Report::Arithmetic { kind: "signed-integer-overflow".into(), file: 2, line: 17 };
        assert_eq!(read("f00d arithmetic signed-integer-overflow program2.i 17 3\n"), Some(arithmetic));
        assert_eq!(read("f00d leak\n"), Some(Report::Leak));
    }

    #[test]
    fn the_stack_of_the_access_comes_first() {
        let text = "f00d address\n==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010\n\
                    READ of size 4 at 0x602000000010 thread T0\n    #0 0x401196  (/p/program+0x401196)\n    #1 0x7f00  \
                    (/lib/libc.so.6+0x1)\n\nfreed by thread T0 here:\n    #0 0x7f01 (/lib/libasan.so+0x1)\n\nf00d end\n";
        match Report::read(text.as_bytes(), "f00d") {
            Some(Report::Address { frames, .. }) => assert_eq!(frames, [0x401196, 0x7f00]),
            other => panic!("{other:?}"),
        }
    }
}
