//! From settings to a solver: the one place where back end and layers are stacked.

use std::fmt;
use std::path::PathBuf;

use crate::backend::{BitwuzlaSettings, BitwuzlaSolver, Z3Process, Z3Settings};
use crate::layer::{Arguments, Cache, CheckModel, CrossCheck, Log, Refute, Renew, Timing};
use crate::solver::{Solver, Why};

/// Which solver does the work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Backend {
    Bitwuzla(BitwuzlaSettings),
    Z3(Z3Settings),
}

/// Everything there is to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverSettings {
    pub backend: Backend,
    /// Start the back end afresh when this much garbage has piled up (and more than there are facts).
    pub renew_after: Option<usize>,
    /// How many models to try before asking. `None`: no cache at all.
    pub cached_models: Option<usize>,
    /// Try polynomial identities first where there are products.
    pub algebra: bool,
    /// Look first whether sums, and what else may be folded in any order, are the same.
    pub numbering: bool,
    /// Try bounds of differences first: for engines whose questions are small and compare variables.
    pub differences: bool,
    /// Try inequations over integers first where sums of wide numbers are compared.
    pub linear: bool,
    /// Where a factor of a product has few values, try each of them first.
    pub small_factors: bool,
    /// Evaluate all facts under each model.
    pub model_check: bool,
    /// Write SMT-LIB scripts into this directory.
    pub log: Option<PathBuf>,
    /// Confirm each answer with this solver.
    pub cross_check: Option<Backend>,
}

impl Default for SolverSettings {
    fn default() -> SolverSettings {
        SolverSettings {
            backend: Backend::Bitwuzla(BitwuzlaSettings::default()),
            renew_after: Some(50),
            cached_models: Some(4),
            algebra: true,
            numbering: true,
            differences: false,
            linear: true,
            small_factors: true,
            model_check: false,
            log: None,
            cross_check: None,
        }
    }
}

impl SolverSettings {
    /// For questions about identities between products.
    #[must_use]
    pub fn normalising(mut self) -> SolverSettings {
        if let Backend::Bitwuzla(settings) = &mut self.backend {
            settings.normalisation = true;
        }
        self
    }
}

/// Makes a solver. An error means that a program or a directory is not there.
///
/// From the outside in: time everything; try short arguments; remember; distrust models; confirm; write down; renew.
pub fn open(settings: &SolverSettings) -> Result<Box<dyn Solver>, Why> {
    let mut solver = open_backend(&settings.backend, settings.renew_after)?;
    if let Some(directory) = &settings.log {
        let logged = Log::over(solver, directory);
        let failed = |error| Why::Failed(format!("cannot log to {}: {error}", directory.display()));
        solver = Box::new(logged.map_err(failed)?);
    }
    if let Some(second) = &settings.cross_check {
        solver = Box::new(CrossCheck::over(solver, open_backend(second, settings.renew_after)?));
    }
    if settings.model_check {
        solver = Box::new(CheckModel::over(solver));
    }
    if let Some(models) = settings.cached_models {
        solver = Box::new(Cache::over(solver, models));
    }
    let arguments = Arguments {
        algebra: settings.algebra,
        numbering: settings.numbering,
        differences: settings.differences,
        linear: settings.linear,
        small_factors: settings.small_factors,
    };
    if arguments != Arguments::default() {
        solver = Box::new(Refute::over(solver, arguments));
    }
    Ok(Box::new(Timing::over(solver)))
}

fn open_backend(backend: &Backend, renew_after: Option<usize>) -> Result<Box<dyn Solver>, Why> {
    Ok(match (backend, renew_after) {
        (Backend::Bitwuzla(settings), Some(garbage)) => Box::new(Renew::over(BitwuzlaSolver::new(settings), garbage)),
        (Backend::Bitwuzla(settings), None) => Box::new(BitwuzlaSolver::new(settings)),
        // A new process costs more than the garbage.
        (Backend::Z3(settings), _) => Box::new(Z3Process::new(settings)?),
    })
}

/// The solvers of this installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versions {
    pub bitwuzla: String,
    pub z3: Result<String, Why>,
}

/// Asks each solver for its version.
pub fn versions() -> Versions {
    Versions { bitwuzla: bitwuzla::version(), z3: Z3Settings::default().version() }
}

/// A line for each solver.
impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Bitwuzla {} (linked in)", self.bitwuzla)?;
        match &self.z3 {
            Ok(version) => write!(f, "{version} (child process)"),
            Err(why) => write!(f, "Z3 missing, answers are not cross-checked; apt-get install z3 ({why})"),
        }
    }
}
