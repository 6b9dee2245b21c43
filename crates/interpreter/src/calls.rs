//! Entering and leaving functions.
//!
//! An activation is a window of the words, right behind its caller's. All that leaving it needs is known from the call, so that
//! the stack of the active calls is a small table; where they are in the program is told when somebody asks. What most calls
//! need is done in the loop of `fast.rs`, which has the place of the activation in a register of the machine.

use super::code::*;
use super::exec::Run;
use base::Id;

impl Run<'_> {
    /// Where the words of all activations end after a call.
    fn top_after(&self, index: u32) -> usize {
        let call = &self.machine.code.calls[index as usize];
        self.word_base + call.back.caller_frame as usize + call.frame as usize
    }

    /// Whether a call would exceed the limits.
    pub(super) fn is_too_deep(&self, index: u32) -> bool {
        let bytes = 8 * self.top_after(index) as u64;
        self.depth >= self.limits.call_depth || bytes > self.limits.memory
    }

    /// Makes room for the activation of a call, and does what few calls need; false if that would exceed the limits.
    #[cold]
    #[inline(never)]
    pub(super) fn prepare(&mut self, index: u32) -> bool {
        let top = self.top_after(index);
        if self.is_too_deep(index) {
            return false;
        }
        if top + WINDOW > self.words.len() {
            // What there is room for is within the limit.
            let most = (self.limits.memory / 8).try_into().unwrap_or(usize::MAX);
            self.words.resize(top.max(most.min(2 * top)) + WINDOW, 0);
        }
        if self.depth >= self.calls.len() {
            self.calls.resize((2 * self.depth + 16).min(self.limits.call_depth), Back::default());
        }
        if self.depth == 0 {
            // What the entry function has put into globals is in the frames of the functions that it calls, and of those they call.
            for (global, word) in &self.machine.code.settled {
                self.frames[*word as usize] = self.globals[*global as usize];
            }
        }
        if self.machine.code.calls[index as usize].back.is_heavy {
            self.enter_cells(index);
        }
        true
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

    /// Drops heavy cells; a result that is not just a word goes to the caller, whose words start at `base`.
    #[cold]
    #[inline(never)]
    pub(super) fn leave_cells(&mut self, index: u32, base: usize) {
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
            let info = &infos[call.call as usize];
            (info.func, info.edge)
        }));
        self.kept_sites = self.depth;
    }
}
