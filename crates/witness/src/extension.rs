//! Invariants that C cannot say: over all cells of an array, over objects that live, over names that are hidden.
//!
//! They are kept in an entry of a type of our own, which others may ignore: formulas in SMT-LIB over the variables of the flat
//! program (`foldback cfa --stage memory`), each at a loop of the source, whose activations are counted where its function was inlined
//! several times.

use crate::read::{Location, location, scalar, text_of};
use crate::yaml::quoted;
use yaml_rust2::Yaml;

/// The type of the entry.
pub const ENTRY: &str = "foldback_invariants";

/// An invariant at the head of a loop of the flat program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extension {
    /// The loop's keyword.
    pub location: Location,
    /// Which of the heads with that keyword, in the order of the flat program.
    pub activation: usize,
    /// In SMT-LIB.
    pub value: String,
    /// Terms that decrease in lexicographic order, as unsigned numbers, from head to head (for termination).
    pub ranking: Vec<String>,
}

pub(crate) fn read(content: &Yaml) -> Result<Vec<Extension>, String> {
    let items = content.as_vec().ok_or_else(|| format!("the content of {ENTRY} is a list"))?;
    let invariant = |item: &Yaml| {
        let item = &item["invariant"];
        let activation = scalar(&item["activation"]).and_then(|text| text.parse().ok());
        if text_of(item, "format")? != "smtlib" {
            return Err(format!("the format of an invariant in {ENTRY} is smtlib"));
        }
        let ranking = item["ranking"].as_vec().map_or(&[][..], Vec::as_slice);
        let component = |item: &Yaml| scalar(item).ok_or_else(|| "a ranking is a list of terms".to_owned());
        Ok(Extension {
            location: location(&item["location"])?,
            activation: activation.ok_or("an invariant without the number of its activation")?,
            value: text_of(item, "value")?,
            ranking: ranking.iter().map(component).collect::<Result<_, String>>()?,
        })
    };
    items.iter().map(invariant).collect()
}

/// The content of an entry.
pub(crate) fn write(invariants: &[Extension]) -> String {
    let mut content = "  content:\n".to_owned();
    for Extension { location, activation, value, ranking } in invariants {
        content += "    - invariant:\n        type: loop_invariant\n        location:\n";
        content += &format!("          file_name: {}\n          line: {}\n", quoted(&location.file), location.line);
        let column = location.column.map(|column| format!("          column: {column}\n"));
        let function = location.function.as_ref().map(|name| format!("          function: {}\n", quoted(name)));
        content += &(column.unwrap_or_default() + &function.unwrap_or_default());
        content += &format!("        activation: {activation}\n        value: {}\n", quoted(value));
        if !ranking.is_empty() {
            content += "        ranking:\n";
            content.extend(ranking.iter().map(|term| format!("          - {}\n", quoted(term))));
        }
        content += "        format: smtlib\n";
    }
    content
}

#[cfg(test)]
mod tests {
    use super::*;
    use yaml_rust2::YamlLoader;

    #[test]
    fn what_is_written_is_read() {
        let location = Location { file: "a \"b\".c".into(), line: 3, column: Some(2), function: Some("f".into()) };
        let value = "(forall ((|k| (_ BitVec 8))) (= |k| |k|))".to_owned();
        let plain = Extension { location, activation: 1, value, ranking: Vec::new() };
        let ranked = Extension { ranking: vec!["|x|".into(), "#x01".into()], ..plain.clone() };
        let all = vec![plain, ranked];
        let yaml = YamlLoader::load_from_str(&write(&all)).expect("YAML");
        assert_eq!(read(&yaml[0]["content"]), Ok(all));
    }
}
