//! Entering and leaving functions.
//!
//! An activation is a window of the words, right behind its caller's. All that leaving it needs is known from the call, so that
//! the stack of the active calls is one of numbers; where they are in the program is told when somebody asks. Neither is inlined:
//! the loop of `fast.rs` is faster without.

use super::code::*;
use super::exec::Run;
use base::Id;

impl Run<'_> {
    /// Whether a call would exceed the limits.
    pub(super) fn is_too_deep(&self, index: u32) -> bool {
        let frame = self.machine.code.calls[index as usize].frame;
        let bytes = 8 * (self.word_top + frame as usize) as u64;
        self.depth >= self.limits.call_depth || bytes > self.limits.memory
    }

    /// Makes room for the activation of a call, and does what few calls need; false if that would exceed the limits.
    #[cold]
    #[inline(never)]
    fn prepare(&mut self, index: u32, top: usize) -> bool {
        if self.is_too_deep(index) {
            return false;
        }
        if top > self.words.len() {
            // What there is room for is within the limit.
            let most = (self.limits.memory / 8).try_into().unwrap_or(usize::MAX);
            self.words.resize(top.max(most.min(2 * top)), 0);
        }
        if self.depth >= self.calls.len() {
            self.calls.resize((2 * self.depth + 16).min(self.limits.call_depth), 0);
        }
        if self.depth == 0 {
            // What the entry function has put into globals is in the frames of the functions that it calls, and of those they call.
            for (global, word) in &self.machine.code.settled {
                self.frames[*word as usize] = self.globals[*global as usize];
            }
        }
        if self.machine.code.calls[index as usize].is_heavy {
            self.enter_cells(index);
        }
        true
    }

    /// A new activation for a call, its parameters set, and where its code is; none if that would exceed the limits.
    #[inline(never)]
    pub(super) fn enter(&mut self, index: u32) -> Option<usize> {
        let code = &self.machine.code;
        let call = &code.calls[index as usize];
        let (base, middle, top) = (self.word_base, self.word_top, self.word_top + call.frame as usize);
        let is_plain = self.depth < self.calls.len() && top <= self.words.len() && !call.needs_more;
        if !is_plain && !self.prepare(index, top) {
            return None;
        }
        let (old, new) = self.words[base..top].split_at_mut(middle - base);
        let words = &self.frames[call.words.0 as usize..call.words.1 as usize];
        let (groups, _) = new.as_chunks_mut::<GROUP>();
        for (to, from) in groups.iter_mut().zip(words.as_chunks::<GROUP>().0) {
            *to = *from;
        }
        for (from, to) in &code.arguments[call.arguments.0 as usize..call.arguments.1 as usize] {
            new[*to as usize] = old[*from as usize];
        }
        self.calls[self.depth] = index;
        self.depth += 1;
        (self.word_base, self.word_top) = (middle, top);
        Some(call.entry as usize)
    }

    fn enter_cells(&mut self, index: u32) {
        let code = &self.machine.code;
        let info = &code.call_infos[index as usize];
        let base = self.cells.len();
        self.cells.extend_from_slice(&code.functions[info.callee.index()].cells);
        for (from, to) in &info.cells {
            self.cells[base + *to as usize] = self.cell(*from).clone();
        }
        self.cell_bases.push(std::mem::replace(&mut self.cell_base, base));
    }

    /// Ends the current activation; its result goes to the caller. Returns where to go on.
    #[inline(never)]
    pub(super) fn leave(&mut self) -> usize {
        self.depth -= 1;
        self.kept_sites = self.kept_sites.min(self.depth);
        let index = self.calls[self.depth];
        let call = &self.machine.code.calls[index as usize];
        let middle = self.word_base;
        let base = middle - call.caller_frame as usize;
        if let Passed::Word(from, to) = call.result {
            self.words[base + to as usize] = self.words[middle + from as usize];
        }
        if call.is_heavy {
            self.leave_cells(index, base);
        }
        (self.word_base, self.word_top) = (base, middle);
        call.back as usize
    }

    /// Drops heavy cells; a result that is not just a word goes to the caller, whose words start at `base`.
    #[cold]
    #[inline(never)]
    fn leave_cells(&mut self, index: u32, base: usize) {
        let result = self.machine.code.call_infos[index as usize].result;
        let (mut word, mut heavy) = (0, None);
        match result {
            Some((Place::Word(from), _)) => word = self.word(from),
            Some((Place::GlobalWord(from), _)) => word = self.globals[from as usize],
            Some((Place::Heavy(from), _)) => heavy = Some(self.cell(from).clone()),
            None => {}
        }
        self.cells.truncate(self.cell_base);
        self.cell_base = self.cell_bases.pop().expect("entered before");
        match (result, heavy) {
            (Some((_, Place::Word(to))), _) => self.words[base + to as usize] = word,
            (Some((_, Place::GlobalWord(to))), _) => self.globals[to as usize] = word,
            (Some((_, Place::Heavy(to))), Some(heavy)) => *self.cell_mut(to) = heavy,
            _ => {}
        }
    }

    /// The places of the active calls: only what changed since it was asked for last is looked at.
    pub(super) fn update_stack(&mut self) {
        self.stack.truncate(self.kept_sites);
        let infos = &self.machine.code.call_infos;
        self.stack.extend(self.calls[self.kept_sites..self.depth].iter().map(|call| {
            let info = &infos[*call as usize];
            (info.func, info.edge)
        }));
        self.kept_sites = self.depth;
    }
}
