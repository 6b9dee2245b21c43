//! CBMC's quantifiers and implications in C that a compiler reads: a loop inside an expression (GNU C), `!(a) || (b)`.
//!
//! `__CPROVER_forall { T i; c }` becomes a loop that evaluates all of `c` for one value of `i` after the other. Values that it leaves out
//! are such for which `c` is settled by what it says itself: those below a constant that `i` is compared with, and from the first one on for which an
//! upper bound (`i < e`) does not hold. From zero on that one is the first of all such, whatever types `e` and `i` have, as conversions
//! of numbers that are not negative keep their order; where `i` may be negative, nothing above is left out. Without bounds the loop goes through
//! the whole type, however long that takes.
//!
//! What has another form stays as it is: no compiler reads it, and nothing is confirmed.

use super::edit::{Edits, File};
use crate::token::{P, Tok};
use std::ops::Range;

/// A quantifier of one variable, by numbers of tokens.
struct Quantifier {
    for_all: bool,
    /// Its name, and the brace behind it.
    start: usize,
    /// The variable's name, with a semicolon behind it.
    var: usize,
    condition: Range<usize>,
    /// The closing brace.
    end: usize,
}

/// What bounds a variable: as text.
#[derive(Default)]
struct Bounds {
    low: Option<String>,
    high: Vec<String>,
}

impl File<'_> {
    pub(super) fn write_quantifiers(&self, edits: &mut Edits) {
        let count = self.stream.tokens.len();
        let quantifiers: Vec<Quantifier> = (0..count).filter_map(|index| self.quantifier(index)).collect();
        let bounds: Vec<Bounds> = quantifiers.iter().map(|q| self.bounds(q)).collect();
        for (q, bounds) in quantifiers.iter().zip(&bounds) {
            self.open_loop(q, bounds, edits);
        }
        // Between the two: its brackets stand inside of those of the loop.
        for index in 0..count {
            if self.is_implication(index) {
                self.write_implication(index, &quantifiers, edits);
            }
        }
        for q in quantifiers.iter().rev() {
            self.close_loop(q, edits);
        }
    }

    fn quantifier(&self, start: usize) -> Option<Quantifier> {
        let for_all = match self.name(start)? {
            "__CPROVER_forall" => true,
            "__CPROVER_exists" => false,
            _ => return None,
        };
        if !self.is(start + 1, P::LBrace) {
            return None;
        }
        let end = self.closed(start + 1, P::LBrace, P::RBrace).checked_sub(1).filter(|end| self.is(*end, P::RBrace))?;
        let semi = (start + 2..end).find(|at| !matches!(self.stream.tokens[*at].tok, Tok::Name(_)))?;
        let last = if self.is(end - 1, P::Semi) { end - 1 } else { end };
        let is_one = self.is(semi, P::Semi) && semi >= start + 4 && semi + 1 < last;
        is_one.then_some(Quantifier { for_all, start, var: semi - 1, condition: semi + 1..last, end })
    }

    /// A loop over the variable, up to where the condition begins.
    fn open_loop(&self, q: &Quantifier, bounds: &Bounds, edits: &mut Edits) {
        let (i, number) = (self.text(q.var), q.start);
        let is_unsigned = format!("(__typeof__({i}))-1 > 0");
        let (low, stops) = match &bounds.low {
            Some(low) => (low.clone(), "1".to_owned()),
            None => (format!("({is_unsigned} ? 0 : -{} - 1)", largest(&i)), is_unsigned),
        };
        let inside = bounds.high.iter().fold("1".to_owned(), |all, bound| format!("{all} && ({bound})"));
        edits.instead.insert(q.start, format!("({{ _Bool foldback_holds_{number} = {}; ", u8::from(q.for_all)));
        let not = if q.for_all { "!" } else { "" };
        let text = format!(" for ({i} = {low}; !({stops}) || ({inside}); {i}++) {{ if ({not}( ");
        *edits.behind.entry(q.var + 1).or_default() += &text;
    }

    fn close_loop(&self, q: &Quantifier, edits: &mut Edits) {
        let (i, number) = (self.text(q.var), q.start);
        let found = u8::from(!q.for_all);
        for semi in q.condition.end..q.end {
            edits.instead.insert(semi, String::new());
        }
        let text = format!(" )) {{ foldback_holds_{number} = {found}; break; }} if ({i} == {}) break; }}", largest(&i));
        *edits.behind.entry(q.condition.end - 1).or_default() += &text;
        edits.instead.insert(q.end, format!("}} foldback_holds_{number}; }})"));
    }

    /// `==>` is two tokens.
    fn is_implication(&self, index: usize) -> bool {
        self.is(index, P::EqEq) && self.is(index + 1, P::Gt)
    }

    /// Where it stands alone between brackets, or behind the variable of a quantifier. Those to its right belong to its right side.
    fn write_implication(&self, at: usize, quantifiers: &[Quantifier], edits: &mut Edits) {
        let Some((start, end)) = self.surroundings(at, quantifiers) else { return };
        let outer = self.outer(start..end);
        if outer.iter().any(|index| self.is_looser(*index)) {
            return;
        }
        let before = outer.iter().rfind(|index| **index < at && self.is_implication(**index));
        let left = before.map_or(start, |other| other + 2);
        *edits.behind.entry(left - 1).or_default() += " !(";
        edits.instead.insert(at, ")".into());
        edits.instead.insert(at + 1, "|| (".into());
        *edits.behind.entry(end - 1).or_default() += ")";
    }

    /// The tokens between the brackets or commas around a token.
    fn surroundings(&self, at: usize, quantifiers: &[Quantifier]) -> Option<(usize, usize)> {
        let mut start = at;
        let mut depth = 0_usize;
        loop {
            start = start.checked_sub(1)?;
            if CLOSING.iter().any(|p| self.is(start, *p)) {
                depth += 1;
            } else if OPENING.iter().any(|p| self.is(start, *p)) {
                match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    // Statements are no expressions.
                    None if self.is(start, P::LBrace) => return None,
                    None => break,
                }
            } else if depth == 0 && self.is(start, P::Comma) {
                break;
            } else if depth == 0 && self.is(start, P::Semi) {
                match quantifiers.iter().any(|q| q.var + 1 == start) {
                    true => break,
                    false => return None,
                }
            }
        }
        let mut end = at;
        loop {
            end += 1;
            if end >= self.stream.tokens.len() {
                return None;
            }
            if OPENING.iter().any(|p| self.is(end, *p)) {
                depth += 1;
            } else if CLOSING.iter().any(|p| self.is(end, *p)) {
                match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => break,
                }
            } else if depth == 0 && (self.is(end, P::Comma) || self.is(end, P::Semi)) {
                break;
            }
        }
        Some((start + 1, end))
    }

    /// The tokens of a range that stand in no bracket.
    fn outer(&self, range: Range<usize>) -> Vec<usize> {
        let mut depth = 0_usize;
        let mut out = Vec::new();
        for index in range {
            if CLOSING.iter().any(|p| self.is(index, *p)) {
                depth = depth.saturating_sub(1);
            } else if OPENING.iter().any(|p| self.is(index, *p)) {
                depth += 1;
            } else if depth == 0 {
                out.push(index);
            }
        }
        out
    }

    /// Operators that bind less than an implication.
    fn is_looser(&self, index: usize) -> bool {
        match self.stream.tokens[index].tok {
            Tok::Punct(p) => LOOSER.contains(&p),
            _ => false,
        }
    }

    /// What the condition says of the variable where it is not settled: left of `==>` for all values, any conjunct for some.
    fn bounds(&self, q: &Quantifier) -> Bounds {
        let condition = self.without_brackets(q.condition.clone());
        let outer = self.outer(condition.clone());
        let implication = outer.iter().copied().find(|index| self.is_implication(*index));
        let guard = match (q.for_all, implication) {
            (true, Some(end)) => condition.start..end,
            (false, None) => condition,
            _ => return Bounds::default(),
        };
        let mut bounds = Bounds::default();
        if !outer.into_iter().any(|index| self.is_looser(index)) {
            self.collect(guard, q.var, &mut bounds);
        }
        bounds
    }

    /// Goes through conjuncts.
    fn collect(&self, range: Range<usize>, var: usize, bounds: &mut Bounds) {
        let range = self.without_brackets(range);
        let outer = self.outer(range.clone());
        let is = |p: P| outer.iter().copied().find(|index| self.is(*index, p));
        if is(P::OrOr).is_some() || outer.iter().any(|index| self.is_looser(*index) || self.is_implication(*index)) {
            return;
        }
        if let Some(and) = is(P::AndAnd) {
            self.collect(range.start..and, var, bounds);
            return self.collect(and + 1..range.end, var, bounds);
        }
        let is_one = |index: &&usize| COMPARISONS.iter().any(|p| self.is(**index, *p));
        let mut found = outer.iter().filter(is_one);
        let (Some(&at), None) = (found.next(), found.next()) else { return };
        if outer.iter().any(|index| OTHERS.iter().any(|p| self.is(*index, *p))) {
            return;
        }
        let (left, right) = (self.without_brackets(range.start..at), self.without_brackets(at + 1..range.end));
        let own = self.name(var);
        let is_var = |side: &Range<usize>| side.len() == 1 && self.name(side.start) == own;
        let is_free = |side: &Range<usize>| side.clone().all(|index| self.name(index) != own);
        let (other, is_left) = match (is_var(&left), is_var(&right)) {
            (true, false) if is_free(&right) => (right, true),
            (false, true) if is_free(&left) => (left, false),
            _ => return,
        };
        let is_upper = is_left == (self.is(at, P::Lt) || self.is(at, P::Le));
        // What is rewritten or done in it cannot be copied.
        let is_plain = |index: usize| {
            !self.is_implication(index)
                && !self.is_looser(index)
                && !DONE.iter().any(|p| self.is(index, *p))
                && self.name(index).is_none_or(|name| !name.starts_with("__CPROVER_"))
        };
        if is_upper && other.clone().all(is_plain) {
            let text: Vec<String> = range.map(|index| self.text(index)).collect();
            bounds.high.push(text.join(" "));
        } else if !is_upper && other.len() == 1 && bounds.low.is_none() {
            // An `int` that is not negative: so are the values from it on.
            let text = self.text(other.start);
            let is_decimal = text == "0" || text.len() < 10 && !text.starts_with('0');
            bounds.low = Some(text).filter(|text| is_decimal && text.bytes().all(|b| b.is_ascii_digit()));
        }
    }

    fn without_brackets(&self, range: Range<usize>) -> Range<usize> {
        let mut range = range;
        while range.len() > 2
            && self.is(range.start, P::LParen)
            && self.closed(range.start, P::LParen, P::RParen) == range.end
        {
            range = range.start + 1..range.end - 1;
        }
        range
    }

    fn text(&self, index: usize) -> String {
        String::from_utf8_lossy(self.stream.bytes(&self.stream.tokens[index])).into_owned()
    }
}

/// The largest value of the type of a variable.
fn largest(i: &str) -> String {
    let ty = format!("__typeof__({i})");
    format!("(({ty})-1 > 0 ? ({ty})-1 : ({ty})(((({ty})1 << (sizeof {i} * 8 - 2)) - 1) * 2 + 1))")
}

const OPENING: [P; 3] = [P::LParen, P::LBracket, P::LBrace];
const CLOSING: [P; 3] = [P::RParen, P::RBracket, P::RBrace];
const COMPARISONS: [P; 4] = [P::Lt, P::Le, P::Gt, P::Ge];
/// Operators between which and a comparison the text of both would be one operand.
const OTHERS: [P; 5] = [P::EqEq, P::Ne, P::And, P::Caret, P::Or];
/// Operators that change something.
const DONE: [P; 2] = [P::Inc, P::Dec];
const LOOSER: [P; 15] = [
    P::Question,
    P::Colon,
    P::Semi,
    P::Comma,
    P::Assign,
    P::ShlAssign,
    P::ShrAssign,
    P::MulAssign,
    P::DivAssign,
    P::RemAssign,
    P::AddAssign,
    P::SubAssign,
    P::AndAssign,
    P::XorAssign,
    P::OrAssign,
];
