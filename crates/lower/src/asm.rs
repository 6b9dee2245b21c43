//! Inline assembler.
//!
//! Some x86 instructions mean here what they do: those of which kernels make atomic counters and operations on bits, moves,
//! and the questions about flags that follow them.
//!
//! Some others change nothing that the program sees. Of everything else with outputs, what gcc is told is believed: it
//! changes these (to anything) and nothing else of the program. What has no outputs is there for some other effect, and is
//! not modelled; nor is what says that it changes other memory, has labels or leaves by itself.

use cfa::{Loc, Op, Origin, Var};
use cfront::hir::{Asm, AsmOperand, Expr, ExprKind, VarId};
use term::{Sort, Term};

use crate::context::Lowering;
use crate::options::Places;
use crate::place::{Index, Memory, Place};
use cfront::walk::walk_expr;

/// An instruction, with its operands by number as in the template, in the order of the text (the destination last).
#[derive(Debug, PartialEq)]
struct Instruction<'t> {
    name: &'t str,
    /// Bits of the operands, where the name says.
    width: Option<u32>,
    operands: Vec<usize>,
    /// Bits of each operand, where a letter says which part of the register is meant.
    parts: Vec<Option<u32>>,
}

/// The origin of what unknown instructions give: as determined as what a function of the library gives.
pub(crate) const ASSEMBLER: &str = "asm";

const BITS: [&str; 4] = ["bt", "bts", "btr", "btc"];
const UNARY: [&str; 4] = ["inc", "dec", "neg", "not"];
const BINARY: [&str; 8] = ["add", "sub", "and", "or", "xor", "mov", "xadd", "xchg"];
/// What changes neither memory nor registers, as far as the program sees.
const HARMLESS: [&str; 11] =
    ["nop", "pause", "mfence", "lfence", "sfence", "cli", "sti", "out", "outb", "outw", "outl"];
/// With the flag that they ask for.
const QUESTIONS: [(&str, Flag); 7] = [
    ("setc", Flag::Carry),
    ("setb", Flag::Carry),
    ("sete", Flag::Zero),
    ("setz", Flag::Zero),
    ("setne", Flag::NotZero),
    ("setnz", Flag::NotZero),
    ("sets", Flag::Sign),
];

#[derive(Clone, Copy, PartialEq, Debug)]
enum Flag {
    Carry,
    Zero,
    NotZero,
    Sign,
}

/// What the last instruction left behind for questions.
#[derive(Clone, Copy)]
enum Flags {
    Unknown,
    Carry(Term),
    Result(Term),
}

impl Lowering<'_> {
    pub(crate) fn asm(&mut self, asm: &Asm) {
        let template = asm.template.trim();
        if template.split(['\n', ';', ' ', '\t']).any(|word| word == "ud2") {
            self.abort();
            return;
        }
        match instructions(asm).filter(|program| self.is_meant(asm, program)) {
            Some(program) => self.run_instructions(asm, template, &program),
            None => self.believe(asm, template),
        }
    }

    /// Instructions that are not known, or do nothing.
    fn believe(&mut self, asm: &Asm, template: &str) {
        let is_harmless = asm.labels.is_empty()
            && statements(template).is_some_and(|all| {
                all.iter().all(|s| s.split_whitespace().next().is_some_and(|word| HARMLESS.contains(&word)))
            });
        let leaves = ["call", "jmp", "ret", "int", "sys", "hlt"].iter().any(|word| template.contains(word));
        let changes_more = asm.outputs.is_empty() || asm.clobbers.iter().any(|c| c == "memory");
        // Who just runs the program has no value to choose.
        let runs = self.options.places == Places::Fixed;
        if !is_harmless && (runs || leaves || !asm.labels.is_empty() || changes_more) {
            let line = template.lines().next().unwrap_or_default();
            self.unsupported(format!("inline assembler \"{line}\""));
            return;
        }
        if !is_harmless {
            let message = "inline assembler that is not understood is taken to change only its outputs, to any value";
            self.note_once("asm", self.fun.span, message);
        }
        let inputs: Vec<Option<Term>> = asm
            .inputs
            .iter()
            .map(|operand| {
                if is_lvalue(&operand.expr) {
                    self.place(&operand.expr);
                    return None;
                }
                if self.sort(operand.expr.ty).is_none() {
                    self.discard(&operand.expr);
                    return None;
                }
                let value = self.value(&operand.expr);
                Some(self.kept(value))
            })
            .collect();
        for (i, operand) in asm.outputs.iter().enumerate() {
            if is_harmless && operand.constraint.starts_with('+') {
                // Read and written back.
                let place = self.place(&operand.expr);
                if self.sort(operand.expr.ty).is_some() {
                    let value = self.read(&place, operand.expr.ty, &operand.expr);
                    self.write_output(&place, value, operand);
                }
                continue;
            }
            let Some(sort) = self.sort(operand.expr.ty) else {
                self.unsupported("inline assembler with a struct as output");
                return;
            };
            // An input in the same register is found there again.
            let same = asm.inputs.iter().position(|input| {
                let named = |name: &String| input.constraint == format!("[{name}]");
                input.constraint == i.to_string() || operand.name.as_ref().is_some_and(named)
            });
            let found = same.and_then(|input| inputs[input]).filter(|_| is_harmless);
            let found = found.filter(|value| self.program.terms.sort(*value) == sort);
            let place = self.place(&operand.expr);
            let value = found.unwrap_or_else(|| self.havoc(sort, Origin::Extern(ASSEMBLER.to_owned())));
            self.write_output(&place, value, operand);
        }
    }

    /// Whether the instructions can be run on these operands: of the right widths, set before they are read, and none used
    /// to find another.
    fn is_meant(&self, asm: &Asm, program: &[Instruction<'_>]) -> bool {
        let operands = operands(asm);
        let outputs = asm.outputs.len();
        if program.is_empty() || !asm.labels.is_empty() || reads_late(asm, program) {
            return false;
        }
        let changed: Vec<VarId> = asm
            .outputs
            .iter()
            .filter_map(|o| if let ExprKind::Var(id) = o.expr.kind { Some(id) } else { None })
            .collect();
        let is_apart = operands.iter().all(|o| {
            let mut apart = true;
            let is_whole = matches!(o.expr.kind, ExprKind::Var(_));
            walk_expr(&o.expr, &mut |e| {
                apart &= is_whole || !matches!(e.kind, ExprKind::Var(id) if changed.contains(&id))
            });
            apart
        });
        let Some(widths): Option<Vec<u32>> =
            operands.iter().map(|o| self.sort(o.expr.ty).and_then(|sort| sort.bv_width())).collect()
        else {
            return false;
        };
        let mut is_set: Vec<bool> =
            operands.iter().enumerate().map(|(i, o)| i >= outputs || o.constraint.starts_with('+')).collect();
        let mut flag: Option<&str> = None;
        is_apart
            && program.iter().all(|instruction| {
                let Some(&to) = instruction.operands.last() else { return false };
                let mut parts = instruction.operands.iter().zip(&instruction.parts);
                if parts.any(|(&i, bits)| bits.is_some_and(|bits| bits != widths[i])) {
                    return false;
                }
                let from = instruction.operands[0];
                let width = instruction.width.unwrap_or(widths[to]);
                let is_writable = to < outputs || is_lvalue(&operands[to].expr);
                let name = instruction.name;
                let count = instruction.operands.len();
                let is_first = std::ptr::eq(instruction, &program[0]);
                let fits = match name {
                    _ if BITS.contains(&name) && !is_first => false,
                    _ if BITS.contains(&name) => {
                        count == 2 && is_set[from] && is_set[to] && width == widths[to] && widths[from] >= 8
                    }
                    _ if UNARY.contains(&name) => count == 1 && is_set[to] && width == widths[to],
                    "mov" => count == 2 && is_set[from] && width == widths[to] && width == widths[from],
                    "xadd" | "xchg" => {
                        let both = is_set[from] && is_set[to] && from < outputs;
                        count == 2 && both && from != to && width == widths[to] && width == widths[from]
                    }
                    _ if BINARY.contains(&name) => {
                        let both = is_set[from] && is_set[to];
                        count == 2 && both && width == widths[to] && width == widths[from]
                    }
                    "sbb" => count == 2 && from == to && width == widths[to] && flag == Some("carry"),
                    _ => {
                        let wanted = QUESTIONS.iter().find(|(question, _)| *question == name).map(|(_, flag)| *flag);
                        let known = match wanted {
                            Some(Flag::Carry) => flag == Some("carry"),
                            Some(_) => flag == Some("result"),
                            None => false,
                        };
                        count == 1 && known && widths[to] == 8
                    }
                };
                flag = match name {
                    _ if BITS.contains(&name) => Some("carry"),
                    "inc" | "dec" | "add" | "sub" | "and" | "or" | "xor" => Some("result"),
                    "mov" | "xchg" | "not" => flag,
                    _ if name.starts_with("set") => flag,
                    _ => None,
                };
                is_set[to] = true;
                fits && is_writable
            })
    }

    fn run_instructions(&mut self, asm: &Asm, template: &str, program: &[Instruction<'_>]) {
        let all = operands(asm);
        let after = self.fresh_loc();
        // Places first, then the values of inputs: both before anything changes.
        let mut places: Vec<Option<Place>> = Vec::new();
        let mut values: Vec<Option<Term>> = Vec::new();
        for (i, operand) in all.iter().enumerate() {
            let is_place = i < asm.outputs.len() || is_lvalue(&operand.expr);
            places.push(is_place.then(|| self.place(&operand.expr)));
            let value = (!is_place).then(|| self.value(&operand.expr));
            values.push(value.map(|value| self.kept(value)));
        }
        let mut flags = Flags::Unknown;
        for instruction in program {
            let from = instruction.operands[0];
            let to = *instruction.operands.last().expect("instructions have operands");
            let read = |this: &mut Self, i: usize| match (&places[i], values[i]) {
                (Some(place), _) => {
                    let value = this.read(&place.clone(), all[i].expr.ty, &all[i].expr);
                    this.kept(value)
                }
                (None, Some(value)) => value,
                (None, None) => unreachable!("an operand is a place or a value"),
            };
            if BITS.contains(&instruction.name) {
                let index = read(self, from);
                flags = self.bit_instruction(instruction.name, index, (&places[to], all[to]), (asm, template, after));
                continue;
            }
            let (source, old) = match instruction.name {
                name if name == "sbb" || name.starts_with("set") => (None, None),
                "mov" => (Some(read(self, from)), None),
                _ => (Some(read(self, from)), Some(read(self, to))),
            };
            let new = match (source, old) {
                (Some(source), Some(old)) => {
                    if matches!(instruction.name, "xadd" | "xchg") {
                        self.write_operand(&places[from], old, all[from]);
                    }
                    let new = self.arithmetic_instruction(instruction.name, source, old);
                    let new = self.kept(new);
                    flags = match instruction.name {
                        "xadd" | "neg" => Flags::Unknown,
                        "xchg" | "not" => flags,
                        _ => Flags::Result(new),
                    };
                    new
                }
                (Some(source), None) => source,
                _ => {
                    let answer = self.answer(instruction.name, flags);
                    let width = self.sort(all[to].expr.ty).and_then(|sort| sort.bv_width()).unwrap_or(8);
                    let one = self.terms().bool_to_bv(answer, width);
                    match instruction.name {
                        "sbb" => self.terms().neg(one),
                        _ => one,
                    }
                }
            };
            self.write_operand(&places[to], new, all[to]);
        }
        self.continue_at(after);
    }

    /// A copy that later changes do not touch.
    fn kept(&mut self, value: Term) -> Term {
        if self.terms().is_const(value) {
            return value;
        }
        self.snapshot(value)
    }

    fn write_operand(&mut self, place: &Option<Place>, value: Term, operand: &AsmOperand) {
        let place = place.clone().expect("only places are written to");
        self.write_output(&place, value, operand);
    }

    fn write_output(&mut self, place: &Place, value: Term, operand: &AsmOperand) {
        self.check_writable(&operand.expr, place);
        self.write(place, value, operand.expr.ty, &operand.expr);
    }

    /// An operation on the bit with number `index`. In memory that may be a bit of a word further on, where the assembler says
    /// that it changes memory; otherwise a bit that the word does not have makes the whole an unknown instruction.
    fn bit_instruction(
        &mut self,
        name: &str,
        index: Term,
        (place, operand): (&Option<Place>, &AsmOperand),
        (asm, template, after): (&Asm, &str, Loc),
    ) -> Flags {
        let place = place.clone().expect("bits are taken from places");
        let width = self.sort(operand.expr.ty).and_then(|sort| sort.bv_width()).unwrap_or(8);
        let bit = self.temp(Sort::Bv(8));
        let (near, far, join) = (self.fresh_loc(), self.fresh_loc(), self.fresh_loc());
        let terms = self.terms();
        let limit = terms.bv(width.into(), terms.width(index));
        let is_near = terms.ult(index, limit);
        self.split(is_near, near, far);
        self.resume(far);
        match &place {
            Place::Memory(memory) if memory.bits.is_none() && asm.clobbers.iter().any(|c| c == "memory") => {
                let word = self.word_with_bit(memory, index, width);
                self.change_bit(name, index, &Place::Memory(word), operand, bit);
                self.step_to(join);
            }
            _ => {
                // It changes what it does not say that it changes.
                if operand.constraint.contains('m') {
                    self.unsupported("inline assembler that takes a bit beyond the word that it is given");
                }
                self.believe(asm, template);
                self.step_to(after);
            }
        }
        self.resume(near);
        self.change_bit(name, index, &place, operand, bit);
        self.continue_at(join);
        let bit = self.term(bit);
        let zero = self.terms().bv(0, 8);
        Flags::Carry(self.terms().ne(bit, zero))
    }

    /// Of the words of `width` bits from `memory` on, the one with the bit that `index` counts from there.
    fn word_with_bit(&mut self, memory: &Memory, index: Term, width: u32) -> Memory {
        let pointer = self.pointer_width();
        let terms = self.terms();
        let shift = terms.bv(width.trailing_zeros().into(), terms.width(index));
        let words = terms.ashr(index, shift);
        let term = terms.resize(words, pointer, true);
        let mut word = memory.clone();
        word.indices.push(Index { term, scale: u64::from(width / 8) });
        word
    }

    /// Notes in `bit` what the bit was, and changes it.
    fn change_bit(&mut self, name: &str, index: Term, place: &Place, operand: &AsmOperand, bit: Var) {
        let word = self.read(place, operand.expr.ty, &operand.expr);
        let word = self.kept(word);
        let terms = self.terms();
        let width = terms.width(word);
        let one = terms.bv(1, width);
        let index = terms.resize(index, width, false);
        let low = terms.bv(u128::from(width - 1), width);
        let distance = terms.bvand(index, low);
        let mask = terms.shl(one, distance);
        let common = terms.bvand(word, mask);
        let zero = terms.bv(0, width);
        let is_set = terms.ne(common, zero);
        let is_set = terms.bool_to_bv(is_set, 8);
        let new = match name {
            "bts" => terms.bvor(word, mask),
            "btr" => {
                let others = terms.bvnot(mask);
                terms.bvand(word, others)
            }
            "btc" => terms.bvxor(word, mask),
            _ => word,
        };
        self.emit(Op::Assign(vec![(bit, is_set)]));
        if name != "bt" {
            self.write_output(place, new, operand);
        }
    }

    fn arithmetic_instruction(&mut self, name: &str, source: Term, old: Term) -> Term {
        let terms = self.terms();
        let width = terms.width(old);
        let one = terms.bv(1, width);
        match name {
            "inc" => terms.add(old, one),
            "dec" => terms.sub(old, one),
            "neg" => terms.neg(old),
            "not" => terms.bvnot(old),
            "add" | "xadd" => terms.add(old, source),
            "sub" => terms.sub(old, source),
            "and" => terms.bvand(old, source),
            "or" => terms.bvor(old, source),
            "xor" => terms.bvxor(old, source),
            "xchg" => source,
            other => unreachable!("{other} is in the tables"),
        }
    }

    fn answer(&mut self, name: &str, flags: Flags) -> Term {
        let terms = self.terms();
        let asked = QUESTIONS.iter().find(|(question, _)| *question == name).map_or(Flag::Carry, |(_, flag)| *flag);
        match flags {
            Flags::Carry(bit) => bit,
            Flags::Result(result) => {
                let zero = terms.bv(0, terms.width(result));
                match asked {
                    Flag::Zero => terms.eq(result, zero),
                    Flag::NotZero => terms.ne(result, zero),
                    Flag::Sign => terms.slt(result, zero),
                    Flag::Carry => unreachable!("asked only after bits"),
                }
            }
            Flags::Unknown => unreachable!("asked only where it is known"),
        }
    }
}

/// Outputs, then inputs: as the template counts them.
fn operands(asm: &Asm) -> Vec<&AsmOperand> {
    asm.outputs.iter().chain(&asm.inputs).collect()
}

fn is_lvalue(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Field(..) | ExprKind::CompoundLiteral(..) | ExprKind::Str(_)
    )
}

/// The template as instructions that are known, all of them on operands; `None` if there is anything else.
fn instructions(asm: &Asm) -> Option<Vec<Instruction<'_>>> {
    let mut program = Vec::new();
    for statement in statements(&asm.template)? {
        let (word, operands) = statement.split_once([' ', '\t'])?;
        let operands: Option<Vec<_>> = operands.split(',').map(|o| number(asm, o.trim())).collect();
        let (operands, parts) = operands?.into_iter().unzip();
        let (name, width) = known(word)?;
        program.push(Instruction { name, width, operands, parts });
    }
    Some(program)
}

/// The template instruction by instruction, without labels, locks and repetitions. What is put into other sections (tables of
/// the places where to patch a lock) does nothing here. `None` if such a section does not end.
fn statements(template: &str) -> Option<Vec<&str>> {
    let mut rest = template;
    let mut out = Vec::new();
    while let Some(at) = rest.find(".pushsection").or_else(|| rest.find(".section")) {
        out.extend(lines(&rest[..at]));
        let after = &rest[at..];
        let (end, marker) = [".popsection", ".previous"].iter().find_map(|m| after.find(m).map(|i| (i, m)))?;
        rest = &after[end + marker.len()..];
    }
    out.extend(lines(rest));
    Some(out)
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    fn bare(line: &str) -> &str {
        let mut line = line.trim();
        if let Some((label, rest)) = line.split_once(':')
            && !label.is_empty()
            && label.bytes().all(|b| b.is_ascii_digit())
        {
            line = rest.trim();
        }
        for prefix in ["lock", "rep"] {
            line = line
                .strip_prefix(prefix)
                .filter(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
                .unwrap_or(line)
                .trim();
        }
        line
    }
    text.split(['\n', ';']).map(bare).filter(|line| !line.is_empty())
}

/// An instruction's name without the letter for its width.
fn known(word: &str) -> Option<(&str, Option<u32>)> {
    let is_known =
        |name: &str| BITS.contains(&name) || UNARY.contains(&name) || BINARY.contains(&name) || name == "sbb";
    if is_known(word) || QUESTIONS.iter().any(|(question, _)| *question == word) {
        return Some((word, None));
    }
    let width = match word.as_bytes().last()? {
        b'b' => 8,
        b'w' => 16,
        b'l' => 32,
        b'q' => 64,
        _ => return None,
    };
    let name = &word[..word.len() - 1];
    is_known(name).then_some((name, Some(width)))
}

/// `%1` or `%[name]`, perhaps with a letter that says which part of a register to print: so many bits of it.
fn number(asm: &Asm, operand: &str) -> Option<(usize, Option<u32>)> {
    let operand = operand.strip_prefix('%')?;
    let part = [('b', 8), ('w', 16), ('k', 32), ('q', 64)]
        .into_iter()
        .find_map(|(letter, bits)| operand.strip_prefix(letter).map(|rest| (rest, bits)));
    let (operand, bits) = part.map_or((operand, None), |(rest, bits)| (rest, Some(bits)));
    let all = operands(asm);
    let number = match operand.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(name) => all.iter().position(|o| o.name.as_deref() == Some(name)),
        None => operand.parse().ok().filter(|n| *n < all.len()),
    };
    number.map(|number| (number, bits))
}

/// Whether an operand is read after an output was written that may be in the same register: unless it says `&`, gcc takes an
/// output to be written when all inputs have been read, and the addresses of what is in memory.
fn reads_late(asm: &Asm, program: &[Instruction<'_>]) -> bool {
    let all = operands(asm);
    let outputs = asm.outputs.len();
    let is_shared = |i: usize| {
        let constraint = all[i].constraint.as_str();
        i < outputs && !constraint.starts_with('+') && !constraint.contains('&') && constraint != "=m"
    };
    let is_input = |i: usize| i >= outputs && all[i].constraint != "i" || all[i].constraint.contains(['m', 'o', 'g']);
    let mut is_written = false;
    program.iter().any(|instruction| {
        let reads_late = is_written && instruction.operands.iter().any(|&i| is_input(i));
        let writes_source = matches!(instruction.name, "xadd" | "xchg");
        let last = instruction.operands.len().saturating_sub(1);
        let mut written = instruction.operands.iter().enumerate().filter(|(at, _)| *at == last || writes_source);
        is_written |= written.any(|(_, &i)| is_shared(i));
        reads_late
    })
}
