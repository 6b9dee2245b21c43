//! Function contracts: what holds whenever a function is called, and when it returns.
//!
//! In a postcondition `\result` is what the function returns, `\old(e)` (also `\at(e, Old)`, `\at(e, Pre)`) what `e` was at the call, and
//! parameters are those of the call. The clauses become those of CBMC, which our front end reads.

use crate::correctness::{conjunction, said_in_c};
use crate::files::{InputFile, Place, place};
use crate::inject::{expression, title};
use crate::metadata::location;
use crate::read::{Invariant, InvariantKind};
use crate::transition::closing;
use crate::yaml::quoted;
use cfa::{Function, Program, Var};
use cfront::inject::Claim;
use term::cprint::CName;
use term::{Store, Term};
use transform::contract::{Calls, Contract};

/// A contract of a recursive function, in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenContract {
    function: String,
    at: Place,
    requires: Vec<String>,
    ensures: Vec<String>,
    /// Whether there is more to it that C cannot say.
    pub(crate) left_out: bool,
}

impl WrittenContract {
    /// Nothing where the function stands in none of the files. Where only recursive calls keep what it requires, it says what comes of
    /// calls that do.
    pub fn new(files: &[InputFile], program: &Program, contract: &Contract, calls: Calls) -> Option<WrittenContract> {
        let Function { name, span, .. } = &program.functions[contract.function];
        let at = place(files, &program.sources, *span, span.line, span.col)?;
        let mut left_out = false;
        let mut in_c = |formulas: &[Term], moment: Moment| -> Vec<String> {
            let parts: Vec<Term> = formulas.iter().flat_map(|t| term::normal::conjuncts(&program.terms, *t)).collect();
            let names = |store: &Store, t: Term| c_name(program, contract, moment, store, t);
            let texts: Vec<String> =
                parts.iter().filter_map(|t| said_in_c(program, &program.terms, *t, &names)).collect();
            left_out |= texts.len() < parts.len();
            texts
        };
        let (mut requires, mut ensures) = (in_c(&contract.before, Moment::Call), in_c(&contract.after, Moment::Return));
        if calls == Calls::Recursive && !contract.before.is_empty() {
            // Without globals, which may be others when it returns.
            let plain = contract.before.iter().all(|t| {
                let free = term::walk::free_vars(&program.terms, &[*t]);
                free.iter().all(|v| program.var_of(*v).is_some_and(|v| contract.params.contains(&v)))
            });
            if left_out || !plain {
                return None;
            }
            let asked = conjunction(&requires);
            ensures.iter_mut().for_each(|clause| *clause = format!("!({asked}) || ({clause})"));
            requires.clear();
            left_out = true;
        }
        Some(WrittenContract { function: name.clone(), at, requires, ensures, left_out })
    }

    /// An item of an `invariant_set`.
    pub(crate) fn item(&self) -> String {
        let mut item = "    - invariant:\n        type: function_contract\n".to_owned();
        item += &location(&self.at, true, &self.function, 8);
        for (name, conjuncts) in [("requires", &self.requires), ("ensures", &self.ensures)] {
            let text = if conjuncts.is_empty() { "1".to_owned() } else { conjunction(conjuncts) };
            item += &format!("        {name}: {}\n", quoted(&text));
        }
        item + "        format: ext_c_expression\n"
    }
}

/// When a clause is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    Call,
    Return,
}

/// What a variable of a contract is called in its clauses: nothing where a parameter hides a global variable.
fn c_name(program: &Program, contract: &Contract, moment: Moment, store: &Store, t: Term) -> Option<CName> {
    let var = program.var_of(t)?;
    let source = program.source_of(var)?;
    let width = store.sort(t).bv_width().unwrap_or(0);
    let plain = |var: &Var| program.source_of(*var).map(|source| source.name.as_str());
    if contract.result == Some(var) {
        // Whether the function's type is signed is not known here.
        let cast = match width {
            8 => "signed char",
            16 => "short",
            32 => "int",
            64 => "long long",
            _ => return None,
        };
        return Some(CName { text: format!("(({cast})\\result)"), signed: true, width });
    }
    let mut text = source.name.clone();
    if !contract.params.contains(&var) {
        let (now, before) = contract.globals.iter().find(|(now, before)| *now == var || *before == var)?;
        let name = plain(now)?;
        if contract.params.iter().any(|param| plain(param) == Some(name)) {
            return None;
        }
        text = if *before == var && moment == Moment::Return { format!("\\at({name}, Old)") } else { name.to_owned() };
    }
    Some(CName { text, signed: source.signed, width })
}

/// The contract as a claim about its function, which the location names.
pub(crate) fn claim(number: usize, invariant: &Invariant) -> Result<Claim, String> {
    let InvariantKind::Contract { requires, ensures } = &invariant.kind else { return Err("not a contract".into()) };
    let function = invariant.location.function.clone();
    let function = function.ok_or_else(|| format!("there is no function at {}", invariant.location.show()))?;
    let mut clauses = String::new();
    for (name, text) in [("__CPROVER_requires", requires), ("__CPROVER_ensures", ensures)] {
        if let Some(text) = text {
            let clause = clause(text).and_then(|(clause, plain)| {
                expression(&plain, &invariant.location)?;
                Ok(clause)
            });
            let clause = clause.map_err(|why| format!("the contract of {function}: {why}"))?;
            clauses += &format!("{name}(({clause}))\n");
        }
    }
    let number = u32::try_from(number).map_err(|_| "too many invariants")?;
    Ok(Claim { function, clauses, title: title("contract", &invariant.location), number })
}

/// The clause as CBMC writes it, and without what C does not know, which must be an expression.
fn clause(text: &str) -> Result<(String, String), String> {
    let (mut clause, mut plain) = (String::new(), String::new());
    let mut rest = text;
    while let Some(start) = rest.find('\\') {
        let (before, from) = rest.split_at(start);
        clause += before;
        plain += before;
        let from = &from[1..];
        let word = &from[..from.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(from.len())];
        let after = &from[word.len()..];
        if word == "result" {
            clause += "__CPROVER_return_value";
            plain += "(0)";
            rest = after;
            continue;
        }
        let inside = after.trim_start().strip_prefix('(').filter(|_| matches!(word, "old" | "at"));
        let inside = inside.ok_or_else(|| format!("'\\{word}' is not known in a contract"))?;
        let end = closing(inside).ok_or_else(|| format!("'\\{word}' without its end"))?;
        let operand = match (word, inside[..end].rsplit_once(',')) {
            ("old", _) => &inside[..end],
            (_, Some((operand, label))) if matches!(label.trim(), "Old" | "Pre") => operand,
            _ => return Err("'\\at' of a contract has the label Old".into()),
        };
        if operand.contains('\\') {
            return Err(format!("'\\{word}' of something that is no C"));
        }
        clause += &format!("__CPROVER_old({operand})");
        plain += &format!("({operand})");
        rest = &inside[end + 1..];
    }
    Ok((clause + rest, plain + rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_those_of_cbmc() {
        let both = |text: &str| clause(text).map(|(clause, _)| clause);
        assert_eq!(
            both("\\result == \\old(g) + \\at(a[(i)], Old) - n").as_deref(),
            Ok("__CPROVER_return_value == __CPROVER_old(g) + __CPROVER_old(a[(i)]) - n")
        );
        for bad in ["\\at(x, AnyPrev) > 0", "\\forall int i; 1", "\\old(x", "\\old(\\result) > 0"] {
            assert!(both(bad).is_err(), "{bad}");
        }
    }
}
