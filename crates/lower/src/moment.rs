//! When the program is compiled: `__DATE__`, `__TIME__` and `__TIMESTAMP__` are any such text, the same one wherever they stand.
//!
//! The front end has texts for them that say no moment. Their characters are variables of the program, which get any value that the form
//! allows when it starts: any second of any day since 1970, whatever day of the week it is said to be. A program that is just run was compiled
//! when 1970 began.

use cfa::{EndKind, LocKind, Op, Origin, Var};
use cfront::hir::{DATE, TIME, TIMESTAMP};
use term::{Sort, Term};

use crate::context::Lowering;
use crate::options::Places;

const DIGITS: &str = "0123456789";
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// A text that stands for a moment: its macro, its form, and what it is where the program is just run. In the form `M` begins a month,
/// `W` a day of the week, `D` a day, `h`, `m` and `s` begin hours, minutes and seconds, `Y` a year; a dot goes on with them.
struct Form {
    name: &'static str,
    text: &'static str,
    form: &'static str,
    first: &'static str,
}

/// The longest one first: others are in it.
const FORMS: [Form; 3] = [
    Form {
        name: "__TIMESTAMP__",
        text: TIMESTAMP,
        form: "W.. M.. D. h.:m.:s. Y...",
        first: "Thu Jan  1 00:00:00 1970",
    },
    Form { name: "__DATE__", text: DATE, form: "M.. D. Y...", first: "Jan  1 1970" },
    Form { name: "__TIME__", text: TIME, form: "h.:m.:s.", first: "00:00:00" },
];

impl Lowering<'_> {
    pub(crate) fn prepare_moments(&mut self) {
        if !self.unit.has_moments || self.options.places == Places::Fixed {
            return;
        }
        for form in &FORMS {
            let vars = (0..form.text.len()).map(|i| self.generated_global(&format!("${}{i}", form.name), Sort::Bv(8)));
            let vars = vars.collect();
            self.moments.push(vars);
        }
    }

    /// When the program starts: any moment.
    pub(crate) fn start_moments(&mut self) {
        for (form, vars) in FORMS.iter().zip(self.moments.clone()) {
            self.emit(Op::Havoc { vars: vars.clone(), origin: Origin::Uninitialised(form.name.to_owned()) });
            for (i, kind) in form.form.char_indices() {
                let ok = match kind {
                    'M' => self.is_word(&vars[i..], &MONTHS),
                    'W' => self.is_word(&vars[i..], &DAYS),
                    'D' => self.is_pair(&vars[i..], &[(" ", "123456789"), ("12", DIGITS), ("3", "01")]),
                    'h' => self.is_pair(&vars[i..], &[("01", DIGITS), ("2", "0123")]),
                    'm' => self.is_pair(&vars[i..], &[("012345", DIGITS)]),
                    // There are leap seconds.
                    's' => self.is_pair(&vars[i..], &[("012345", DIGITS), ("6", "0")]),
                    'Y' => {
                        let early = self.is_pair(&vars[i..], &[("1", "9")]);
                        let (decade, later) = (
                            self.is_pair(&vars[i + 2..], &[("789", DIGITS)]),
                            self.is_pair(&vars[i..], &[("23456789", DIGITS)]),
                        );
                        let (any, early) =
                            (self.is_pair(&vars[i + 2..], &[(DIGITS, DIGITS)]), self.terms().and(early, decade));
                        let later = self.terms().and(later, any);
                        self.terms().or(early, later)
                    }
                    '.' => continue,
                    other => self.is_one_of(vars[i], &other.to_string()),
                };
                self.require(ok, LocKind::End(EndKind::Blocked));
            }
            if let (Some(month), Some(day), Some(year)) =
                (form.form.find('M'), form.form.find('D'), form.form.find('Y'))
            {
                let ok = self.is_in_month(&vars[month..], &vars[day..], &vars[year..]);
                self.require(ok, LocKind::End(EndKind::Blocked));
            }
        }
    }

    /// Whether the month has such a day.
    fn is_in_month(&mut self, month: &[Var], day: &[Var], year: &[Var]) -> Term {
        let (short, february) = (self.is_word(month, &["Apr", "Jun", "Sep", "Nov"]), self.is_word(month, &["Feb"]));
        let (last, thirtieth) = (self.is_pair(day, &[("3", "1")]), self.is_pair(day, &[("3", "01")]));
        let leap_day = self.is_pair(day, &[("2", "9")]);
        let by_four: [(&str, &str); 2] = [("02468", "048"), ("13579", "26")];
        let (year_by_four, century_by_four) = (self.is_pair(&year[2..], &by_four), self.is_pair(year, &by_four));
        let ends_century = self.is_pair(&year[2..], &[("0", "0")]);
        let terms = self.terms();
        let is_leap = terms.ite(ends_century, century_by_four, year_by_four);
        let no_leap = terms.not(is_leap);
        let no_leap_day = terms.and(leap_day, no_leap);
        let too_late = terms.or(thirtieth, no_leap_day);
        let (a, b) = (terms.and(short, last), terms.and(february, too_late));
        let wrong = terms.or(a, b);
        terms.not(wrong)
    }

    /// Whether the first two characters are a pair of which one of these gives the first ones and the second ones.
    fn is_pair(&mut self, vars: &[Var], cases: &[(&str, &str)]) -> Term {
        let mut found = self.terms().ff();
        for (first, second) in cases {
            let (first, second) = (self.is_one_of(vars[0], first), self.is_one_of(vars[1], second));
            let both = self.terms().and(first, second);
            found = self.terms().or(found, both);
        }
        found
    }

    fn is_one_of(&mut self, var: Var, characters: &str) -> Term {
        let value = self.term(var);
        let terms = self.terms();
        let cases: Vec<Term> = characters
            .bytes()
            .map(|c| {
                let c = terms.bv(c.into(), 8);
                terms.eq(value, c)
            })
            .collect();
        terms.or_all(&cases)
    }

    fn is_word(&mut self, vars: &[Var], words: &[&str]) -> Term {
        let mut cases = Vec::new();
        for word in words {
            let parts: Vec<Term> =
                word.chars().zip(vars).map(|(c, var)| self.is_one_of(*var, c.encode_utf8(&mut [0; 4]))).collect();
            cases.push(self.terms().and_all(&parts));
        }
        self.terms().or_all(&cases)
    }

    /// Whether a text has characters that depend on when the program is compiled.
    pub(crate) fn says_moment(&self, units: &[u32]) -> bool {
        self.unit.has_moments && FORMS.iter().any(|form| (0..units.len()).any(|at| is_there(form, units, at)))
    }

    /// The characters of a string literal, so many bits each.
    pub(crate) fn characters(&mut self, units: &[u32], width: u32) -> Vec<Term> {
        let mut out: Vec<Term> = units.iter().map(|unit| self.terms().bv(u128::from(*unit), width)).collect();
        let mut at = 0;
        while self.unit.has_moments && at < units.len() {
            let Some((number, form)) = FORMS.iter().enumerate().find(|(_, form)| is_there(form, units, at)) else {
                at += 1;
                continue;
            };
            for (i, c) in form.first.bytes().enumerate() {
                let value = match self.moments.get(number) {
                    Some(vars) => self.program.term(vars[i]),
                    None => self.terms().bv(c.into(), 8),
                };
                out[at + i] = self.terms().resize(value, width, false);
            }
            at += form.text.len();
        }
        out
    }
}

fn is_there(form: &Form, units: &[u32], at: usize) -> bool {
    let text = form.text.bytes().map(u32::from);
    units.get(at..at + form.text.len()).is_some_and(|part| part.iter().copied().eq(text))
}
