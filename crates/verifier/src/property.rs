//! Properties by name and from property files (`.prp`).

use cfa::Property;
use std::path::Path;

/// What property flags ask for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    pub properties: Vec<Property>,
    /// Functions that must not be called, named by property files.
    pub error_functions: Vec<String>,
    /// The function that property files start at.
    pub entry: Option<String>,
    /// The property file as it is, where it says everything that is asked for.
    pub text: String,
    /// What each flag asks for.
    pub groups: Vec<Group>,
    /// A property file says so, or a witness by the text of one.
    pub is_from_file: bool,
    /// Nobody said what to check: see [`usual`].
    pub is_usual: bool,
}

/// Properties that are asked for together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// A property's name, or that of a file without its ending.
    pub name: String,
    pub properties: Vec<Property>,
}

impl Asked {
    fn merge(&mut self, name: String, other: Asked) {
        other.properties.iter().for_each(|p| self.add(*p));
        for function in other.error_functions {
            if !self.error_functions.contains(&function) {
                self.error_functions.push(function);
            }
        }
        self.entry = other.entry.or(self.entry.take());
        self.is_from_file |= other.is_from_file;
        if !self.groups.iter().any(|group| group.properties == other.properties) {
            self.groups.push(Group { name, properties: other.properties });
        }
    }

    fn add(&mut self, property: Property) {
        if !self.properties.contains(&property) {
            self.properties.push(property);
        }
    }
}

/// What is checked where nobody says what: each by itself, as far as the program has anything of the kind.
pub fn usual() -> Asked {
    let names = USUAL.map(str::to_owned);
    Asked { is_usual: true, ..read(&names).expect("the usual properties are known") }
}

/// What the program itself calls an error, and what C leaves undefined.
const USUAL: [&str; 5] = ["assert", "unreach-call", "memsafety", "no-overflow", "div-by-zero"];

/// The names that `--property` takes.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name).chain(["all"])
}

/// Reads the values of `--property`. The error says what is wrong with which of them.
pub fn read(flags: &[String]) -> Result<Asked, String> {
    let mut asked = Asked::default();
    let flags = flags.iter().flat_map(|flag| match flag.as_str() {
        "all" => ALL.iter().map(|name| (*name).to_owned()).collect(),
        _ => vec![flag.clone()],
    });
    let flags: Vec<String> = flags.collect();
    for flag in &flags {
        // Property files must agree on where the program starts.
        let mut own = Asked { entry: asked.entry.clone(), ..Asked::default() };
        let mut name = flag.clone();
        let joined: Option<Vec<&[Property]>> = flag.split('+').map(by_name).collect();
        if let Some(properties) = joined {
            properties.into_iter().flatten().for_each(|p| own.add(*p));
        } else if flag.ends_with(".prp") || Path::new(flag).exists() {
            let text =
                base::files::read_text(flag).map_err(|e| format!("cannot read the property file '{flag}': {e}"))?;
            parse(&text, &mut own).map_err(|why| format!("property file '{flag}': {why}"))?;
            own.is_from_file = true;
            if flags.len() == 1 {
                asked.text = text;
            }
            name = Path::new(flag).file_stem().map_or(name, |stem| stem.to_string_lossy().into_owned());
        } else {
            let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
            let hint = crate::near::hint(flag, names.iter().copied());
            return Err(format!(
                "unknown property '{flag}': known are {}, all, and .prp files{hint}",
                names.join(", ")
            ));
        }
        asked.merge(name, own);
    }
    Ok(asked)
}

/// Reads a specification as witnesses state it: the text of property files, or formulas alone.
pub fn from_text(text: &str) -> Result<Asked, String> {
    let whole = |line: &str| match line.trim() {
        line if line.is_empty() || line.starts_with("CHECK") => line.to_owned(),
        formula => format!("CHECK( init(main()), LTL({formula}) )"),
    };
    // Several lines of a property file may have become one.
    let lines = text.replace("CHECK", "\nCHECK");
    let lines: Vec<String> = lines.lines().map(whole).collect();
    let mut asked = Asked { text: text.to_owned(), is_from_file: true, ..Asked::default() };
    parse(&lines.join("\n"), &mut asked)?;
    Ok(asked)
}

/// What `all` stands for: whatever C leaves undefined, what the program itself calls an error, and executions without end.
const ALL: [&str; 9] = [
    "unreach-call",
    "assert",
    "memsafety",
    "no-overflow",
    "div-by-zero",
    "undefined-shift",
    "undefined-conversion",
    "pointer-overflow",
    "termination",
];

const NAMES: [(&str, &[Property]); 16] = [
    ("unreach-call", &[Property::UnreachCall]),
    ("assert", &[Property::Assert]),
    ("memsafety", &[Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack]),
    ("valid-deref", &[Property::ValidDeref]),
    ("valid-free", &[Property::ValidFree]),
    ("valid-memtrack", &[Property::ValidMemtrack]),
    ("memcleanup", &[Property::ValidMemcleanup]),
    ("no-overflow", &[Property::NoOverflow]),
    ("div-by-zero", &[Property::DivByZero]),
    ("undefined-shift", &[Property::UndefinedShift]),
    ("pointer-overflow", &[Property::PointerOverflow]),
    ("unsigned-overflow", &[Property::UnsignedOverflow]),
    ("conversion", &[Property::Conversion]),
    ("undefined-conversion", &[Property::UndefinedConversion]),
    ("float", &[Property::Float]),
    ("termination", &[Property::Termination]),
];

pub fn by_name(name: &str) -> Option<&'static [Property]> {
    let name = match name {
        "valid-memsafety" => "memsafety",
        "valid-memcleanup" => "memcleanup",
        _ => name,
    };
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, properties)| *properties)
}

/// `CHECK( init(main()), LTL(G ! call(reach_error())) )` and its like, one to a line; white space does not matter.
fn parse(text: &str, asked: &mut Asked) -> Result<(), String> {
    let mut any = false;
    for line in text.lines() {
        let squeezed: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        if squeezed.is_empty() || squeezed.starts_with("//") || squeezed.starts_with('#') {
            continue;
        }
        if squeezed.starts_with("COVER(") {
            return Err("test generation (COVER) is not what this tool does".into());
        }
        let (entry, formula) = squeezed
            .strip_prefix("CHECK(init(")
            .and_then(|rest| rest.strip_suffix("))"))
            .and_then(|rest| rest.split_once("()),LTL("))
            .filter(|(entry, _)| is_identifier(entry))
            .ok_or_else(|| format!("'{}' is not of the form CHECK( init(main()), LTL(...) )", line.trim()))?;
        if asked.entry.as_deref().is_some_and(|other| other != entry) {
            return Err(format!("properties with different start functions, one of them '{entry}'"));
        }
        asked.entry = Some(entry.to_owned());
        add_formula(formula, asked).ok_or_else(|| format!("the formula '{formula}' is not supported"))?;
        any = true;
    }
    if any { Ok(()) } else { Err("no property in it".into()) }
}

fn add_formula(formula: &str, asked: &mut Asked) -> Option<()> {
    if let Some(function) = formula.strip_prefix("G!call(").and_then(|rest| rest.strip_suffix("())")) {
        if !is_identifier(function) {
            return None;
        }
        asked.add(Property::UnreachCall);
        if !asked.error_functions.iter().any(|f| f == function) {
            asked.error_functions.push(function.to_owned());
        }
        return Some(());
    }
    asked.add(match formula {
        "Gvalid-free" => Property::ValidFree,
        "Gvalid-deref" => Property::ValidDeref,
        "Gvalid-memtrack" => Property::ValidMemtrack,
        "Gvalid-memcleanup" => Property::ValidMemcleanup,
        "G!overflow" => Property::NoOverflow,
        "G!div-by-zero" => Property::DivByZero,
        "G!undefined-shift" => Property::UndefinedShift,
        "G!pointer-overflow" => Property::PointerOverflow,
        "G!unsigned-overflow" => Property::UnsignedOverflow,
        "G!conversion" => Property::Conversion,
        "G!undefined-conversion" => Property::UndefinedConversion,
        "G!float" => Property::Float,
        "G!assert" | "Gassert" => Property::Assert,
        "Fend" => Property::Termination,
        _ => return None,
    });
    Some(())
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_' || c == '$')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

/// What `--only-lines` says, `FILE:30,32`: each line with its file.
pub fn lines(text: &str) -> Result<Vec<(String, u32)>, String> {
    let bad = || format!("--only-lines '{text}' is not of the form FILE:LINE,LINE");
    let (file, numbers) = text.rsplit_once(':').filter(|(file, _)| !file.is_empty()).ok_or_else(bad)?;
    let line = |n: &str| n.trim().parse::<u32>().ok().filter(|n| *n > 0).map(|n| (file.to_owned(), n)).ok_or_else(bad);
    numbers.split(',').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_file() {
        assert_eq!(lines("a:b.c:30,32").unwrap(), [("a:b.c".to_owned(), 30), ("a:b.c".to_owned(), 32)]);
        for bad in ["", "a.c", ":3", "a.c:", "a.c:0", "a.c:x"] {
            assert!(lines(bad).is_err(), "{bad}");
        }
    }

    fn parsed(text: &str) -> Result<Asked, String> {
        let mut asked = Asked::default();
        parse(text, &mut asked).map(|()| asked)
    }

    #[test]
    fn the_files_of_the_competition() {
        let reach = parsed("CHECK( init(main()), LTL(G ! call(reach_error())) )\n").unwrap();
        assert_eq!(reach.properties, [Property::UnreachCall]);
        assert_eq!(reach.error_functions, ["reach_error"]);
        assert_eq!(reach.entry.as_deref(), Some("main"));
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n\n";
        let parts = [Property::ValidFree, Property::ValidDeref, Property::ValidMemtrack];
        assert_eq!(parsed(memory).unwrap().properties, parts);
        let overflow = parsed("// a comment\nCHECK(init(main()),LTL(G ! overflow))").unwrap();
        assert_eq!(overflow.properties, [Property::NoOverflow]);
        assert_eq!(parsed("CHECK( init(main()), LTL(F end) )").unwrap().properties, [Property::Termination]);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for bad in ["", "hello", "CHECK( init(main()), LTL(G ! data-race) )", "CHECK( init(), LTL(F end) )", "CHECK("] {
            assert!(parsed(bad).is_err(), "{bad}");
        }
        assert!(parsed("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )").unwrap_err().contains("COVER"));
    }

    #[test]
    fn specifications_of_witnesses() {
        for text in ["CHECK( init(main()), LTL(G ! call(reach_error())) )", "G ! call(reach_error())"] {
            let asked = from_text(text).unwrap();
            assert_eq!(
                (asked.properties, asked.error_functions),
                (vec![Property::UnreachCall], vec!["reach_error".into()])
            );
        }
        let two =
            from_text("CHECK( init(main()), LTL(G valid-free) ) CHECK( init(main()), LTL(G valid-deref) )").unwrap();
        assert_eq!(two.properties, [Property::ValidFree, Property::ValidDeref]);
    }

    #[test]
    fn names_and_aliases() {
        let asked = read(&["memsafety".into(), "valid-deref".into(), "assert".into()]).unwrap();
        let expected = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack, Property::Assert];
        assert_eq!(asked.properties, expected);
        let groups: Vec<&str> = asked.groups.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(groups, ["memsafety", "valid-deref", "assert"]);
        assert!(read(&["nonsense".into()]).unwrap_err().contains("nonsense"));
        assert_eq!(read(&["all".into()]).unwrap().groups.len(), ALL.len());
        let together = read(&["valid-deref+assert".into()]).unwrap();
        assert_eq!((together.properties.len(), together.groups.len()), (2, 1));
    }
}
