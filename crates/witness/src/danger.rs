//! Danger invariants that are read, people's and our own: for loops what is kept and what decreases, for inputs what they are.
//!
//! An entry of our own, `danger_invariant`, in a YAML list as witnesses are (see `docs/witnesses.md`). Its expressions are put
//! into the program as assignments to variables that nothing else reads, so that the front end reads them in their scope;
//! whoever checks them finds the assignments again in the automaton.

use crate::files::InputFile;
use crate::inject::{expression, injection};
use crate::read::{Location, location, scalar};
use crate::yaml;
use cfront::inject::{Injections, Moment};
use yaml_rust2::Yaml;

/// What is said about a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DangerInvariant {
    pub loops: Vec<DangerLoop>,
    pub inputs: Vec<DangerInput>,
    /// Variables without initialiser: function or nothing, name, value.
    pub variables: Vec<(String, i128)>,
}

/// Whenever the controlling expression of the loop is about to be evaluated, and the error is still to come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DangerLoop {
    pub location: Location,
    pub invariant: String,
    /// Unsigned numbers, most significant first.
    pub ranking: Vec<String>,
}

/// What a call of an input function returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DangerInput {
    /// Of the closing parenthesis of the call.
    pub location: Location,
    pub value: String,
}

/// The variable that holds whether the invariant of loop number `index` holds.
pub fn invariant_variable(index: usize) -> String {
    format!("__foldback_danger_{index}")
}

/// The variable that holds a component of its ranking.
pub fn ranking_variable(index: usize, component: usize) -> String {
    format!("__foldback_ranking_{index}_{component}")
}

/// The variable that holds what input number `index` is.
pub fn input_variable(index: usize) -> String {
    format!("__foldback_input_{index}")
}

/// Reads the text of a file. The error is for the user.
pub fn read(text: &str) -> Result<DangerInvariant, String> {
    let documents = yaml::load(text)?;
    let Some(Yaml::Array(entries)) = documents.first() else {
        return Err("a file with a danger invariant is a YAML list of entries".into());
    };
    let mut found = DangerInvariant::default();
    for entry in entries {
        match scalar(&entry["entry_type"]).as_deref() {
            Some("danger_invariant") => {}
            // The other half of the witness that a found one is written to.
            Some("violation_sequence") => continue,
            Some(other) => return Err(format!("entry_type '{other}': only 'danger_invariant' is read here")),
            None => return Err("'entry_type' is missing".into()),
        }
        let Yaml::Array(items) = &entry["content"] else {
            return Err("the content of a danger_invariant is a list".into());
        };
        for item in items {
            read_item(item, &mut found)?;
        }
    }
    if found.loops.is_empty() && found.inputs.is_empty() && found.variables.is_empty() {
        return Err("there is nothing in it".into());
    }
    Ok(found)
}

fn read_item(item: &Yaml, found: &mut DangerInvariant) -> Result<(), String> {
    let needed = |yaml: &Yaml, key: &str| scalar(&yaml[key]).ok_or_else(|| format!("'{key}' is missing"));
    if !item["loop"].is_badvalue() {
        let item = &item["loop"];
        let ranking = match &item["ranking"] {
            Yaml::Array(parts) => parts.iter().map(scalar).collect::<Option<Vec<String>>>(),
            Yaml::BadValue | Yaml::Null => Some(Vec::new()),
            one => scalar(one).map(|text| vec![text]),
        };
        found.loops.push(DangerLoop {
            location: location(&item["location"])?,
            invariant: needed(item, "invariant")?,
            ranking: ranking.ok_or("a ranking is an expression or a list of expressions")?,
        });
    } else if !item["input"].is_badvalue() {
        let item = &item["input"];
        found.inputs.push(DangerInput { location: location(&item["location"])?, value: needed(item, "value")? });
    } else if !item["variable"].is_badvalue() {
        let item = &item["variable"];
        let value = needed(item, "value")?;
        let value = value.parse().map_err(|_| format!("the value of a variable is a number, not '{value}'"))?;
        found.variables.push((needed(item, "name")?, value));
    } else {
        return Err("an item of a danger_invariant is a 'loop', an 'input' or a 'variable'".into());
    }
    Ok(())
}

/// The expressions as assignments. The loops come first, then the inputs.
pub fn injections(files: &[InputFile], danger: &DangerInvariant) -> Result<Injections, String> {
    let mut injections = Injections::default();
    for (i, known) in danger.loops.iter().enumerate() {
        let mut text = format!("{} = ({})", invariant_variable(i), expression(&known.invariant, &known.location)?);
        injections.prelude += &format!("_Bool {};\n", invariant_variable(i));
        for (j, component) in known.ranking.iter().enumerate() {
            let variable = ranking_variable(i, j);
            injections.prelude += &format!("unsigned long long {variable};\n");
            text += &format!(", {variable} = ({})", expression(component, &known.location)?);
        }
        let text = format!("(void)({text})");
        injections.expressions.push(injection(files, &known.location, Moment::LoopTest, text, "danger invariant")?);
    }
    for (i, input) in danger.inputs.iter().enumerate() {
        let variable = input_variable(i);
        injections.prelude += &format!("long long {variable};\n");
        let text = format!("(void)({variable} = ({}))", expression(&input.value, &input.location)?);
        injections.expressions.push(injection(files, &input.location, Moment::Call, text, "input")?);
    }
    Ok(injections)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_inputs_and_variables_are_read() {
        let text = "- entry_type: danger_invariant\n  content:\n  - loop:\n      location: {file_name: a.c, line: 4}\n      invariant: x == y\n      ranking: [10 - x, 3]\n  - input:\n      location: {file_name: a.c, line: 5}\n      value: x >= 1\n  - variable: {name: j, value: -3}\n";
        let read = read(text).unwrap();
        assert_eq!(read.loops[0].ranking, ["10 - x", "3"]);
        assert_eq!(read.inputs[0].value, "x >= 1");
        assert_eq!(read.variables, [("j".to_owned(), -3)]);
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for (text, part) in [
            ("x: 3\n", "list"),
            ("- entry_type: invariant_set\n", "invariant_set"),
            ("- entry_type: danger_invariant\n  content:\n  - oops: 3\n", "item"),
            ("- entry_type: danger_invariant\n  content:\n  - variable: {name: j, value: x}\n", "number"),
            ("- entry_type: danger_invariant\n  content: []\n", "nothing"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
