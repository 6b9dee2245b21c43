//! Ghost variables: variables of a witness that the program does not have, and how they change.
//!
//! They become variables of the program with names of their own, so that nothing that they are assigned can be the program's; every
//! expression of the witness means them where it uses their names. An update happens just before the statement at its place, after the
//! invariants of that place were looked at.

use crate::files::InputFile;
use crate::inject::{expression, injection};
use crate::read::{Invariant, InvariantKind, Location, location, scalar, text_of};
use cfront::inject::{Injections, Moment};
use yaml_rust2::Yaml;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ghosts {
    pub variables: Vec<Ghost>,
    /// In the order in which they happen at one place.
    pub updates: Vec<Update>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ghost {
    /// As the witness calls it.
    pub name: String,
    /// An arithmetic type.
    pub ctype: String,
    /// A constant expression.
    pub initial: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Update {
    pub location: Location,
    /// As the witness calls it.
    pub variable: String,
    pub value: String,
}

/// Words of arithmetic types.
const TYPE_WORDS: [&str; 10] =
    ["_Bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "__int128"];

const OWN: &str = "__foldback_ghost_";

/// What a ghost variable is called in the program.
pub fn own_name(name: &str) -> String {
    format!("{OWN}{name}")
}

/// The text with the names that the witness uses.
pub fn as_written(text: &str) -> String {
    text.replace(OWN, "")
}

impl Ghosts {
    pub(crate) fn add(&mut self, content: &Yaml) -> Result<(), String> {
        let list = |key: &str| content[key].as_vec().map_or(&[][..], Vec::as_slice);
        for variable in list("ghost_variables") {
            let (name, ctype) = (text_of(variable, "name")?, text_of(variable, "type")?);
            let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                && !name.starts_with(|c: char| c.is_ascii_digit());
            if !is_name || name.is_empty() {
                return Err(format!("'{name}' cannot be the name of a ghost variable"));
            }
            if ctype.trim().is_empty() || !ctype.split_whitespace().all(|word| TYPE_WORDS.contains(&word)) {
                return Err(format!("the type '{ctype}' of the ghost variable '{name}' is not an arithmetic type"));
            }
            let initial = scalar(&variable["initial"]["value"]);
            let initial = initial.ok_or_else(|| format!("the ghost variable '{name}' has no initial value"))?;
            self.variables.push(Ghost { name, ctype, initial });
        }
        for at in list("ghost_updates") {
            let place = location(&at["location"])?;
            let updates = at["updates"].as_vec().ok_or("an entry of ghost_updates without a list of updates")?;
            for update in updates {
                let (variable, value) = (text_of(update, "variable")?, text_of(update, "value")?);
                self.updates.push(Update { location: place.clone(), variable, value });
            }
        }
        if let Some(unknown) = self.updates.iter().find(|update| !self.has(&update.variable)) {
            return Err(format!("'{}' is updated, but is no ghost variable", unknown.variable));
        }
        let updates = self.updates.iter().map(|update| Update { value: self.renamed(&update.value), ..update.clone() });
        self.updates = updates.collect();
        Ok(())
    }

    fn has(&self, name: &str) -> bool {
        self.variables.iter().any(|ghost| ghost.name == name)
    }

    pub(crate) fn rename(&self, invariant: &mut Invariant) {
        invariant.value = self.renamed(&invariant.value);
        if let InvariantKind::Contract { requires, ensures } = &mut invariant.kind {
            for clause in [requires, ensures].into_iter().flatten() {
                *clause = self.renamed(clause);
            }
        }
    }

    /// The text with our names for ghost variables; members of structs are none.
    fn renamed(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            let (before, from) = rest.split_at(start);
            let end = from.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(from.len());
            let (word, after) = from.split_at(end);
            out += before;
            let is_member = out.trim_end().ends_with("->") || out.trim_end().ends_with('.');
            out += &if self.has(word) && !is_member { own_name(word) } else { word.to_owned() };
            rest = after;
        }
        out + rest
    }

    /// Puts the variables and their updates into the program: behind all other injections, so that these come first at a place.
    pub fn inject(&self, files: &[InputFile], injections: &mut Injections) -> Result<(), String> {
        if files.len() > 1 && !self.variables.is_empty() {
            return Err("ghost variables in a program of several files are not supported".into());
        }
        let nowhere = Location { file: "the witness".into(), line: 1, column: None, function: None };
        for Ghost { name, ctype, initial } in &self.variables {
            let initial = expression(initial, &nowhere)?;
            injections.prelude += &format!("static {ctype} {} = ({initial});\n", own_name(name));
        }
        for Update { location, variable, value } in &self.updates {
            let value = expression(value, location)?;
            let text = format!("(void)({} = ({value}))", own_name(variable));
            injections.expressions.push(injection(files, location, Moment::Statement, text, "ghost update")?);
        }
        Ok(())
    }
}
