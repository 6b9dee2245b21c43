//! Reading witnesses: YAML 2.0 to 2.2, ours and other tools'. What the format does not know is refused with a message that
//! says where.

use crate::extension::{self, Extension};
use crate::ghost::Ghosts;
use crate::yaml;
use yaml_rust2::Yaml;

/// One witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// `2.0`, `2.1` or `2.2`.
    pub version: String,
    /// Who wrote it, and what they say about it.
    pub producer: String,
    pub description: Option<String>,
    /// Files with their SHA-256.
    pub hashes: Vec<(String, String)>,
    pub specification: Option<String>,
    pub data_model: Option<String>,
    pub claim: Claim,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// These hold, and with them the property can be proved.
    Correctness(Correctness),
    /// An execution that follows the segments, one after the other, violates the property.
    Violation(Vec<Segment>),
}

/// What a witness of correctness says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Correctness {
    pub invariants: Vec<Invariant>,
    /// Invariants may speak of them, by the names that [`crate::ghost::own_name`] gives them.
    pub ghosts: Ghosts,
    /// What C cannot say.
    pub extension: Vec<Extension>,
}

/// What holds whenever control is at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    pub kind: InvariantKind,
    pub location: Location,
    /// A C expression; a contract as people read it.
    pub value: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InvariantKind {
    /// Whenever the controlling expression of the loop is about to be evaluated.
    Loop,
    /// Before the statement.
    Statement,
    /// Between any two evaluations of the controlling expression of the loop since it was entered.
    Transition,
    /// Between any two visits of the statement.
    StatementTransition,
    /// Whenever the function is called, and when it returns.
    Contract { requires: Option<String>, ensures: Option<String> },
}

impl InvariantKind {
    pub fn is_transition(&self) -> bool {
        matches!(self, InvariantKind::Transition | InvariantKind::StatementTransition)
    }

    /// What there is at its place.
    pub fn place(&self) -> &'static str {
        match self {
            InvariantKind::Loop | InvariantKind::Transition => "loop",
            InvariantKind::Statement | InvariantKind::StatementTransition => "statement",
            InvariantKind::Contract { .. } => "function",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// Not to be passed before the segment ends.
    pub avoid: Vec<Waypoint>,
    /// Ends the segment; in the last one it is the target.
    pub follow: Waypoint,
    /// Passed again and again for ever, with the others of this kind, which are the last ones.
    pub cycle: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    pub kind: WaypointKind,
    pub location: Location,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    /// A C expression that holds before the statement.
    Assumption(String),
    /// `true`, `false`, a case of a `switch`, or `default`.
    Branching(String),
    FunctionEnter,
    /// A C expression about `\result`, if there is one.
    FunctionReturn(Option<String>),
    Target,
}

/// Lines and columns count from 1; without a column, the first suitable place of the line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
    pub function: Option<String>,
}

impl Location {
    pub fn show(&self) -> String {
        match self.column {
            Some(column) => format!("{}:{}:{column}", self.file, self.line),
            None => format!("{}:{}", self.file, self.line),
        }
    }
}

/// Reads the text of a witness file. The error is for the user.
pub fn read(text: &str) -> Result<Witness, String> {
    let documents = yaml::load(text)?;
    let Some(Yaml::Array(entries)) = documents.first() else {
        return Err("a witness is a YAML list of entries".into());
    };
    let mut found: Option<Witness> = None;
    let (mut ghosts, mut stated) = (Ghosts::default(), Vec::new());
    for entry in entries {
        let kind = text_of(entry, "entry_type")?;
        let content = &entry["content"];
        let claim = match kind.as_str() {
            "invariant_set" => {
                Claim::Correctness(Correctness { invariants: invariants(content)?, ..Correctness::default() })
            }
            "violation_sequence" => Claim::Violation(segments(content)?),
            // Our own, beside a violation_sequence: what it says is more than that, and read by `danger::read`.
            "danger_invariant" => continue,
            "ghost_instrumentation" => {
                ghosts.add(content)?;
                continue;
            }
            extension::ENTRY => {
                stated.extend(extension::read(content)?);
                continue;
            }
            other => return Err(format!("unknown entry_type '{other}'")),
        };
        match (&mut found, claim) {
            (None, claim) => found = Some(with_metadata(&entry["metadata"], claim)?),
            (Some(Witness { claim: Claim::Correctness(all), .. }), Claim::Correctness(more)) => {
                all.invariants.extend(more.invariants);
            }
            _ => return Err("more than one violation_sequence, or both kinds of witness, in one file".into()),
        }
    }
    let mut witness = found.ok_or("there is neither an invariant_set nor a violation_sequence in it")?;
    match &mut witness.claim {
        Claim::Correctness(said) => {
            said.invariants.iter_mut().for_each(|invariant| ghosts.rename(invariant));
            (said.ghosts, said.extension) = (ghosts, stated);
        }
        Claim::Violation(_) if ghosts != Ghosts::default() => return Err("ghost variables beside a violation".into()),
        Claim::Violation(_) => {}
    }
    Ok(witness)
}

fn with_metadata(metadata: &Yaml, claim: Claim) -> Result<Witness, String> {
    let version = scalar(&metadata["format_version"]).ok_or("metadata.format_version is missing")?;
    if !matches!(version.as_str(), "2.0" | "2.1" | "2.2" | "2.0.1") {
        return Err(format!("format_version '{version}': known are 2.0, 2.1 and 2.2"));
    }
    let task = &metadata["task"];
    let hashes = match &task["input_file_hashes"] {
        Yaml::Hash(map) => map.iter().filter_map(|(file, hash)| Some((scalar(file)?, scalar(hash)?))).collect(),
        _ => Vec::new(),
    };
    let name = scalar(&metadata["producer"]["name"]).unwrap_or_else(|| "an unknown tool".to_owned());
    let producer = match scalar(&metadata["producer"]["version"]) {
        Some(version) => format!("{name} {version}"),
        None => name,
    };
    Ok(Witness {
        version,
        producer,
        description: scalar(&metadata["producer"]["description"]),
        hashes,
        specification: scalar(&task["specification"]),
        data_model: scalar(&task["data_model"]),
        claim,
    })
}

fn invariants(content: &Yaml) -> Result<Vec<Invariant>, String> {
    let items = match content {
        Yaml::Array(items) => items.as_slice(),
        Yaml::Null => &[],
        _ => return Err("the content of an invariant_set is a list".into()),
    };
    let mut out = Vec::new();
    for item in items {
        let invariant = if item["invariant"].is_badvalue() { &item["contract"] } else { &item["invariant"] };
        if invariant.is_badvalue() {
            return Err("an item of an invariant_set is neither an 'invariant' nor a 'contract'".into());
        }
        let kind = match text_of(invariant, "type")?.as_str() {
            "loop_invariant" => InvariantKind::Loop,
            "location_invariant" => InvariantKind::Statement,
            "loop_transition_invariant" => InvariantKind::Transition,
            "location_transition_invariant" => InvariantKind::StatementTransition,
            "function_contract" => InvariantKind::Contract {
                requires: scalar(&invariant["requires"]),
                ensures: scalar(&invariant["ensures"]),
            },
            other => return Err(format!("unknown type of invariant '{other}'")),
        };
        let format = text_of(invariant, "format")?;
        if !matches!(format.as_str(), "c_expression" | "ext_c_expression") {
            return Err(format!("unknown format of an invariant '{format}'"));
        }
        let value = match &kind {
            InvariantKind::Contract { requires, ensures } => {
                let clause = |name: &str, text: &Option<String>| text.as_ref().map(|text| format!("{name} {text}"));
                [clause("requires", requires), clause("ensures", ensures)]
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>()
                    .join("; ")
            }
            _ => text_of(invariant, "value")?,
        };
        out.push(Invariant { kind, location: location(&invariant["location"])?, value });
    }
    Ok(out)
}

fn segments(content: &Yaml) -> Result<Vec<Segment>, String> {
    let Yaml::Array(items) = content else { return Err("the content of a violation_sequence is a list".into()) };
    let mut out: Vec<Segment> = Vec::new();
    for item in items {
        let Yaml::Array(points) = &item["segment"] else { return Err("a segment is a list of waypoints".into()) };
        let mut avoid = Vec::new();
        let mut follow = None;
        let mut cycle = false;
        for point in points {
            let point = &point["waypoint"];
            let waypoint = waypoint(point)?;
            if follow.is_some() {
                return Err(format!("a waypoint after the last of its segment, at {}", waypoint.location.show()));
            }
            match text_of(point, "action")?.as_str() {
                "avoid" => avoid.push(waypoint),
                "follow" => follow = Some(waypoint),
                "cycle" => {
                    follow = Some(waypoint);
                    cycle = true;
                }
                other => return Err(format!("unknown action '{other}'")),
            }
        }
        let follow = follow.ok_or("a segment without a waypoint to follow")?;
        if out.last().is_some_and(|last| last.follow.kind == WaypointKind::Target) {
            return Err("a segment after the target".into());
        }
        if !cycle && out.last().is_some_and(|last| last.cycle) {
            return Err("a segment to follow once after one to go round".into());
        }
        if cycle && follow.kind == WaypointKind::Target {
            return Err("a target is where an execution ends, and cannot be gone round".into());
        }
        out.push(Segment { avoid, follow, cycle });
    }
    match out.last() {
        Some(Segment { cycle: true, .. }) => Ok(out),
        Some(Segment { follow: Waypoint { kind: WaypointKind::Target, .. }, .. }) => Ok(out),
        _ => Err("the last segment does not end at a target, nor does it go round".into()),
    }
}

fn waypoint(point: &Yaml) -> Result<Waypoint, String> {
    let value = || scalar(&point["constraint"]["value"]);
    let kind = match text_of(point, "type")?.as_str() {
        "assumption" => WaypointKind::Assumption(value().ok_or("an assumption without a constraint")?),
        "branching" => WaypointKind::Branching(value().ok_or("a branching without a constraint")?),
        "function_enter" => WaypointKind::FunctionEnter,
        "function_return" => WaypointKind::FunctionReturn(value()),
        "target" => WaypointKind::Target,
        other => return Err(format!("unknown type of waypoint '{other}'")),
    };
    Ok(Waypoint { kind, location: location(&point["location"])? })
}

pub(crate) fn location(location: &Yaml) -> Result<Location, String> {
    let number = |key: &str| location[key].as_i64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0);
    Ok(Location {
        file: text_of(location, "file_name")?,
        line: number("line").ok_or("a location without a line")?,
        column: number("column"),
        function: scalar(&location["function"]),
    })
}

pub(crate) fn text_of(yaml: &Yaml, key: &str) -> Result<String, String> {
    scalar(&yaml[key]).ok_or_else(|| format!("'{key}' is missing"))
}

/// A scalar as it was written: tools do not always quote.
pub(crate) fn scalar(yaml: &Yaml) -> Option<String> {
    match yaml {
        Yaml::String(text) | Yaml::Real(text) => Some(text.clone()),
        Yaml::Integer(n) => Some(n.to_string()),
        Yaml::Boolean(b) => Some(b.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: &str, content: &str) -> String {
        format!("- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n  content:\n{content}")
    }

    #[test]
    fn segments_are_read() {
        let text = entry(
            "violation_sequence",
            "  - segment:\n    - waypoint: {type: branching, action: avoid, constraint: {value: 'false'}, location: {file_name: a.c, line: 3}}\n    - waypoint: {type: function_return, action: follow, constraint: {value: '\\result == 3', format: ext_c_expression}, location: {file_name: a.c, line: 4, column: 7}}\n  - segment:\n    - waypoint: {type: target, action: follow, location: {file_name: a.c, line: 9}}\n",
        );
        let Claim::Violation(segments) = read(&text).unwrap().claim else { panic!("a violation") };
        assert_eq!(segments.len(), 2);
        assert_eq!(segments[0].avoid[0].kind, WaypointKind::Branching("false".into()));
        assert_eq!(segments[0].follow.kind, WaypointKind::FunctionReturn(Some("\\result == 3".into())));
        assert_eq!(segments[0].follow.location.column, Some(7));
    }

    #[test]
    fn bad_witnesses_are_refused() {
        let no_target = "  - segment:\n    - waypoint: {type: assumption, action: follow, constraint: {value: x}, location: {file_name: a.c, line: 3}}\n";
        for (text, part) in [
            ("", "list"),
            ("[", "YAML"),
            ("- entry_type: loop_invariant\n", "loop_invariant"),
            (&entry("violation_sequence", no_target), "target"),
            (&entry("invariant_set", "  - invariant: {type: loop_invariant}\n"), "format"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn contracts_are_read() {
        let contract =
            "{type: function_contract, requires: x, format: c_expression, location: {file_name: a.c, line: 1}}";
        for key in ["contract", "invariant"] {
            let text = entry("invariant_set", &format!("  - {key}: {contract}\n"));
            let Claim::Correctness(said) = read(&text).unwrap().claim else { panic!("a proof") };
            assert_eq!(said.invariants[0].kind, InvariantKind::Contract { requires: Some("x".into()), ensures: None });
        }
    }

    #[test]
    fn ghosts_have_names_of_their_own() {
        let ghosts = "- entry_type: ghost_instrumentation\n  content:\n    ghost_variables:\n    - {name: g, scope: global, type: unsigned int, initial: {value: 0, format: c_expression}}\n    \
                      ghost_updates:\n    - {location: {file_name: a.c, line: 2}, updates: [{variable: g, value: g + x, format: c_expression}]}\n";
        let invariant =
            "{type: location_invariant, value: g <= gg, format: c_expression, location: {file_name: a.c, line: 1}}";
        let text = entry("invariant_set", &format!("  - invariant: {invariant}\n")) + ghosts;
        let Claim::Correctness(said) = read(&text).unwrap().claim else { panic!("a proof") };
        assert_eq!(said.invariants[0].value, "__foldback_ghost_g <= gg");
        assert_eq!(said.ghosts.updates[0].value, "__foldback_ghost_g + x");
        assert!(read(&text.replace("unsigned int", "struct s")).unwrap_err().contains("type"));
        assert!(read(&text.replace("variable: g", "variable: x")).unwrap_err().contains("no ghost"));
    }
}
