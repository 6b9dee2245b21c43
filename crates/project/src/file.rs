//! `foldback.toml`: the proofs of a project. Paths are relative to the folder of the file; `${NAME}` in paths and flags is a
//! variable of the environment.

use serde::{Deserialize, Serialize};
use std::path::Path;

/// The file's usual name.
pub const NAME: &str = "foldback.toml";

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Project {
    /// Flags of every proof, in front of its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// What proofs without properties of their own are about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<String>,
    /// CPU time of a proof that says nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit: Option<String>,
    #[serde(rename = "proof")]
    pub proofs: Vec<Proof>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Proof {
    pub name: String,
    /// The function where it starts: `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// The code under proof.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// The harness and what it puts in the place of other code: these keep bodies that `remove-body` removes elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stubs: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove_body: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only_body: Vec<String>,
    /// Flags of `foldback verify`, those of compilers among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<String>,
    /// How the answer begins when all is well: `true` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
}

impl Project {
    /// The file, with the values of the variables that it names.
    pub fn read(path: &Path, variable: impl Fn(&str) -> Option<String>) -> Result<Project, String> {
        let shown = path.display();
        let text = base::files::read_text(path).map_err(|e| format!("cannot read {shown}: {e}"))?;
        let project = Project::parse(&text).and_then(|project| project.with_variables(&variable));
        project.map_err(|e| format!("{shown}: {e}"))
    }

    fn with_variables(mut self, variable: &impl Fn(&str) -> Option<String>) -> Result<Project, String> {
        let proofs = self.proofs.iter_mut().flat_map(|proof| [&mut proof.flags, &mut proof.sources, &mut proof.stubs]);
        for word in proofs.chain([&mut self.flags]).flatten() {
            *word = with_values(word, variable)?;
        }
        Ok(self)
    }

    pub fn parse(text: &str) -> Result<Project, String> {
        let project: Project = toml::from_str(text).map_err(|e| e.to_string())?;
        for (i, proof) in project.proofs.iter().enumerate() {
            if project.proofs[..i].iter().any(|other| other.name == proof.name) {
                return Err(format!("two proofs are called '{}'", proof.name));
            }
            if proof.sources.is_empty() && proof.stubs.is_empty() {
                return Err(format!("proof '{}' has neither sources nor stubs", proof.name));
            }
        }
        Ok(project)
    }

    /// The file's text.
    pub fn render(&self) -> Result<String, String> {
        toml::to_string_pretty(self).map_err(|e| e.to_string())
    }

    /// The proofs with these names, in the order of the file; all of them if none is named. A name may be the start of
    /// several, up to a `/`.
    pub fn named(&self, names: &[String]) -> Result<Vec<&Proof>, String> {
        let fits = |proof: &Proof, name: &str| {
            proof.name == name || proof.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'))
        };
        if let Some(missing) = names.iter().find(|name| !self.proofs.iter().any(|proof| fits(proof, name))) {
            return Err(format!("no proof is called '{missing}'"));
        }
        Ok(self.proofs.iter().filter(|proof| names.is_empty() || names.iter().any(|name| fits(proof, name))).collect())
    }

    /// The command line of a proof, after `foldback verify`. The file may be a stranger's: to be given as `--project-words`.
    pub fn arguments(&self, proof: &Proof) -> Vec<String> {
        let mut words = Vec::new();
        let mut pair = |flag: &str, value: &String| words.extend([flag.to_owned(), value.clone()]);
        proof.entry.iter().for_each(|entry| pair("--entry", entry));
        let properties = if proof.properties.is_empty() { &self.properties } else { &proof.properties };
        properties.iter().for_each(|property| pair("--property", property));
        proof.stubs.iter().for_each(|file| pair("--stub", file));
        proof.remove_body.iter().for_each(|function| pair("--remove-body", function));
        proof.only_body.iter().for_each(|function| pair("--only-body", function));
        proof.time_limit.iter().or(self.time_limit.iter()).for_each(|time| pair("--time-limit", time));
        self.memory_limit.iter().for_each(|memory| pair("--memory-limit", memory));
        words.extend(self.flags.iter().chain(&proof.flags).chain(&proof.sources).cloned());
        words
    }
}

/// The text with `${NAME}` replaced.
fn with_values(text: &str, variable: &impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("${") {
        let (name, behind) = after.split_once('}').ok_or_else(|| format!("'{text}': `${{` without `}}`"))?;
        let value = variable(name).ok_or_else(|| format!("'{text}': the environment variable {name} is not set"))?;
        out += before;
        out += &value;
        rest = behind;
    }
    Ok(out + rest)
}

trait OrElse<'a>: Iterator<Item = &'a String> + Sized {
    /// These, or others if there are none.
    fn or(self, others: impl Iterator<Item = &'a String>) -> impl Iterator<Item = &'a String> {
        let mut own = self.peekable();
        let is_empty = own.peek().is_none();
        own.chain(others.filter(move |_| is_empty))
    }
}

impl<'a, I: Iterator<Item = &'a String>> OrElse<'a> for I {}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "flags = [\"-Iinclude\"]\ntime-limit = \"60s\"\n\n[[proof]]\nname = \"list/push\"\nentry = \"harness\"\n\
        sources = [\"list.c\"]\nstubs = [\"push.c\"]\nremove-body = [\"log\"]\nproperties = [\"memsafety\"]\n\n\
        [[proof]]\nname = \"list/pop\"\nsources = [\"pop.c\"]\ntime-limit = \"5s\"\n";

    #[test]
    fn a_file_and_its_command_lines() {
        let project = Project::parse(TEXT).expect("a good file");
        assert_eq!(Project::parse(&project.render().expect("text")).expect("a good file"), project);
        let words = project.arguments(&project.proofs[0]).join(" ");
        let expected =
            "--entry harness --property memsafety --stub push.c --remove-body log --time-limit 60s -Iinclude list.c";
        assert_eq!(words, expected);
        assert_eq!(project.arguments(&project.proofs[1]).join(" "), "--time-limit 5s -Iinclude pop.c");
    }

    #[test]
    fn variables_of_the_environment() {
        let text = "flags = [\"-I${HERE}/include\"]\n[[proof]]\nname = \"a\"\nsources = [\"${HERE}/${HERE}.c\"]\n";
        let with = |value: Option<&str>| {
            let project = Project::parse(text).expect("a good file");
            project.with_variables(&|name| value.filter(|_| name == "HERE").map(str::to_owned))
        };
        let project = with(Some("x")).expect("all are set");
        assert_eq!(project.arguments(&project.proofs[0]).join(" "), "-Ix/include x/x.c");
        assert!(with(None).unwrap_err().contains("HERE is not set"));
        assert!(with_values("a${b", &|_| None).is_err());
    }

    #[test]
    fn proofs_by_name() {
        let project = Project::parse(TEXT).expect("a good file");
        let names = |asked: &[&str]| {
            let asked: Vec<String> = asked.iter().map(|&name| name.to_owned()).collect();
            project.named(&asked).map(|proofs| proofs.iter().map(|proof| proof.name.clone()).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]), Ok(vec!["list/push".to_owned(), "list/pop".to_owned()]));
        assert_eq!(names(&["list"]).map(|found| found.len()), Ok(2));
        assert_eq!(names(&["list/pop"]), Ok(vec!["list/pop".to_owned()]));
        assert!(names(&["lis"]).is_err());
    }

    #[test]
    fn mistakes_are_named() {
        assert!(Project::parse("[[proof]]\nname = \"a\"\n").unwrap_err().contains("'a'"));
        assert!(Project::parse("[[proof]]\nname = \"a\"\nsource = []\n").unwrap_err().contains("source"));
        let twice = "[[proof]]\nname = \"a\"\nsources = [\"a.c\"]\n".repeat(2);
        assert!(Project::parse(&twice).unwrap_err().contains("two proofs"));
    }
}
