//! Random programs: loops of several shapes, branches, small and mixed widths, products, arrays, pointers, structs, unions,
//! floats, inputs in and out of loops, checks anywhere, early exits; and shapes that mistakes were found in: large arrays, long
//! stretches that ask for nothing, recursion, allocated memory, calls of the library and of functions without body. A program
//! is kept as lines, so that shrinking can leave lines out.

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
}

/// What is declared only where it is used, so that most programs stay small: the name, and its declaration outside of `main` or in it.
const GLOBALS: [(&str, &str); 4] = [
    ("big[", "int big[70000];\n"),
    ("sum(", "static int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }\n"),
    ("outside(", "extern _Bool outside(void);\n"),
    ("memcpy(", "extern void *memcpy(void *, const void *, unsigned);\n"),
];
const LOCALS: [(&str, &str); 2] =
    [("q[", "  int *q = calloc(3, sizeof *q);\n  if (!q) return 0;\n"), ("t[", "  char t[6] = {0};\n")];
const LIBRARY: &str =
    "extern void *calloc(unsigned, unsigned);\nextern void free(void *);\nextern unsigned strlen(const char *);\n";

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
        let mut body = String::new();
        write(&self.lines, 1, &mut body);
        let used = |all: &[(&str, &str)]| -> String {
            all.iter().filter(|(name, _)| body.contains(name)).map(|(_, declaration)| *declaration).collect()
        };
        let locals = used(&LOCALS);
        let library = if locals.is_empty() { "" } else { LIBRARY };
        format!("{PROLOGUE}{library}{}{VARIABLES}{locals}{body}  return 0;\n}}\n", used(&GLOBALS))
    }
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
        }
    }
}

/// A program for a seed.
pub fn program(seed: u64) -> Source {
    let mut writer = Writer { random: Random::new(seed), inputs: 0, loops: 0, loop_inputs: 0, counters: 0 };
    let mut lines = vec![];
    for _ in 0..1 + writer.random.below(2) {
        lines.push(writer.input());
    }
    for _ in 0..2 + writer.random.below(5) {
        lines.push(writer.statement(0));
    }
    lines.push(writer.check());
    Source { lines }
}

struct Writer {
    random: Random,
    inputs: usize,
    loops: usize,
    loop_inputs: usize,
    counters: usize,
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
];
const CONSTANTS: &[&str] = &["0", "1", "2", "3", "5", "7", "10", "-1", "-3", "100", "127", "255", "1000"];

impl Writer {
    fn input(&mut self) -> Line {
        self.inputs += 1;
        let target = self.random.pick(&["a", "b", "c", "d", "h"]);
        Line::Plain(format!("{target} = __VERIFIER_nondet_uchar();"))
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(35) {
            return if self.random.chance(35) {
                self.random.pick(CONSTANTS).into()
            } else {
                self.random.pick(TARGETS).into()
            };
        }
        let (l, r) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.random.below(16) {
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
            _ => format!("twice({l})"),
        }
    }

    fn condition(&mut self) -> String {
        let (l, r) = (self.expression(1), self.expression(1));
        let compare = self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
        let first = if self.random.chance(15) {
            let (v, w) = (self.random.pick(TARGETS), self.random.pick(TARGETS));
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
        match self.random.below(if depth < 2 { 22 } else { 14 }) {
            0..=4 => {
                let (target, value) = (self.random.pick(TARGETS), self.expression(2));
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
                // Long enough for an engine to run it by the interpreter.
                self.counters += 1;
                let (i, target) = (format!("k{}", self.counters), self.random.pick(TARGETS));
                Line::Plain(format!("for (int {i} = 0; {i} < 90; {i}++) {target} += {i};"))
            }
            15..=17 => {
                let condition = self.condition();
                let body = self.block(depth + 1);
                Line::Block(format!("if ({condition})"), body)
            }
            _ if self.loops >= 2 => self.check(),
            _ => self.a_loop(depth),
        }
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
            let target = self.random.pick(TARGETS);
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
        if self.random.chance(30) {
            // Left from the middle.
            let place = self.random.below(body.len() + 1);
            let leave = self.random.pick(&["break", "return 0"]);
            body.insert(place, Line::Plain(format!("if ({counter} >= {bound}) {leave};")));
            return Line::Block(format!("for (int {counter} = 0;; {counter}{step})"), body);
        }
        Line::Block(format!("for (int {counter} = 0; {counter} < {bound}; {counter}{step})"), body)
    }

    fn check(&mut self) -> Line {
        let condition = self.condition();
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
