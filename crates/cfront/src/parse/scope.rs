//! Scopes: ordinary identifiers and tags, each name a stack of meanings, with a log to undo when a scope closes.

use base::Span;

use crate::hir::{FuncId, VarId};
use crate::token::Name;
use crate::types::{EnumId, RecordId, Ty};

/// What an ordinary identifier means. Variables and functions carry the type this file sees.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entity {
    Typedef(Ty),
    Var(VarId, Ty),
    Func(FuncId, Ty),
    /// Value and type of an enumeration constant.
    Constant(i128, Ty),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

#[derive(Clone, Copy)]
struct Meaning<T> {
    depth: u32,
    value: T,
    span: Span,
}

#[derive(Clone, Copy)]
enum Undo {
    Ordinary(Name),
    Tag(Name),
}

/// A declaration taken out of a closed scope to be repeated in another.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kept {
    Tag(Name, Tag, Span),
    Constant(Name, Entity, Span),
}

pub(super) struct Scopes {
    ordinary: Vec<Vec<Meaning<Entity>>>,
    tags: Vec<Vec<Meaning<Tag>>>,
    log: Vec<Undo>,
    marks: Vec<usize>,
}

fn slot<T>(table: &mut Vec<Vec<T>>, name: Name) -> &mut Vec<T> {
    let index = name.0 as usize;
    if table.len() <= index {
        table.resize_with(index + 1, Vec::new);
    }
    &mut table[index]
}

impl Scopes {
    pub(super) fn new() -> Scopes {
        Scopes { ordinary: Vec::new(), tags: Vec::new(), log: Vec::new(), marks: Vec::new() }
    }

    pub(super) fn is_file_scope(&self) -> bool {
        self.marks.is_empty()
    }

    pub(super) fn open(&mut self) {
        self.marks.push(self.log.len());
    }

    pub(super) fn close(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        while self.log.len() > mark {
            match self.log.pop() {
                Some(Undo::Ordinary(name)) => {
                    slot(&mut self.ordinary, name).pop();
                }
                Some(Undo::Tag(name)) => {
                    slot(&mut self.tags, name).pop();
                }
                None => break,
            }
        }
    }

    /// Tags and enumeration constants declared in the current scope: those of a parameter list live on in the body.
    pub(super) fn tags_and_constants(&self) -> Vec<Kept> {
        let mark = self.marks.last().copied().unwrap_or(0);
        let kept = |undo: &Undo| match *undo {
            Undo::Tag(name) => {
                let top = self.tags.get(name.0 as usize)?.last()?;
                Some(Kept::Tag(name, top.value, top.span))
            }
            Undo::Ordinary(name) => {
                let top = self.ordinary.get(name.0 as usize)?.last()?;
                matches!(top.value, Entity::Constant(..)).then_some(Kept::Constant(name, top.value, top.span))
            }
        };
        self.log[mark..].iter().filter_map(kept).collect()
    }

    pub(super) fn declare_kept(&mut self, kept: &[Kept]) {
        for declaration in kept {
            match *declaration {
                Kept::Tag(name, tag, span) => self.declare_tag(name, tag, span),
                Kept::Constant(name, entity, span) => self.declare(name, entity, span),
            }
        }
    }

    pub(super) fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    /// Gives the name a meaning in the current scope, replacing the one it has there.
    pub(super) fn declare(&mut self, name: Name, value: Entity, span: Span) {
        let depth = self.depth();
        let stack = slot(&mut self.ordinary, name);
        match stack.last_mut() {
            Some(top) if top.depth == depth => *top = Meaning { depth, value, span },
            _ => {
                stack.push(Meaning { depth, value, span });
                self.log.push(Undo::Ordinary(name));
            }
        }
    }

    /// Gives the name a meaning in the outermost scope, below all others (implicit function declarations).
    pub(super) fn declare_at_file_scope(&mut self, name: Name, value: Entity, span: Span) {
        slot(&mut self.ordinary, name).insert(0, Meaning { depth: 0, value, span });
        self.log.insert(self.marks.first().copied().unwrap_or(self.log.len()), Undo::Ordinary(name));
        for mark in &mut self.marks {
            *mark += 1;
        }
    }

    pub(super) fn lookup(&self, name: Name) -> Option<Entity> {
        Some(self.ordinary.get(name.0 as usize)?.last()?.value)
    }

    /// The meaning the name got in the current scope itself, and where.
    pub(super) fn lookup_here(&self, name: Name) -> Option<(Entity, Span)> {
        let top = self.ordinary.get(name.0 as usize)?.last()?;
        (top.depth == self.depth()).then_some((top.value, top.span))
    }

    pub(super) fn declare_tag(&mut self, name: Name, value: Tag, span: Span) {
        let depth = self.depth();
        slot(&mut self.tags, name).push(Meaning { depth, value, span });
        self.log.push(Undo::Tag(name));
    }

    pub(super) fn lookup_tag(&self, name: Name) -> Option<Tag> {
        Some(self.tags.get(name.0 as usize)?.last()?.value)
    }

    pub(super) fn lookup_tag_here(&self, name: Name) -> Option<(Tag, Span)> {
        let top = self.tags.get(name.0 as usize)?.last()?;
        (top.depth == self.depth()).then_some((top.value, top.span))
    }
}
