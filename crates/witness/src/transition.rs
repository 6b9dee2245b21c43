//! Transition invariants: what holds between an earlier visit of a loop's test and the present one.
//!
//! `\at(e, AnyPrev)` is the value of `e` at any earlier evaluation of the controlling expression since the loop was entered.
//! The program is made to keep one such visit, which one being its own free choice, so that the claim about all pairs of
//! visits becomes a check like that of any invariant. Besides, the relation must not hold between a state and itself:
//! machine numbers have finitely many values, so in a loop that goes on for ever some visit finds the values of an earlier
//! one, and the relation would hold between them. This is all that well-foundedness takes here.
//!
//! `\at(e, LastPrev)` is the value at the visit before; it is stored at every visit. A relation between neighbouring visits alone
//! shows no end, but where it holds between any two it does ([`strengthened`]).

use crate::files::InputFile;
use crate::inject::{expression, injection, invariant_function};
use crate::read::{Correctness, Invariant, InvariantKind, Location};
use cfront::inject::{Injections, Moment};

/// A transition invariant, cut at what it says about earlier visits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The text between the values of earlier visits: one more than there are of them.
    between: Vec<String>,
    /// Which operand stands at each of these places.
    places: Vec<usize>,
    /// The expressions whose earlier values are meant, each once.
    pub operands: Vec<Operand>,
}

/// `\at(e, ...)`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    text: String,
    which: Earlier,
}

/// Which earlier visit is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Earlier {
    Any,
    Last,
}

/// The C types of a transition invariant's operands.
pub type Storage = Vec<&'static str>;

impl Transition {
    pub fn parse(value: &str, at: &Location) -> Result<Transition, String> {
        let bad = |what: &str| Err(format!("the expression '{value}' at {} {what}", at.show()));
        let mut transition = Transition { between: Vec::new(), places: Vec::new(), operands: Vec::new() };
        let mut rest = value;
        while let Some(start) = rest.find("\\at") {
            transition.between.push(rest[..start].to_owned());
            let after = rest[start + 3..].trim_start();
            let Some(inside) = after.strip_prefix('(') else { return bad("has an \\at without parentheses") };
            let Some(end) = closing(inside) else { return bad("has an \\at without its end") };
            let Some((operand, label)) = inside[..end].rsplit_once(',') else {
                return bad("has an \\at without a label");
            };
            let which = match label.trim() {
                "AnyPrev" => Earlier::Any,
                "LastPrev" => Earlier::Last,
                _ => return bad("has a label that transition invariants do not know"),
            };
            let operand = Operand { text: expression(operand.trim(), at)?, which };
            let known = transition.operands.iter().position(|known| *known == operand);
            transition.places.push(known.unwrap_or(transition.operands.len()));
            if known.is_none() {
                transition.operands.push(operand);
            }
            rest = &inside[end + 1..];
        }
        transition.between.push(rest.to_owned());
        // As an expression, whatever the operands are.
        expression(&transition.with(|_| "(0)".to_owned()), at)?;
        Ok(transition)
    }

    fn speaks_of(&self, which: Earlier) -> bool {
        self.operands.iter().any(|operand| operand.which == which)
    }

    /// The text with something for each operand.
    fn with(&self, value: impl Fn(usize) -> String) -> String {
        let mut text = self.between[0].clone();
        for (operand, next) in self.places.iter().zip(&self.between[1..]) {
            text += &value(*operand);
            text += next;
        }
        text
    }
}

/// Where the parenthesis is closed that was open before the text.
pub(crate) fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(i),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The transition invariants among the invariants, with their numbers.
pub fn all(invariants: &[Invariant]) -> Result<Vec<(usize, Transition)>, String> {
    let own = invariants.iter().enumerate().filter(|(_, invariant)| invariant.kind.is_transition());
    own.map(|(i, invariant)| Ok((i, Transition::parse(&invariant.value, &invariant.location)?))).collect()
}

/// The invariants with what they say of the last visit said of any earlier one, if there are such: the last visit is one.
pub fn strengthened(invariants: &[Invariant]) -> Result<Option<Vec<Invariant>>, String> {
    let mut stronger = invariants.to_vec();
    let mut differs = false;
    for (number, transition) in all(invariants)? {
        differs |= transition.speaks_of(Earlier::Last);
        stronger[number].value = transition.with(|j| format!("\\at({}, AnyPrev)", transition.operands[j].text));
    }
    Ok(differs.then_some(stronger))
}

/// The variable that holds an operand while its type is found out.
pub fn probe(number: usize, operand: usize) -> String {
    format!("__foldback_probe_{number}_{operand}")
}

/// The variable that holds whether arithmetic with an operand is signed.
pub fn sign_probe(number: usize, operand: usize) -> String {
    format!("__foldback_signed_{number}_{operand}")
}

/// Whether a visit of the loop's test is kept.
pub fn kept(number: usize) -> String {
    format!("__foldback_kept_{number}")
}

/// The input function that says whether the present visit is the one to be kept: it is asked at every visit.
pub fn keep(number: usize) -> String {
    format!("__VERIFIER_nondet_keep_{number}")
}

/// The function that is called where invariant number `number` holds between a state and itself.
pub fn repeats_function(number: usize) -> String {
    format!("__foldback_repeats_{number}")
}

/// When the place of a transition invariant is visited.
fn visit(kind: &InvariantKind) -> Moment {
    if *kind == InvariantKind::StatementTransition { Moment::Statement } else { Moment::LoopTest }
}

/// Assigns all operands to variables of the widest type: the assignments show what types they have.
pub fn probes(files: &[InputFile], said: &Correctness) -> Result<Injections, String> {
    let invariants = &said.invariants;
    let mut injections = Injections::default();
    for (number, transition) in all(invariants)? {
        for (j, operand) in transition.operands.iter().enumerate() {
            let (variable, signed) = (probe(number, j), sign_probe(number, j));
            injections.prelude += &format!("unsigned long long {variable};\n_Bool {signed};\n");
            let operand = &operand.text;
            let text = format!("(void)({variable} = ({operand}), {signed} = (({operand}) * 0 - 1 < 0))");
            let Invariant { location, kind, .. } = &invariants[number];
            injections.expressions.push(injection(files, location, visit(kind), text, "transition invariant")?);
        }
    }
    said.ghosts.inject(files, &mut injections)?;
    Ok(injections)
}

/// One transition invariant as a check: it holds between the kept visit and the present one and, if that is `strict`, not
/// between the present one and itself. The last injection at a loop is where the loop is entered, and need not find its place.
pub(crate) fn check(
    files: &[InputFile],
    number: usize,
    invariant: &Invariant,
    storage: &Storage,
    strict: bool,
    injections: &mut Injections,
) -> Result<(), String> {
    let at = &invariant.location;
    let transition = Transition::parse(&invariant.value, at)?;
    let (kept, keep, function, repeats) =
        (kept(number), keep(number), invariant_function(number), repeats_function(number));
    let seen = format!("__foldback_seen_{number}");
    let earlier = |j: usize| format!("__foldback_earlier_{number}_{j}");
    injections.prelude +=
        &format!("void {function}(void);\nvoid {repeats}(void);\n_Bool {kept};\n_Bool {seen};\n_Bool {keep}(void);\n");
    let (mut store, mut store_last) = (String::new(), String::new());
    for (j, Operand { text, which }) in transition.operands.iter().enumerate() {
        injections.prelude += &format!("{} {};\n", storage[j], earlier(j));
        let stores = if *which == Earlier::Any { &mut store } else { &mut store_last };
        *stores += &format!("{} = ({text}), ", earlier(j));
    }
    let held = transition.with(|j| format!("({})", earlier(j)));
    let same = transition.with(|j| match &transition.operands[j] {
        Operand { text, which: Earlier::Any } => format!("(({})({text}))", storage[j]),
        Operand { which: Earlier::Last, .. } => format!("({})", earlier(j)),
    });
    let speaks_of_last = transition.speaks_of(Earlier::Last);
    // Of any two visits, if it speaks of any; the last one is there then, too.
    let there = if speaks_of_last && !transition.speaks_of(Earlier::Any) { &seen } else { &kept };
    let moment = visit(&invariant.kind);
    let mut at_visit = |text: String| -> Result<(), String> {
        injections.expressions.push(injection(files, at, moment, text, "transition invariant")?);
        Ok(())
    };
    at_visit(format!("({there} && !({held})) ? {function}() : (void)0"))?;
    if strict {
        let same = if speaks_of_last { format!("{seen} && ({same})") } else { same };
        at_visit(format!("({same}) ? {repeats}() : (void)0"))?;
    }
    at_visit(format!("{keep}() ? (void)({store}{kept} = 1) : (void)0"))?;
    if speaks_of_last {
        at_visit(format!("(void)({store_last}{seen} = 1)"))?;
    }
    if invariant.kind == InvariantKind::Transition {
        let forget = format!("(void)({kept} = 0, {seen} = 0)");
        injections.expressions.push(injection(files, at, Moment::Statement, forget, "transition invariant")?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_values_are_found() {
        let at = Location { file: "a.c".into(), line: 1, column: None, function: None };
        let parsed =
            Transition::parse("\\at(n, AnyPrev) - \\at( a[(i)] ,AnyPrev) > n - \\at(n, AnyPrev)", &at).unwrap();
        let texts: Vec<&str> = parsed.operands.iter().map(|operand| operand.text.as_str()).collect();
        assert_eq!(texts, ["n", "a[(i)]"]);
        assert_eq!(parsed.with(|i| format!("e{i}")), "e0 - e1 > n - e0");
        for bad in
            ["\\at(n) > n", "\\at(n, Old) > n", "\\at(n, AnyPrev > n", "\\at(f(n), AnyPrev) > n", "\\at n", "x = 1"]
        {
            assert!(Transition::parse(bad, &at).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_last_visit_is_an_earlier_one() {
        let location = Location { file: "a.c".into(), line: 1, column: None, function: None };
        let invariant = |value: &str| Invariant {
            kind: InvariantKind::Transition,
            location: location.clone(),
            value: value.to_owned(),
        };
        let stronger = strengthened(&[invariant("\\at(n, LastPrev) > n && \\at(n,AnyPrev) > n")]).unwrap();
        assert_eq!(stronger, Some(vec![invariant("\\at(n, AnyPrev) > n && \\at(n, AnyPrev) > n")]));
        assert_eq!(strengthened(&[invariant("\\at(n, AnyPrev) > n")]), Ok(None));
    }
}
