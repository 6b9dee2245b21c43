//! The manifest: what the files of a certificate are about.

use base::table::Id;
use cfa::Loc;
use cfa::evidence::explored::Explored;
use serde::{Deserialize, Serialize};
use validate::conditions::Scheme;

pub const FORMAT: &str = "foldback-certificate";
pub const VERSION: u32 = 3;

/// What is certified of which program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    pub files: Vec<SourceFile>,
    /// `ILP32` or `LP64`.
    pub data_model: String,
    /// By their names.
    pub properties: Vec<String>,
    /// The text of the property file, if there was one.
    pub specification: String,
    /// Where the program starts.
    pub entry: String,
    /// Objects of so many bytes can be reached; 0 where nothing was said.
    pub room: u64,
    /// Whether executions end at undefined behaviour that is not checked, instead of going on.
    pub ends_at_undefined: bool,
    /// Whether structs stay whole that could be taken apart at their arrays.
    #[serde(default)]
    pub whole_structs: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    pub name: String,
    pub sha256: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub format: String,
    pub version: u32,
    pub producer: String,
    pub about: About,
    pub scheme: SchemeName,
    pub invariants: Vec<Invariant>,
    pub conditions: Vec<Entry>,
    /// Conditions that are `false` as soon as they are built: they have no files.
    pub settled_by_rewriting: u64,
    /// In words.
    pub trusted: Vec<String>,
}

/// How executions are cut into pieces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind", deny_unknown_fields)]
pub enum SchemeName {
    Cuts,
    Induction {
        k: u32,
    },
    Exhausted {
        bound: u32,
    },
    /// Path by path. Decisions are written as by `cfa::evidence::explored`; states are compared at the heads with these numbers.
    Paths {
        decisions: String,
        repeats: Vec<u32>,
    },
}

/// What holds whenever control is at a location of the flat program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invariant {
    /// Number of the location.
    pub location: u32,
    /// Where that is, for people.
    pub place: String,
    /// In SMT-LIB, over the variables of the flat program.
    pub formula: String,
}

/// One condition and its files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What is shown, in words.
    pub says: String,
    /// The location that it is about.
    pub location: u32,
    pub place: String,
    /// SHA-256 of the files' contents, uncompressed.
    pub smt2_sha256: String,
    pub cnf_sha256: String,
    pub lrat_sha256: String,
    pub variables: u32,
    pub clauses: usize,
    /// Steps of the proof.
    pub steps: u64,
    /// Where products are any values in the clauses, but for what is shown by algebra.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub algebra: Option<Algebra>,
}

/// Lemmas of the ring of machine integers that a condition is shown with: see [`crate`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Algebra {
    /// SHA-256 of the file's contents, uncompressed.
    pub pac_sha256: String,
    pub lemmas: usize,
    /// Steps of all their proofs.
    pub steps: u64,
}

impl From<&Scheme> for SchemeName {
    fn from(scheme: &Scheme) -> SchemeName {
        match scheme {
            Scheme::Cuts => SchemeName::Cuts,
            Scheme::Induction { k } => SchemeName::Induction { k: *k },
            Scheme::Exhausted { bound } => SchemeName::Exhausted { bound: *bound },
            Scheme::Paths(tree) => SchemeName::Paths {
                decisions: tree.decisions.clone(),
                repeats: tree.repeats.iter().map(|head| head.index() as u32).collect(),
            },
        }
    }
}

impl From<&SchemeName> for Scheme {
    fn from(scheme: &SchemeName) -> Scheme {
        match scheme {
            SchemeName::Cuts => Scheme::Cuts,
            SchemeName::Induction { k } => Scheme::Induction { k: *k },
            SchemeName::Exhausted { bound } => Scheme::Exhausted { bound: *bound },
            SchemeName::Paths { decisions, repeats } => Scheme::Paths(Explored {
                paths: 0,
                repeats: repeats.iter().map(|head| Loc::new(*head as usize)).collect(),
                decisions: decisions.clone(),
            }),
        }
    }
}

/// What it is, in one line.
impl std::fmt::Display for Manifest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (properties, about) = (self.about.properties.join(", "), &self.about);
        let (invariants, conditions) = (self.invariants.len(), self.conditions.len());
        write!(f, "certificate of {properties}, {}: {invariants} invariants, ", about.data_model)?;
        write!(f, "{conditions} conditions, made by {}", self.producer)
    }
}

impl Manifest {
    /// Reads a manifest. The error is for the user.
    pub fn read(text: &[u8]) -> Result<Manifest, String> {
        let manifest: Manifest = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if manifest.format != FORMAT || manifest.version != VERSION {
            return Err(format!(
                "it is a {} of version {}, not a {FORMAT} of version {VERSION}",
                manifest.format, manifest.version
            ));
        }
        Ok(manifest)
    }

    pub fn write(&self) -> String {
        serde_json::to_string_pretty(self).expect("manifests can be written") + "\n"
    }
}

/// What a certificate does not prove.
pub(crate) fn trusted() -> Vec<String> {
    [
        "reading C: the preprocessor, the parser and the types (cfront)",
        "the meaning of C: the automaton with the error locations of the properties, the models of the C library (lower)",
        "inlining and the memory pass: the flat program (transform)",
        "the generation of conditions: that they imply that no error location is reached (validate::recheck, validate::conditions)",
        "where executions are walked path by path: the walk along the decisions, and concrete stretches of it (validate::explore, term evaluation)",
        "the builder of terms, which normalises formulas while they are made (term)",
        "the bit-blaster: that clauses which cannot all be true mean a formula without a model (bitblast)",
        "the checker of proofs (lrat), or any other checker of LRAT in its place",
        "where a condition has lemmas of algebra: terms as polynomials, products as variables (certificate::algebra), the checker of the ring's steps (pac)",
    ]
    .map(str::to_owned)
    .to_vec()
}
