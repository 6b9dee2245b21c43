//! Memory during a watched run: which objects there were, where they came from and where they ended, and what the user calls
//! them and their parts.

use crate::execution::is_users;
use crate::model::Place;
use crate::value;
use base::Span;
use cfa::shape::{Scalar, Shape};
use cfa::{Edge, Func, ObjectKind, Op, Program, SourceVar, Var};
use interpreter::{Site, State};
use std::collections::BTreeMap;
use std::sync::Arc;
use term::{Bits, FloatValue, Format, Term, Value};

/// Longer texts are cut.
const LONGEST_STRING: usize = 40;

pub(crate) struct Object {
    pub(crate) kind: ObjectKind,
    pub(crate) size: u64,
    /// The edge that made it, and the calls around that.
    site: (Func, Edge),
    path: Vec<Site>,
    /// The variable that got its address.
    address: Var,
    /// Where its life ended, if it has.
    pub(crate) ended: Option<Option<Place>>,
    /// Heap blocks are counted, for people.
    block: usize,
    /// The pointer variable by which the start of a block was accessed last: its type says what is there.
    by: Option<Var>,
    /// What was written, as ranges that do not touch: the end by the start.
    written: BTreeMap<u64, u64>,
    /// What was in a block when it was freed.
    pub(crate) last: Option<Vec<u8>>,
}

impl Object {
    pub(crate) fn is_written(&self, offset: u64, len: u64) -> bool {
        let before = self.written.range(..=offset).next_back();
        matches!(self.kind, ObjectKind::Static | ObjectKind::Literal)
            || before.is_some_and(|(_, end)| *end >= offset + len)
    }
}

pub(crate) struct Objects<'p> {
    program: &'p Program,
    by_number: BTreeMap<u64, Object>,
    blocks: usize,
}

/// A part of memory that has a name.
pub(crate) struct Cell {
    pub(crate) name: String,
    scalar: Scalar,
}

impl Cell {
    pub(crate) fn is_pointer(&self) -> bool {
        self.scalar.pointer
    }
}

/// By which pointer variable memory was accessed, and what that held.
pub(crate) type Via = Option<(Var, u64)>;

impl<'p> Objects<'p> {
    pub(crate) fn new(program: &'p Program) -> Objects<'p> {
        Objects { program, by_number: BTreeMap::new(), blocks: 0 }
    }

    /// What an edge that was just executed does to objects. `address` is that of the object, made or ended.
    pub(crate) fn note(&mut self, path: &[Site], func: Func, edge: Edge, address: u64, size: u64) {
        let number = self.number(address);
        match &self.program.functions[func].edges[edge].op {
            Op::Alloc { dst, kind, .. } => {
                let (site, path) = ((func, edge), path.to_vec());
                self.blocks += usize::from(*kind == ObjectKind::Heap);
                let (kind, address, block) = (*kind, *dst, self.blocks);
                let (ended, by, written, last) = (None, None, BTreeMap::new(), None);
                let object = Object { kind, size, site, path, address, ended, block, by, written, last };
                self.by_number.insert(number, object);
            }
            Op::Free { .. } | Op::Dead { .. } => {
                let place = users_span(self.program, path, (func, edge));
                if let Some(object) = self.by_number.get_mut(&number) {
                    object.ended = Some(place.and_then(|span| Place::of(&self.program.sources, span)));
                }
            }
            _ => {}
        }
    }

    /// So many bytes were written at an address.
    pub(crate) fn wrote(&mut self, address: u64, len: u64) {
        let (number, offset) = self.split(address);
        let (Some(object), Ok(mut start)) = (self.by_number.get_mut(&number), u64::try_from(offset)) else { return };
        let mut end = start.saturating_add(len);
        while let Some((&from, &to)) = object.written.range(..=end).next_back()
            && to >= start
        {
            object.written.remove(&from);
            (start, end) = (start.min(from), end.max(to));
        }
        object.written.insert(start, end);
    }

    /// A block is about to be freed, and holds this.
    pub(crate) fn keep(&mut self, address: u64, bytes: &[u8]) {
        let number = self.number(address);
        if let Some(object) = self.by_number.get_mut(&number) {
            object.last = Some(bytes.to_vec());
        }
    }

    /// A block was accessed by a pointer variable.
    pub(crate) fn accessed(&mut self, via: Via) {
        let Some((pointer, value)) = via else { return };
        let (number, offset) = self.split(value);
        let is_known = self.pointee(pointer).is_some();
        if let Some(object) = self.by_number.get_mut(&number).filter(|_| offset == 0 && is_known) {
            object.by = Some(pointer);
        }
    }

    /// What an object is made of, if its declaration or the pointers to it tell.
    pub(crate) fn shape(&self, object: &Object) -> Option<&'p Arc<Shape>> {
        match self.variable(object) {
            Some((_, shape)) => shape,
            None => self.pointee(object.by?),
        }
    }

    /// What people call it: by its variable, or by its number.
    pub(crate) fn name(&self, object: &Object) -> Option<String> {
        match self.variable(object) {
            Some((name, _)) => Some(name.to_owned()),
            None => (object.kind == ObjectKind::Heap).then(|| self.block(object)),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &Object)> {
        self.by_number.iter().map(|(number, object)| (*number, object))
    }

    fn offset_bits(&self) -> u32 {
        self.program.machine.offset_bits
    }

    fn number(&self, address: u64) -> u64 {
        address >> self.offset_bits()
    }

    /// The object that an address was made from, and how far from its start it is, which may be before it.
    pub(crate) fn split(&self, address: u64) -> (u64, i64) {
        let near = address.wrapping_add(1 << (self.offset_bits() - 4));
        let number = self.number(near) & (self.program.machine.object_count() - 1);
        (number, address.wrapping_sub(number << self.offset_bits()) as i64)
    }

    pub(crate) fn get(&self, number: u64) -> Option<&Object> {
        self.by_number.get(&number)
    }

    /// The first address of the object that was made last at a place.
    pub(crate) fn made_at(&self, site: (Func, Edge), path: &[Site]) -> Option<u64> {
        let mut made = self.by_number.iter().rev();
        made.find(|(_, object)| object.site == site && object.path == path)
            .map(|(number, _)| number << self.offset_bits())
    }

    pub(crate) fn address_of(&self, number: u64) -> u64 {
        number << self.offset_bits()
    }

    /// What a heap block is called here: C has no name for it.
    pub(crate) fn block(&self, object: &Object) -> String {
        format!("block {}", object.block)
    }

    /// The block of the heap that an address is in.
    pub(crate) fn block_at(&self, address: u64) -> Option<String> {
        let object = self.get(self.split(address).0)?;
        (object.kind == ObjectKind::Heap).then(|| self.block(object))
    }

    /// Where the user made it.
    pub(crate) fn birth(&self, object: &Object) -> Option<Place> {
        users_span(self.program, &object.path, object.site).and_then(|span| Place::of(&self.program.sources, span))
    }

    /// The user's calls around the allocation, innermost first, without the place itself.
    pub(crate) fn birth_callers(&self, object: &Object) -> Vec<Place> {
        let spans = users_spans(self.program, &object.path, object.site).skip(1);
        spans.filter_map(|span| Place::of(&self.program.sources, span)).collect()
    }

    pub(crate) fn birth_line(&self, object: &Object) -> Option<String> {
        let span = users_span(self.program, &object.path, object.site)?;
        self.program.sources.line(span).map(|line| line.trim().to_owned())
    }

    /// The user's variable that it is, with what that is made of.
    pub(crate) fn variable(&self, object: &Object) -> Option<(&'p str, Option<&'p Arc<Shape>>)> {
        let source = self.program.vars[object.address].source.as_ref().filter(|s| is_users(self.program, s.span))?;
        let shape = self.program.shapes.get(&(source.span, source.name.clone()));
        Some((source.name.strip_prefix('&')?, shape))
    }

    /// What the user calls so many bytes at an address; of nameless memory, by the pointer that led there.
    pub(crate) fn cell(&self, address: u64, len: u64, via: Via) -> Option<Cell> {
        let bytes = u32::try_from(len).ok()?;
        let either = |shape: &Shape, offset: u64| {
            let found = shape.at(offset, bytes, false).or_else(|| shape.at(offset, bytes, true));
            found.map(|(path, scalar)| (path, scalar.clone()))
        };
        let (number, offset) = self.split(address);
        let object = self.by_number.get(&number)?;
        if let Some((name, shape)) = self.variable(object) {
            let (path, scalar) = either(shape?, u64::try_from(offset).ok()?)?;
            return Some(Cell { name: format!("{name}{path}"), scalar });
        }
        let (pointer, value) = via?;
        let (path, scalar) = either(self.pointee(pointer)?, address.checked_sub(value)?)?;
        let name = &self.program.vars[pointer].source.as_ref()?.name;
        let name = match path.strip_prefix("[0]") {
            Some("") => format!("*{name}"),
            Some(rest) => match rest.strip_prefix('.') {
                Some(member) => format!("{name}->{member}"),
                None => format!("(*{name}){rest}"),
            },
            None => format!("{name}{path}"),
        };
        Some(Cell { name, scalar })
    }

    /// What a pointer variable of the user's points to, by its type: any number of elements.
    fn pointee(&self, pointer: Var) -> Option<&'p Arc<Shape>> {
        let source = self.program.vars[pointer].source.as_ref()?;
        self.program.shapes.get(&(source.span, format!("*{}", source.name)))
    }

    /// How many bytes an element of what a pointer points to takes, if its type is known.
    pub(crate) fn element(&self, via: Via) -> Option<u64> {
        match **self.pointee(via?.0)? {
            Shape::Array { stride, .. } => Some(stride),
            _ => None,
        }
    }

    /// Bytes of memory as C writes the value that is there.
    pub(crate) fn show(&self, cell: &Cell, bytes: &[u8]) -> String {
        self.show_scalar(&cell.scalar, bytes)
    }

    pub(crate) fn show_scalar(&self, scalar: &Scalar, bytes: &[u8]) -> String {
        let bits = bytes.iter().rev().fold(0_u128, |bits, byte| bits << 8 | u128::from(*byte));
        let bits = Bits::new(bits, 8 * bytes.len() as u32);
        match (scalar.float, bytes.len()) {
            (true, 4) => value::show(&Value::Float(FloatValue::from_bits(Format::F32, &bits)), true),
            (true, 8) => value::show(&Value::Float(FloatValue::from_bits(Format::F64, &bits)), true),
            _ if scalar.pointer => bits.to_u64().map_or_else(|| "?".to_owned(), |address| self.pointer(address)),
            _ if is_char(&scalar.ctype) => value::character(bytes.first().copied().unwrap_or(0), scalar.signed),
            _ => value::show(&Value::Bv(bits), scalar.signed),
        }
    }

    /// A variable's value as C writes it.
    pub(crate) fn show_variable(&self, source: &SourceVar, now: &Value) -> String {
        match now.as_bits().and_then(Bits::to_u64) {
            Some(address) if source.pointer => self.pointer(address),
            _ => value::show(now, source.signed),
        }
    }

    /// A pointer as C might write it.
    pub(crate) fn pointer(&self, address: u64) -> String {
        if address == 0 {
            return "NULL".to_owned();
        }
        let (number, offset) = self.split(address);
        let Some(object) = self.by_number.get(&number) else { return format!("{address:#x}") };
        if object.kind == ObjectKind::Function || object.kind == ObjectKind::Callback {
            return "a function".to_owned();
        }
        let Some((name, shape)) = self.variable(object) else {
            let start = match (object.kind, self.birth(object)) {
                (ObjectKind::Heap, Some(place)) => format!("{} (from line {})", self.block(object), place.line),
                (ObjectKind::Heap, None) => self.block(object),
                _ => "an object".to_owned(),
            };
            return if offset == 0 { start } else { format!("{offset} bytes into {start}") };
        };
        match shape.map(|shape| &**shape) {
            Some(Shape::Array { stride, .. }) if *stride > 0 && offset % *stride as i64 == 0 => {
                if offset == 0 {
                    name.to_owned()
                } else {
                    format!("&{name}[{}]", offset / *stride as i64)
                }
            }
            _ if offset == 0 => format!("&{name}"),
            Some(shape) => {
                let sizes = [8, 4, 2, 1].into_iter();
                let mut paths = sizes.filter_map(|size| shape.at(u64::try_from(offset).ok()?, size, false));
                paths.next().map_or_else(|| format!("{offset} bytes into {name}"), |(path, _)| format!("&{name}{path}"))
            }
            None => format!("{offset} bytes into {name}"),
        }
    }

    /// The text in an array of characters that starts at an address, as C writes it; nothing where there is none.
    pub(crate) fn string(&self, address: u64, bytes: &[u8]) -> Option<(String, String)> {
        let (number, offset) = self.split(address);
        let (name, shape) = self.variable(self.by_number.get(&number)?)?;
        let Shape::Array { stride: 1, of, .. } = &**shape? else { return None };
        let Shape::Scalar(scalar) = &**of else { return None };
        if !is_char(&scalar.ctype) || bytes.len() < 2 {
            return None;
        }
        let name = if offset == 0 { name.to_owned() } else { format!("&{name}[{offset}]") };
        Some((name, text(bytes)))
    }
}

/// Bytes up to the first zero, as C writes them.
pub(crate) fn text(bytes: &[u8]) -> String {
    let text = &bytes[..bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len())];
    let shown: String = text.iter().take(LONGEST_STRING).map(|byte| value::escaped(*byte, '"')).collect();
    let more = if text.len() > LONGEST_STRING { "..." } else { "" };
    format!("\"{shown}\"{more}")
}

pub(crate) fn is_char(ctype: &str) -> bool {
    matches!(ctype.trim_start_matches("const "), "char" | "signed char" | "unsigned char")
}

/// Where in the user's code something happened: at the edge itself, or at the innermost call that the user wrote.
pub(crate) fn users_span(program: &Program, path: &[Site], site: (Func, Edge)) -> Option<Span> {
    users_spans(program, path, site).next()
}

fn users_spans<'a>(program: &'a Program, path: &'a [Site], site: (Func, Edge)) -> impl Iterator<Item = Span> + 'a {
    let chain = std::iter::once(site).chain(path.iter().rev().copied().filter(|(func, _)| *func != program.entry));
    chain.map(|(func, edge)| program.functions[func].edges[edge].span).filter(|span| is_users(program, *span))
}

/// The pointer variable of the user's that an address is computed from, and what it holds.
pub(crate) fn via(program: &Program, state: &State<'_>, address: Term) -> Via {
    let pointer = pointer_in(program, address)?;
    Some((pointer, state.word(pointer)?))
}

/// The pointer variable of the user's in a term.
pub(crate) fn pointer_in(program: &Program, address: Term) -> Option<Var> {
    let mut vars = term::walk::free_vars(&program.terms, &[address]).into_iter().filter_map(|t| program.var_of(t));
    vars.find(|v| {
        let source = program.vars[*v].source.as_ref();
        source.is_some_and(|source| source.pointer && !source.name.starts_with('&'))
    })
}
