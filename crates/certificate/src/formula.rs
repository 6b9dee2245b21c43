//! Invariants from a manifest or a witness: formulas that an enemy may have written.

use crate::limits::read::{MAX_FORMULA, MAX_WIDTH};
use cfa::Program;
use term::{Sort, Store, Term};

/// Reads a formula over the program's variables.
pub(crate) fn read(program: &Program, terms: &mut Store, text: &str) -> Result<Term, String> {
    let formula = read_term(program, terms, text)?;
    if terms.sort(formula) == Sort::Bool { Ok(formula) } else { Err("it is not a formula".into()) }
}

/// Reads a term over the variables of the store, which are of the sorts that the program's are.
pub fn read_term(program: &Program, terms: &mut Store, text: &str) -> Result<Term, String> {
    if let Some(word) = words(text).find(|word| matches!(*word, "forall" | "exists")) {
        return Err(format!("it uses '{word}'"));
    }
    let formula = parse(program, terms, text)?;
    let order = term::postorder(terms, &[formula]);
    if let Some(quantifier) = order.iter().map(|t| terms.op(*t)).find(|op| op.is_quantifier()) {
        return Err(format!("it has a quantifier ({}), which has no clauses here", quantifier.facts().name));
    }
    Ok(formula)
}

/// Reads a formula over the program's variables that may have quantifiers.
pub fn read_quantified(program: &Program, terms: &mut Store, text: &str) -> Result<Term, String> {
    let formula = parse(program, terms, text)?;
    if terms.sort(formula) == Sort::Bool { Ok(formula) } else { Err("it is not a formula".into()) }
}

fn parse(program: &Program, terms: &mut Store, text: &str) -> Result<Term, String> {
    if text.len() > MAX_FORMULA {
        return Err(format!("it is longer than {MAX_FORMULA} bytes"));
    }
    check_widths(program, text)?;
    term::smtlib::parse_term(terms, text).map_err(|error| error.to_string())
}

/// Terms can be made wide by few words: each extension adds to a width, and each concatenation of something that has a name
/// with itself doubles it. What that could come to at most is bounded before anything is built.
fn check_widths(program: &Program, text: &str) -> Result<(), String> {
    let widest = |sort: Sort| match sort {
        Sort::Bool => 1,
        Sort::Bv(width) => width,
        Sort::Float(format) => format.width(),
        Sort::Array(array) => {
            let width = |sort: Sort| sort.bv_width().unwrap_or(128);
            width(array.index.into()).max(width(array.elem.into()))
        }
    };
    let widest = program.vars.values().map(|var| f64::from(widest(var.sort))).fold(64.0, f64::max);
    let mut sum = widest;
    let mut factor = 1.0f64;
    for word in words(text) {
        match word {
            "concat" => factor *= 2.0,
            "repeat" | "lambda" => return Err(format!("it uses '{word}'")),
            _ if word.starts_with('#') => sum += word.len() as f64 * 4.0,
            _ if word.bytes().all(|byte| byte.is_ascii_digit()) => sum += word.parse::<f64>().unwrap_or(0.0),
            _ => {}
        }
    }
    // Without names nothing is there twice.
    let factor = if text.contains("let") { factor } else { 1.0 };
    if sum * factor > MAX_WIDTH * 16.0 { Err("its terms could be too wide".into()) } else { Ok(()) }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == '(' || c == ')')
}
