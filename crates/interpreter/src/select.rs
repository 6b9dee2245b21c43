//! Instruction selection: what an edge does becomes instructions. Which edge comes after which is the business of
//! `compile.rs`, what terms become that of `expr.rs`.

use super::code::*;
use super::compile::{Builder, Unsupported};
use super::value::is_word;
use cfa::*;
use term::{Op as TermOp, Sort, Term};

impl Builder<'_> {
    /// Emits a branch that falls through when the condition holds; returns where, to set its target.
    pub(super) fn condition(&mut self, condition: Term, count: u16) -> Result<usize, Unsupported> {
        let terms = &self.program.terms;
        let (op, args) = (terms.op(condition), terms.args(condition).to_vec());
        let plain = |t: Term| matches!(terms.sort(t), Sort::Bool | Sort::Bv(1..=64));
        let instr = match op {
            TermOp::Eq if plain(args[0]) => Instr::BranchEq(count, self.word(args[0])?, self.word(args[1])?, 0),
            TermOp::Not if terms.op(args[0]) == TermOp::Eq && plain(terms.arg(args[0], 0)) => {
                let (a, b) = (terms.arg(args[0], 0), terms.arg(args[0], 1));
                Instr::BranchNe(count, self.word(a)?, self.word(b)?, 0)
            }
            TermOp::BvUlt if plain(args[0]) => Instr::BranchUlt(count, self.word(args[0])?, self.word(args[1])?, 0),
            TermOp::BvUle if plain(args[0]) => Instr::BranchUle(count, self.word(args[0])?, self.word(args[1])?, 0),
            TermOp::BvSlt if plain(args[0]) => match terms.width(args[0]) as u8 {
                32 => Instr::BranchSlt32(count, self.word(args[0])?, self.word(args[1])?, 0),
                width => Instr::BranchSlt(width, count, self.word(args[0])?, self.word(args[1])?, 0),
            },
            TermOp::BvSle if plain(args[0]) => match terms.width(args[0]) as u8 {
                32 => Instr::BranchSle32(count, self.word(args[0])?, self.word(args[1])?, 0),
                width => Instr::BranchSle(width, count, self.word(args[0])?, self.word(args[1])?, 0),
            },
            _ => Instr::Branch(count, self.word(condition)?, 0),
        };
        Ok(self.emit_at(instr))
    }

    fn action(&mut self, edge: Edge, what: Effect) {
        let index = self.new_action(edge, what);
        self.emit(Instr::Action(index));
    }

    fn new_action(&mut self, edge: Edge, what: Effect) -> u32 {
        self.code.actions.push(Action { func: self.func, edge, what });
        self.code.actions.len() as u32 - 1
    }

    /// Runs `make` with a register for a variable's new value, and stores it if the variable is global.
    fn write_word(
        &mut self,
        v: Var,
        make: impl FnOnce(&mut Self, Reg) -> Result<(), Unsupported>,
    ) -> Result<(), Unsupported> {
        match self.home(v) {
            Some(Place::Word(reg)) => make(self, reg)?,
            Some(Place::GlobalWord(global)) => {
                let temp = self.temp_word();
                make(self, temp)?;
                self.emit(Instr::SetGlobal(global, temp));
            }
            _ => return Err(Unsupported(format!("'{}' cannot be written here", self.program.name(v)))),
        }
        Ok(())
    }

    /// Everything but `Assume`.
    pub(super) fn operation(&mut self, e: Edge, op: &Op) -> Result<(), Unsupported> {
        self.effect(e, op)?;
        for v in op.written() {
            match self.home(v) {
                Some(Place::Word(reg)) => self.numbering.forget_register(reg),
                Some(Place::GlobalWord(global)) => self.numbering.forget_global(global),
                _ => {}
            }
        }
        match op {
            Op::Call { .. } => self.forget_all(),
            Op::Alloc { .. } | Op::Free { .. } | Op::Dead { .. } => self.numbering.forget_object_tables(),
            _ => {}
        }
        Ok(())
    }

    fn effect(&mut self, e: Edge, op: &Op) -> Result<(), Unsupported> {
        let program = self.program;
        match op {
            Op::Assume(_) => unreachable!("conditions are compiled by their location"),
            Op::Assign(pairs) => self.assign(pairs)?,
            Op::Havoc { vars, origin } => {
                let mut places = Vec::new();
                for &v in vars {
                    let missing = || Unsupported(format!("'{}' cannot be written", program.name(v)));
                    places.push((v, program.vars[v].sort, self.home(v).ok_or_else(missing)?));
                }
                let only = match places[..] {
                    [(_, _, Place::Word(reg))] if matches!(origin, Origin::Uninitialised(_)) => Some(reg),
                    _ => None,
                };
                let index = self.new_action(e, Effect::Havoc { places, origin: origin.clone() });
                self.emit(only.map_or(Instr::Action(index), |reg| Instr::Uninitialised(reg, index)));
            }
            Op::Load { dst, addr, bytes } => {
                let sort = program.vars[*dst].sort;
                if is_word(sort) {
                    self.write_word(*dst, |builder, reg| builder.load(*bytes as u8, *addr, reg))?;
                } else {
                    let addr = self.word(*addr)?;
                    let missing = || Unsupported(format!("'{}' cannot be written", program.name(*dst)));
                    let dst = self.home(*dst).ok_or_else(missing)?;
                    self.action(e, Effect::Load { bytes: *bytes, addr, dst, sort });
                }
            }
            Op::Store { addr, value, bytes } => {
                let sort = program.terms.sort(*value);
                match self.place(*value)? {
                    Place::Word(value) => self.store(*bytes as u8, *addr, value)?,
                    value => {
                        let addr = self.word(*addr)?;
                        self.action(e, Effect::Store { bytes: *bytes, addr, value, sort });
                    }
                }
            }
            Op::Alloc { dst, size, kind, .. } => {
                let size = self.word(*size)?;
                let arbitrary = matches!(kind, ObjectKind::Stack | ObjectKind::Heap);
                let heap = *kind == ObjectKind::Heap;
                self.write_word(*dst, |builder, dst| {
                    let action = builder.new_action(e, Effect::Alloc { dst, size, arbitrary, heap });
                    builder.emit(Instr::Alloc { heap, dst, size, action });
                    Ok(())
                })?;
            }
            Op::Free { addr } | Op::Dead { addr } => {
                let addr = self.word(*addr)?;
                let freed = matches!(op, Op::Free { .. });
                let action = self.new_action(e, Effect::End { addr, freed });
                self.emit(Instr::End { freed, addr, action });
            }
            Op::Copy { dst, src, len } => {
                let (dst, src, len) = (self.word(*dst)?, self.word(*src)?, self.word(*len)?);
                let action = self.new_action(e, Effect::Copy { dst, src, len });
                self.emit(Instr::Copy { dst, src, len, action });
            }
            Op::Fill { dst, value, len } => {
                let sort = program.terms.sort(*value);
                let (dst, value, len) = (self.word(*dst)?, self.place(*value)?, self.word(*len)?);
                self.action(e, Effect::Fill { dst, value, sort, len });
            }
            Op::Call { callee, args, dst } => self.call(e, *callee, args, *dst)?,
            Op::Escape { addrs, .. } => {
                let addrs = addrs.iter().map(|t| self.word(*t)).collect::<Result<Vec<_>, _>>()?;
                self.action(e, Effect::Escape { addrs });
            }
            Op::Disturb { .. } => self.action(e, Effect::Disturb),
            Op::Print { format, args, stream, dst } => {
                let (format, args, stream) = (self.word(*format)?, self.word(*args)?, *stream);
                match dst {
                    None => self.action(e, Effect::Print { format, args, stream, count: None }),
                    Some(v) => {
                        let width = program.vars[*v].sort.bv_width().unwrap_or(64).min(64) as u8;
                        self.write_word(*v, |builder, reg| {
                            builder.action(e, Effect::Print { format, args, stream, count: Some((reg, width)) });
                            Ok(())
                        })?;
                    }
                }
            }
        }
        Ok(())
    }

    fn call(&mut self, e: Edge, callee: Func, args: &[Term], dst: Option<Var>) -> Result<(), Unsupported> {
        let start = self.code.arguments.len() as u32;
        let mut cells = Vec::new();
        for (&t, &param) in args.iter().zip(&self.program.functions[callee].params) {
            let value = self.place(t)?;
            match (value, self.home(param)) {
                (Place::Word(src), Some(Place::Word(dst))) => self.code.arguments.push((src, dst)),
                (Place::Heavy(src), Some(Place::Heavy(dst))) => cells.push((src, dst)),
                _ => return Err(Unsupported("a parameter that is not of the called function".into())),
            }
        }
        let result = self.program.functions[callee].result.and_then(|v| self.home(v));
        let result = result.zip(dst.and_then(|v| self.home(v)));
        let is_heavy = !matches!(result, None | Some((Place::Word(_), Place::Word(_))));
        let index = self.code.calls.len() as u32;
        self.code.calls.push(CallSite {
            // The rest is known when all functions have their code.
            back: Back { call: index, to: self.here() + 1, is_heavy, ..Back::default() },
            arguments: (start, self.code.arguments.len() as u32),
            needs_more: is_heavy,
            entry: 0,
            frame: 0,
            words: (0, 0),
        });
        self.code.call_infos.push(CallInfo { func: self.func, edge: e, callee, cells, result });
        let count = self.take_pending() + 1;
        self.emit(Instr::Call(count, index));
        Ok(())
    }

    /// What is added to the variable, if `t` is its sum with something, of 32 bits.
    fn increment(&self, v: Var, t: Term) -> Option<Term> {
        let terms = &self.program.terms;
        let (TermOp::BvAdd, &[a, b], Sort::Bv(32)) = (terms.op(t), terms.args(t), terms.sort(t)) else { return None };
        let var = self.program.term(v);
        if a == var { Some(b) } else { (b == var).then_some(a) }
    }

    /// Parallel assignment: all values are computed before any variable changes.
    fn assign(&mut self, pairs: &[(Var, Term)]) -> Result<(), Unsupported> {
        let program = self.program;
        if let [(v, t)] = pairs
            && let Some(Place::Word(reg)) = self.home(*v)
        {
            return self.word_into(*t, reg);
        }
        if let [(v, t)] = pairs
            && let Some(Place::GlobalWord(global)) = self.home(*v)
            && let Some(more) = self.increment(*v, *t)
        {
            let more = self.word(more)?;
            self.emit(Instr::AddGlobal32(global, more));
            return Ok(());
        }
        let homes: Vec<Option<Place>> = pairs.iter().map(|(v, _)| self.home(*v)).collect();
        let is_array = |v: Var| matches!(program.vars[v].sort, Sort::Array(_));
        let mut values = Vec::new();
        for (v, t) in pairs {
            if is_array(*v) {
                self.prepare_array(*t)?;
                values.push(None);
            } else {
                values.push(Some(self.place(*t)?));
            }
        }
        // Values that stand in a variable which is assigned, too, move away first; so do arrays made from others.
        for (i, (v, t)) in pairs.iter().enumerate() {
            match values[i] {
                Some(Place::Word(reg)) if homes.contains(&Some(Place::Word(reg))) && homes[i] != values[i] => {
                    let temp = self.temp_word();
                    self.emit(Instr::Mov(temp, reg));
                    values[i] = Some(Place::Word(temp));
                }
                Some(Place::Heavy(src)) if homes.contains(&values[i]) && homes[i] != values[i] => {
                    let dst = self.temp_cell();
                    self.slow(Slow::Copy { dst, src });
                    values[i] = Some(Place::Heavy(dst));
                }
                None if self.array_leaves(*t).iter().any(|leaf| program.var_of(*leaf) != Some(*v)) => {
                    let cell = self.temp_cell();
                    self.build_array(*t, cell)?;
                    values[i] = Some(Place::Heavy(cell));
                }
                _ => {}
            }
        }
        // Arrays that change in place come first: their indices and elements may stand in variables assigned below.
        for (i, (_, t)) in pairs.iter().enumerate() {
            if let (Some(Place::Heavy(cell)), None) = (homes[i], values[i]) {
                self.build_array(*t, cell)?;
                values[i] = homes[i];
            }
        }
        for (i, (v, _)) in pairs.iter().enumerate() {
            match (homes[i], values[i]) {
                (Some(Place::Word(dst)), Some(Place::Word(src))) if dst != src => self.emit(Instr::Mov(dst, src)),
                (Some(Place::GlobalWord(dst)), Some(Place::Word(src))) => self.emit(Instr::SetGlobal(dst, src)),
                (Some(Place::Heavy(dst)), Some(Place::Heavy(src))) if dst != src => {
                    self.slow(Slow::Copy { dst, src });
                }
                (Some(home), Some(value)) if home == value => {}
                _ => return Err(Unsupported(format!("'{}' cannot be assigned", program.name(*v)))),
            }
        }
        Ok(())
    }
}
