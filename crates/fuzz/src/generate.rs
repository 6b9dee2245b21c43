//! Random programs: loops of several shapes, branches, small and mixed widths, products, arrays, pointers, structs, unions,
//! floats, inputs in and out of loops, checks anywhere, early exits; and shapes that mistakes were found in: large arrays, long
//! stretches that ask for nothing, recursion with effects, orders of evaluation, loops that are entered in the middle, memory that
//! is allocated again, pointers that get out and come back, calls of the library and of functions without body, copies and fills of
//! unknown length, what C leaves undefined and compilers compute otherwise than machines do, addresses that are looked at, the error
//! function behind a pointer. A program is kept as lines, so that shrinking can leave lines out.

use crate::Random;

/// A program as lines of C. Lines that belong together (a block's head and its end) carry the same depth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    pub lines: Vec<Line>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// A statement by itself.
    Plain(String),
    /// `head {` … `}`.
    Block(String, Vec<Line>),
    /// A value that is to be compared with what it is in one run ([`Source::sharpened`]).
    Note(String),
}

/// What is declared only where it is used, so that most programs stay small: the name, and its declaration outside of `main` or in it.
const GLOBALS: [(&str, &str); 18] = [
    ("big[", "int big[70000];\n"),
    ("sum(", "static int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }\n"),
    (
        "dig(",
        "static int dig(int n) {\n  if (n <= 0) return g;\n  g += n;\n  int r = dig(n - 1);\n  g ^= 1;\n  return r + g;\n}\n",
    ),
    ("fine;", "static void fine(void) {}\n"),
    ("bump(", "static int bump(int v) { h = h * 2 + v; return h; }\n"),
    ("less(", "static int less(int v, int w) { return v - w; }\n"),
    ("outside(", "extern _Bool outside(void);\n"),
    ("lend(", "extern int *lend(int *);\n"),
    ("memcpy(", "extern void *memcpy(void *, const void *, unsigned);\n"),
    ("memset(", "extern void *memset(void *, int, unsigned);\n"),
    ("memmove(", "extern void *memmove(void *, const void *, unsigned);\n"),
    ("malloc(", "extern void *malloc(unsigned);\n"),
    ("calloc(", "extern void *calloc(unsigned, unsigned);\n"),
    ("free(", "extern void free(void *);\n"),
    ("strlen(", "extern unsigned strlen(const char *);\n"),
    ("fuzz_note(", "extern void fuzz_note(unsigned);\n"),
    ("cos(", "extern double cos(double);\n"),
    ("block(", "static int *block(void) { return malloc(sizeof(int)); }\n"),
];
const LOCALS: [(&str, &str); 4] = [
    ("q[", "  int *q = calloc(3, sizeof *q);\n  if (!q) return 0;\n"),
    ("t[", "  char t[6] = {0};\n"),
    ("fail", "  void (*fail)(void) = reach_error;\n"),
    ("r.", "  struct { signed int low : 3; unsigned int high : 5; } r = {0, 0};\n"),
];
/// What a compiled run shows one behaviour of, and C allows others: code outside, the order of evaluation, where memory lies, and what
/// is not defined.
const OPEN: [&str; 11] =
    ["outside(", "lend(", "bump(", "malloc(", "block(", "({", BESIDE, WORD, "int)w", "<< w", "memcpy(&big[1], big"];
/// What the interpreter, too, has one behaviour of: where memory lies, which pointers come from outside, and what code outside
/// changes.
const NOT_ENUMERATED: [&str; 6] = ["outside(", "lend(", "malloc(", "block(", BESIDE, WORD];
/// A pointer is compared with one that may be into another object.
const BESIDE: &str = "p < &";
/// An address is read as a number.
const WORD: &str = "memcpy(&w, &p";

const PROLOGUE: &str = "extern unsigned char __VERIFIER_nondet_uchar(void);\nextern _Bool __VERIFIER_nondet_bool(void);\n\
extern void reach_error(void);\nextern void abort(void);\n\
struct pair { signed char first; unsigned short second; };\nunion view { unsigned int word; unsigned char bytes[4]; };\n\
static signed char twice(signed char v) { return v * 2; }\n\
static void add_to(int *p, int d) { *p += d; }\n\
unsigned char g;\nint h;\n";

const VARIABLES: &str = "int main(void) {\n  signed char a = 0;\n  unsigned char b = 1;\n  int c = 0;\n  unsigned int d = 3;\n  short e = -1;\n  unsigned char x[4] = {0};\n  \
int y[3] = {0};\n  struct pair s = {0, 0};\n  union view u = {0};\n  int *p = &c;\n  float f = 0.0f;\n";

impl Source {
    pub fn text(&self) -> String {
        let body = self.body();
        let locals = declared(&LOCALS, &body);
        // Functions of the program may call functions of the library.
        let own = declared(&GLOBALS, &format!("{locals}{body}"));
        let globals = declared(&GLOBALS, &format!("{own}{locals}{body}"));
        format!("{PROLOGUE}{globals}{VARIABLES}{locals}{body}  return 0;\n}}\n")
    }

    /// With a check that fails where the noted value is what `noted` says of this program, or beside it: few inputs make the
    /// error, so whoever computes anything wrongly on the way misses it or sees what is not there.
    pub fn sharpened(mut self, noted: impl Fn(&Source) -> Option<u32>) -> Source {
        if let Some(Line::Note(value)) = self.lines.last() {
            let beside = u32::from(value.len().is_multiple_of(3));
            let at = noted(&self).unwrap_or(1).wrapping_add(beside);
            // However the program ends then, it is no error.
            let end = if at.is_multiple_of(2) { " abort();" } else { "" };
            let check = Line::Plain(format!("if ((unsigned int)({value}) == {at}u) reach_error();{end}"));
            self.lines.pop();
            self.lines.push(check);
        }
        self
    }

    /// Whether C allows more than what one compiler makes of the program.
    pub fn is_open(&self) -> bool {
        let body = self.body();
        OPEN.iter().any(|name| body.contains(name))
    }

    /// Whether the interpreter does not know all executions either.
    pub fn is_not_enumerated(&self) -> bool {
        let body = self.body();
        NOT_ENUMERATED.iter().any(|name| body.contains(name))
    }

    fn body(&self) -> String {
        let mut body = String::new();
        write(&self.lines, 1, &mut body);
        body
    }
}

/// The declarations of what is used in a text.
fn declared(all: &[(&str, &str)], used_in: &str) -> String {
    all.iter().filter(|(name, _)| used_in.contains(name)).map(|(_, declaration)| *declaration).collect()
}

fn write(lines: &[Line], depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    for line in lines {
        match line {
            Line::Plain(statement) => text.push_str(&format!("{indent}{statement}\n")),
            Line::Block(head, inner) => {
                text.push_str(&format!("{indent}{head} {{\n"));
                write(inner, depth + 1, text);
                text.push_str(&format!("{indent}}}\n"));
            }
            Line::Note(value) => text.push_str(&format!("{indent}fuzz_note({value});\n")),
        }
    }
}

/// A program for a seed.
pub fn program(seed: u64) -> Source {
    let mut writer = Writer {
        random: Random::new(seed),
        inputs: 0,
        loops: 0,
        loop_inputs: 0,
        counters: 0,
        written: vec![],
        ends_in_note: false,
    };
    let mut lines = vec![];
    writer.ends_in_note = writer.random.chance(50);
    for _ in 0..1 + writer.random.below(2) {
        lines.push(writer.input());
    }
    for _ in 0..2 + writer.random.below(5) {
        lines.push(writer.statement(0));
    }
    lines.push(if writer.ends_in_note { writer.note() } else { writer.check() });
    Source { lines }
}

struct Writer {
    random: Random,
    inputs: usize,
    loops: usize,
    loop_inputs: usize,
    counters: usize,
    /// What was assigned to so far.
    written: Vec<&'static str>,
    /// What all of it comes to is compared in the end: nothing on the way is an error.
    ends_in_note: bool,
}

const TARGETS: &[&str] = &[
    "a",
    "b",
    "c",
    "d",
    "e",
    "g",
    "h",
    "x[b & 3]",
    "x[1]",
    "y[d % 3]",
    "y[2]",
    "s.first",
    "s.second",
    "u.word",
    "u.bytes[1]",
    "*p",
    "big[d & 7]",
    "big[69999]",
    "r.low",
    "r.high",
];
const CONSTANTS: &[&str] = &["0", "1", "2", "3", "5", "7", "10", "-1", "-3", "100", "127", "255", "1000"];

impl Writer {
    /// A place to assign to.
    fn target(&mut self) -> &'static str {
        let target = self.random.pick(TARGETS);
        self.written.push(target);
        target
    }

    /// A value: often of what was assigned to, since the rest is known from the start.
    fn value(&mut self) -> &'static str {
        if self.random.chance(60) { self.random.pick(&self.written) } else { self.random.pick(TARGETS) }
    }

    fn input(&mut self) -> Line {
        self.inputs += 1;
        let target = self.random.pick(&["a", "b", "c", "d", "h"]);
        self.written.push(target);
        let shift = if self.random.chance(30) { " - 128" } else { "" };
        Line::Plain(format!("{target} = __VERIFIER_nondet_uchar(){shift};"))
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(35) {
            return if self.random.chance(35) { self.random.pick(CONSTANTS).into() } else { self.value().into() };
        }
        let (l, r) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.random.below(22) {
            0 | 1 => format!("({l} + {r})"),
            2 => format!("({l} - {r})"),
            3 => format!("({l} * {r})"),
            4 => format!("({l} & {r})"),
            5 => format!("({l} | {r})"),
            6 => format!("({l} ^ {r})"),
            7 => format!("({l} / ({r} | 1))"),
            8 => format!("({l} % 7)"),
            9 => format!("({l} >> 1)"),
            10 => format!("(unsigned char)({l} + {r})"),
            11 => format!("({l} < {r})"),
            12 => format!("({l} ? {r} : d)"),
            13 => format!("((unsigned short)({l}) << 1)"),
            14 => format!("(~({l}))"),
            15 => format!("({l} >> ({r} & 7))"),
            16 => format!("((unsigned int)({l}) >> ({r} & 7))"),
            17 => format!("({l} << ({r} & 3))"),
            18 => format!("(signed char)({l})"),
            19 => format!("(int)((long long)({l}) * ({r}) >> 8)"),
            20 => format!("((short){l} < (unsigned short){r})"),
            _ => format!("twice({l})"),
        }
    }

    fn condition(&mut self) -> String {
        let (l, r) = (self.expression(1), self.expression(1));
        let compare = self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
        let first = if self.random.chance(15) {
            let (v, w) = (self.value(), self.value());
            format!("{l} * {v} {compare} {r} * {w}")
        } else {
            format!("{l} {compare} {r}")
        };
        match self.random.below(6) {
            0 => {
                let other = self.expression(1);
                format!("({first}) && {other} != 1")
            }
            1 => format!("!({first})"),
            _ => first,
        }
    }

    fn statement(&mut self, depth: usize) -> Line {
        match self.random.below(if depth < 2 { 33 } else { 24 }) {
            0..=4 => {
                let (target, value) = (self.target(), self.expression(2));
                let assign = self.random.pick(&["=", "=", "+=", "-=", "^="]);
                Line::Plain(format!("{target} {assign} {value};"))
            }
            5 => {
                let target = self.random.pick(&["&c", "&h", "&y[1]", "&y[d % 3]"]);
                Line::Plain(format!("p = {target};"))
            }
            6 => {
                let value = self.expression(1);
                Line::Plain(format!("add_to(p, {value});"))
            }
            7 => {
                let value = self.expression(1);
                Line::Plain(format!("f = f * 0.5f + {value}; if (f > 3.0f) c++;"))
            }
            8 => {
                let condition = self.condition();
                Line::Plain(format!("if ({condition}) s = (struct pair){{1, 2}};"))
            }
            9 => self.check(),
            10 => {
                let (index, value) = (self.expression(1), self.expression(1));
                Line::Plain(format!("q[({index}) & 1] += {value}; c = q[1];"))
            }
            11 => {
                let value = self.expression(1);
                Line::Plain(format!("t[({value}) & 3] = 'x'; b = strlen(t);"))
            }
            12 => {
                let value = self.expression(1);
                Line::Plain(format!("c = sum(({value}) & 3);"))
            }
            13 => Line::Plain(
                self.random.pick(&["if (outside()) h++;", "memcpy(y, &big[4], sizeof y);", "y[1] = big[5];"]).into(),
            ),
            14 => {
                let value = self.expression(1);
                let assign = self.random.pick(&["=", "+="]);
                let (before, target) = (self.random.pick(&["", "g = 1; ", "g = b; "]), self.target());
                Line::Plain(format!("{before}c {assign} dig(({value}) & 3); {target} += g;"))
            }
            15 => {
                let (v, w) = (self.expression(1), self.expression(1));
                Line::Plain(match self.random.below(4) {
                    0 => format!("c = bump({v}) - bump({w});"),
                    1 => format!("c = less(bump({v}), bump({w}));"),
                    2 => format!("y[h & 1] = bump({v});"),
                    _ => format!("h += bump({v});"),
                })
            }
            16 => {
                let (target, v, w) = (self.target(), self.expression(1), self.expression(1));
                let lent = self.random.pick(&["c", "y[1]", "h"]);
                Line::Plain(match self.random.below(4) {
                    0 => format!("p = lend(p); {target} = {v}; *p += {w};"),
                    1 | 2 => {
                        self.written.push(lent);
                        format!("p = lend(&{lent}); {lent} = {v}; *p += {w};")
                    }
                    _ => again(target, &v),
                })
            }
            17 => {
                let (value, target) = (self.expression(1), self.target());
                let other = self.target();
                Line::Plain(format!(
                    "switch (({value}) & 3) {{ case 0: {target} += 1; case 1: {other} ^= 2; break; case 3: {other} = 3; }}"
                ))
            }
            18 => {
                let value = self.expression(1);
                Line::Plain(match self.random.below(7) {
                    4 => {
                        self.written.push("big[d & 7]");
                        format!("big[2] = {value}; memmove(&big[1], big, 40 * sizeof big[0]);")
                    }
                    0 => "memmove(y, &y[1], 2 * sizeof y[0]);".into(),
                    1 => "memmove(&y[1], y, 2 * sizeof y[0]);".into(),
                    2 => format!("for (int k = 0; k < 3; k++) y[k] = {value} + k;"),
                    // What the library computes is left open, and never so small.
                    _ => {
                        self.written.push("c");
                        format!("if (cos(({value}) & 1) < 0.5) c++;")
                    }
                })
            }
            19 => self.orders(),
            20 => self.undefined(),
            21 => self.addresses(),
            22 => self.unknown_length(),
            23 => {
                let condition = self.condition();
                if self.ends_in_note || self.random.chance(40) {
                    return self.without_closed_form();
                }
                Line::Plain(match self.random.below(3) {
                    0 => format!("if ({condition}) fail = fine;"),
                    _ => format!("if ({condition}) fail();"),
                })
            }
            24 | 25 => self.stretch(),
            26..=28 => {
                let condition = self.condition();
                let body = self.block(depth + 1);
                Line::Block(format!("if ({condition})"), body)
            }
            _ if self.loops >= 2 => self.check(),
            _ => self.a_loop(depth),
        }
    }

    /// What C evaluates in any order: a block in an operand, a call in the place of an assignment.
    fn orders(&mut self) -> Line {
        let (target, v, w) = (self.target(), self.expression(1), self.expression(1));
        let changed = self.random.pick(&["c", "h", "b", "y[1]"]);
        self.written.extend([changed, "y[d % 3]", "h"]);
        Line::Plain(match self.random.below(5) {
            0 => format!("{target} = {changed} + ({{ {changed} += 2; {v}; }});"),
            1 => format!("{target} = less({changed}, ({{ {changed} ^= 1; {v}; }}));"),
            2 => format!("y[bump({v}) & 1] = h + {w};"),
            3 => format!("big[bump({v}) & 7] = h ^ {w};"),
            _ => format!("y[bump({v}) & 1] += h - {w};"),
        })
    }

    /// What C does not define, where a compiler that knows the operands computes something else than the machine: conversions
    /// of numbers that do not fit, shifts that are too far, copies between places that overlap.
    fn undefined(&mut self) -> Line {
        let (target, value) = (self.target(), self.value());
        Line::Plain(match self.random.below(6) {
            0 => format!("{{ float w = 3e9f; {target} += (int)w; }}"),
            1 => format!("{{ double w = -1e20; {target} ^= (unsigned int)w; }}"),
            2 => format!("{{ int w = 33; {target} += 5 << w; }}"),
            3 => format!("{{ int w = 35; {target} ^= {value} << w; }}"),
            // All of it is looked at: libraries copy in blocks, and most of what they leave is as one would think.
            _ => {
                self.written.push("h");
                "for (int k = 0; k < 41; k++) big[k] = k + c; memcpy(&big[1], big, 40 * sizeof big[0]); \
                 for (int k = 0; k < 41; k++) h = h * 3 + big[k];"
                    .to_owned()
            }
        })
    }

    /// What depends on where objects lie.
    fn addresses(&mut self) -> Line {
        let target = self.target();
        // Variables of one kind: compilers put them in another order than they are written in.
        let (at, other) = [("&h", "big[3]"), ("&big[2]", "h"), ("&c", "y[2]"), ("&y[1]", "c")][self.random.below(4)];
        Line::Plain(match self.random.below(4) {
            0 | 1 => format!("p = {at}; if (p < &{other}) {target} += 1;"),
            2 => format!("{{ unsigned int w; memcpy(&w, &p, sizeof w); if (w >> 28) {target} += 3; }}"),
            // What was freed last is often given first.
            _ => format!(
                "{{ int *m = block(), *n = block(); free(m); free(n); m = block(); n = block(); if (!m || !n) return 0; \
                 if (m < n) {target} ^= 1; free(m); free(n); }}"
            ),
        })
    }

    /// Copies and fills whose length depends on inputs.
    fn unknown_length(&mut self) -> Line {
        let (value, length) = (self.expression(1), self.random.pick(&["(b & 7)", "(d & 3)", "(a & 15)"]));
        self.written.extend(["big[d & 7]", "y[d % 3]"]);
        Line::Plain(match self.random.below(5) {
            0 => format!("memset(&big[1], {value}, {length} * sizeof big[0]);"),
            1 => {
                format!("big[1] = {value}; memcpy(&big[20], big, {length} * sizeof big[0]); y[1] += big[20 + (d & 7)];")
            }
            2 => format!("big[1] = {value}; memmove(&big[1], big, {length} * sizeof big[0]);"),
            3 => format!("big[5] = {value}; memmove(&big[d & 1], &big[1], {length} * sizeof big[0]);"),
            _ => format!("memset(y, {value}, ({length}) % 4 * sizeof y[0]);"),
        })
    }

    /// Nested loops, of which the inner one has no closed form: what is small stays so.
    fn without_closed_form(&mut self) -> Line {
        self.counters += 1;
        let (i, target) = (self.counters, self.target());
        let body = match self.random.below(4) {
            0 => format!("{target} = {target} / 2;"),
            1 => format!("{target} = {target} * {target} & 3;"),
            2 => format!("{target} -= {target} ? 1 : 0;"),
            _ => format!("{target} ^= k{i} + m{i};"),
        };
        let check = if self.ends_in_note { String::new() } else { format!(" if ({target} > 3) reach_error();") };
        Line::Plain(format!(
            "{target} = b & 3; for (int k{i} = 0; k{i} < 2; k{i}++) for (int m{i} = 0; m{i} < 3; m{i}++) {body}{check}"
        ))
    }

    /// A loop that asks for nothing and is long enough for an engine to run it by the interpreter, or to jump over it. A few
    /// write more entries than an engine carries along.
    fn stretch(&mut self) -> Line {
        self.counters += 1;
        let (i, target) = (format!("k{}", self.counters), self.target());
        let often = self.random.pick(&["1600", "5000"]);
        Line::Plain(match self.random.below(14) {
            0 => {
                self.written.push("big[69999]");
                format!("for (int {i} = 0; {i} < 70000; {i}++) big[{i}] = 7;")
            }
            1 | 12 => format!("for (int {i} = 0; {i} < 90; {i}++) if ({i} * {i} == {often}) {target} = 7;"),
            2 => format!("for (int {i} = 0; {i} < 90; {i}++) big[{i} * 2] += {i} + 1;"),
            3..=5 => format!("for (int {i} = b; {i} < 300; {i} += 3) {target} += 2;"),
            _ => format!("for (int {i} = 0; {i} < 90; {i}++) {target} += {i};"),
        })
    }

    fn block(&mut self, depth: usize) -> Vec<Line> {
        (0..1 + self.random.below(2)).map(|_| self.statement(depth)).collect()
    }

    /// Loops end: they count, up to a constant or an input.
    fn a_loop(&mut self, depth: usize) -> Line {
        self.loops += 1;
        self.counters += 1;
        let counter = format!("i{}", self.counters);
        let bound = match self.random.below(4) {
            0 => "(b & 7)".to_owned(),
            1 => "(a & 3)".to_owned(),
            _ => (2 + self.random.below(6)).to_string(),
        };
        let mut body = self.block(depth + 1);
        if self.loop_inputs == 0 && self.random.chance(40) {
            self.loop_inputs += 1;
            let target = self.target();
            body.insert(0, Line::Plain(format!("if (__VERIFIER_nondet_bool()) {target} += 1;")));
        }
        if self.random.chance(25) {
            let condition = self.condition();
            let leave = self.random.pick(&["break;", "continue;"]);
            body.push(Line::Plain(format!("if ({condition}) {leave}")));
        }
        if self.random.chance(20) {
            body.insert(0, self.check());
        }
        let step = self.random.pick(&["++", " += 2"]);
        if self.random.chance(12) {
            // Entered in the middle.
            let (condition, target) = (self.condition(), self.target());
            let place = self.random.below(body.len() + 1);
            let jump = if self.random.chance(50) { String::new() } else { format!("if ({condition}) ") };
            body.insert(place, Line::Plain(format!("in_{counter}: {target} ^= 1;")));
            let head = format!("for (; {counter} < {bound}; {counter}{step})");
            return Line::Block(
                String::new(),
                vec![
                    Line::Plain(format!("int {counter} = 0;")),
                    Line::Plain(format!("{jump}goto in_{counter};")),
                    Line::Block(head, body),
                ],
            );
        }
        if self.random.chance(30) {
            // Left from the middle.
            let place = self.random.below(body.len() + 1);
            let leave = self.random.pick(&["break", "return 0"]);
            body.insert(place, Line::Plain(format!("if ({counter} >= {bound}) {leave};")));
            if self.random.chance(40) && !self.ends_in_note {
                // Beside a check with products.
                let value = self.value();
                let check = format!("if ({counter} * {value} > {value} * {value} + {bound}) reach_error();");
                body.insert(place, Line::Plain(check));
            }
            return Line::Block(format!("for (int {counter} = 0;; {counter}{step})"), body);
        }
        Line::Block(format!("for (int {counter} = 0; {counter} < {bound}; {counter}{step})"), body)
    }

    fn note(&mut self) -> Line {
        let mut values: Vec<&str> = match self.random.chance(60) {
            true => std::mem::take(&mut self.written),
            false => (0..1 + self.random.below(3)).map(|_| self.value()).collect(),
        };
        values.sort_unstable();
        values.dedup();
        let terms = values.iter().enumerate().map(|(i, value)| format!("{} * {value}", 2 * i + 1));
        Line::Note(terms.collect::<Vec<_>>().join(" + "))
    }

    fn check(&mut self) -> Line {
        let condition = self.condition();
        if self.ends_in_note {
            let target = self.target();
            return Line::Plain(format!("if ({condition}) {target}++;"));
        }
        match self.random.below(5) {
            0 => Line::Plain(format!("if ({condition}) {};", self.random.pick(&["abort()", "return 0"]))),
            1 => Line::Plain(format!("if ({condition}) reach_error();")),
            _ => {
                let second = self.condition();
                Line::Plain(format!("if ({condition} && {second}) reach_error();"))
            }
        }
    }
}

/// Memory that may lie where freed memory was.
fn again(target: &str, value: &str) -> String {
    format!(
        "{{ int *m = malloc(sizeof *m); if (!m) return 0; *m = {value}; {target} += *m; free(m); int *n = malloc(sizeof *n); \
         if (m == n) {target} ^= 1; free(n); }}"
    )
}
