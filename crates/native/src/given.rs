//! What a run was given that no function returns: first contents of local variables and of allocated memory, allocations
//! that fail, and the arguments of a function that the program starts at instead of `main`.
//!
//! Local variables get theirs by a call behind their declaration (`cfront::written`), allocations by wrapped functions,
//! arguments by statements in front of the call. That is done as far as it goes: a run that needs more goes elsewhere.

use super::Build;
use super::harness::bits;
use cfa::{ObjectKind, Op, Origin, Program};
use cfront::written::Place;
use interpreter::{Given as Value, Outcome, Recorded};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Functions that allocate; each call of theirs is given whether it succeeds.
const ALLOCATES: [&str; 3] = ["malloc", "calloc", "realloc"];
/// What has to be known of blocks where one is made larger: how large each was made.
const TOLD: [&str; 4] = ["malloc", "calloc", "realloc", "free"];

/// So many bytes of contents are written into a harness.
const MOST_BYTES: usize = 1 << 18;

/// All of it.
#[derive(Default)]
pub(super) struct Given {
    /// The variables, and the contents of each, one after the other.
    pub(super) places: Vec<Place>,
    contents: Vec<Vec<Vec<u8>>>,
    /// Whether the program makes blocks larger: what is new in them is given, and nothing of it is left to chance.
    reallocates: bool,
    /// Calls of functions that allocate, in order.
    blocks: BTreeMap<&'static str, Vec<Block>>,
    /// Statements that fill the variables that are the arguments.
    pub(super) arguments: String,
}

/// A call of a function that allocates.
struct Block {
    /// `None`: nothing is said, it does as it can.
    succeeds: Option<bool>,
    contents: Option<Vec<u8>>,
}

impl Given {
    pub(super) fn of(program: &Program, outcome: &Outcome, build: &Build) -> Given {
        let mut edges = program.functions.values().flat_map(|function| function.edges.values());
        let reallocates = edges.any(|edge| matches!(&edge.op, Op::Alloc { name, .. } if name == "realloc"));
        let mut out = Given { reallocates, ..Given::default() };
        let mut bytes = 0;
        for recorded in &outcome.inputs {
            let op = &program.functions[recorded.func].edges[recorded.edge].op;
            if let Value::Contents(contents) = &recorded.given {
                bytes += contents.len();
            }
            if bytes > MOST_BYTES {
                break;
            }
            match op {
                Op::Havoc { origin: Origin::Extern(name), .. } => {
                    let (Some(name), Value::Value(value)) = (allocates(name), &recorded.given) else { continue };
                    let succeeds = bits(value).map(|bits| bits != 0);
                    out.blocks.entry(name).or_default().push(Block { succeeds, contents: None });
                }
                Op::Alloc { kind: ObjectKind::Heap, name, .. } => {
                    let (Some(name), Value::Contents(contents)) = (allocates(name), &recorded.given) else { continue };
                    let blocks = out.blocks.entry(name).or_default();
                    match blocks.last_mut().filter(|block| block.succeeds.is_some()) {
                        Some(block) => block.contents = Some(contents.clone()),
                        None => blocks.push(Block { succeeds: None, contents: Some(contents.clone()) }),
                    }
                }
                _ => out.local(program, recorded, op),
            }
        }
        out.arguments = arguments(program, outcome, build);
        out
    }

    /// The first contents of a local variable, if they are that.
    fn local(&mut self, program: &Program, recorded: &Recorded, op: &Op) {
        let (var, contents) = match (op, &recorded.given) {
            (Op::Havoc { vars, origin: Origin::Uninitialised(_) }, Value::Value(value)) => {
                match (&vars[..], bits(value)) {
                    ([var], Some(bits)) => (*var, bits.to_le_bytes().to_vec()),
                    _ => return,
                }
            }
            (Op::Alloc { dst, kind: ObjectKind::Stack, .. }, Value::Contents(contents)) => (*dst, contents.clone()),
            _ => return,
        };
        let Some(source) = &program.vars[var].source else { return };
        let Some(file) = program.sources.file(source.span.file).filter(|_| recorded.func != program.entry) else {
            return;
        };
        // A parameter holds what it is called with, and nothing can be declared behind it.
        let params = &program.functions[recorded.func].params;
        if params.iter().any(|p| program.vars[*p].source.as_ref().is_some_and(|param| param.span == source.span)) {
            return;
        }
        let name = source.name.trim_start_matches('&').to_owned();
        let place = Place { file: file.name.clone(), line: source.span.line, col: source.span.col, name };
        let number = self.places.iter().position(|known| *known == place).unwrap_or(self.places.len());
        if number == self.places.len() {
            self.places.push(place);
            self.contents.push(Vec::new());
        }
        self.contents[number].push(contents);
    }

    /// Flags of the compiler for the functions that are wrapped.
    pub(super) fn flags(&self) -> impl Iterator<Item = String> {
        TOLD.into_iter().filter(|name| self.wraps(name)).map(|name| format!("-Wl,--wrap={name}"))
    }

    fn wraps(&self, name: &str) -> bool {
        self.blocks.contains_key(name) || self.reallocates
    }

    /// The functions that give all that; `give` is what the text calls for local variables.
    pub(super) fn functions(&self, give: &str) -> String {
        let mut text = String::from("\n/* What variables and allocated memory hold at first. */\n");
        text += "HIDDEN static void foldback_copy(void *to, const unsigned char *from, __SIZE_TYPE__ size) {\n  \
                 for (__SIZE_TYPE__ i = 0; i < size; i++) ((unsigned char *)to)[i] = from[i];\n}\n";
        let mut cases = String::new();
        for (number, all) in self.contents.iter().enumerate() {
            let table = table(&format!("foldback_first_{number}"), all.iter().map(|bytes| &bytes[..]));
            let _ = write!(text, "{table}");
            let _ = writeln!(
                cases,
                "    case {number}: {{\n      static unsigned long at;\n      if (at >= {count}) return 0;\n      \
                 foldback_copy(place, foldback_first_{number}[at], size < foldback_first_{number}_size[at] ? size : \
                 foldback_first_{number}_size[at]);\n      at++;\n      return 0;\n    }}",
                count = all.len(),
            );
        }
        let _ = writeln!(
            text,
            "HIDDEN void *{give}(int number, void *place, __SIZE_TYPE__ size) {{\n  (void)place; (void)size;\n  switch \
             (number) {{\n{cases}    default: return 0;\n  }}\n}}"
        );
        text += if self.reallocates { SIZES } else { NO_SIZES };
        for name in ALLOCATES.into_iter().filter(|name| self.wraps(name)) {
            text += &wrapped(name, self.blocks.get(name).map_or(&[], |blocks| blocks));
        }
        text
    }
}

/// One of the functions that are wrapped.
fn allocates(name: &str) -> Option<&'static str> {
    ALLOCATES.into_iter().find(|known| *known == name)
}

/// Arrays of bytes, an array of them, and one of their sizes.
fn table<'b>(name: &str, all: impl Iterator<Item = &'b [u8]>) -> String {
    let (mut text, mut rows, mut sizes) = (String::new(), Vec::new(), Vec::new());
    for (number, bytes) in all.enumerate() {
        let _ = writeln!(text, "static const unsigned char {name}_{number}[] = {{{}}};", numbers(bytes));
        rows.push(format!("{name}_{number}"));
        sizes.push(bytes.len().to_string());
    }
    let listed = |items: Vec<String>| if items.is_empty() { "0".to_owned() } else { items.join(", ") };
    let _ = writeln!(text, "static const unsigned char *const {name}[] = {{{}}};", listed(rows));
    let _ = writeln!(text, "static const __SIZE_TYPE__ {name}_size[] = {{{}}};", listed(sizes));
    text
}

/// The values of bytes; at least one.
fn numbers(bytes: &[u8]) -> String {
    let texts: Vec<String> = bytes.iter().map(u8::to_string).collect();
    if texts.is_empty() { "0".into() } else { texts.join(", ") }
}

/// How large blocks were made, by their addresses, as far as there is room; blocks that the library makes by itself are not among them.
/// `realloc` keeps as much of a block as it had, and what is behind that is new.
const SIZES: &str = "#define FOLDBACK_BLOCKS 65536ul\n\
static struct { void *block; __SIZE_TYPE__ size; } foldback_blocks[FOLDBACK_BLOCKS];\n\
HIDDEN static __SIZE_TYPE__ *foldback_size_of(void *block, int is_new) {\n  \
unsigned long i = ((unsigned long)block >> 4) % FOLDBACK_BLOCKS, tried;\n  \
for (tried = 0; tried < 64; tried++, i = (i + 1) % FOLDBACK_BLOCKS) {\n    \
if (foldback_blocks[i].block == block) return &foldback_blocks[i].size;\n    \
if (!foldback_blocks[i].block) {\n      if (!is_new) return 0;\n      foldback_blocks[i].block = block;\n      \
return &foldback_blocks[i].size;\n    }\n  }\n  return 0;\n}\n\
HIDDEN static void foldback_made(void *block, __SIZE_TYPE__ size) {\n  \
__SIZE_TYPE__ *known = block ? foldback_size_of(block, 1) : 0;\n  if (known) *known = size;\n}\n\
/* As if all of it had been there before: nothing is known. */\n\
HIDDEN static __SIZE_TYPE__ foldback_had(void *block) {\n  __SIZE_TYPE__ *known;\n  if (!block) return 0;\n  \
known = foldback_size_of(block, 0);\n  return known ? *known : -(__SIZE_TYPE__)1;\n}\n\
extern void __real_free(void *);\n\
HIDDEN void __wrap_free(void *block) {\n  if (block && foldback_size_of(block, 0)) foldback_made(block, -(__SIZE_TYPE__)1);\n  \
__real_free(block);\n}\n";

const NO_SIZES: &str = "#define foldback_made(block, size) ((void)0)\n";

/// A function around one that allocates. Where it is not said which calls succeed, contents go to the next block of their
/// size.
fn wrapped(name: &str, blocks: &[Block]) -> String {
    // What it is called with, of which size the contents have to be, from where on they are given, and how large the block is.
    let (parameters, arguments, size, from, whole) = match name {
        "malloc" => ("__SIZE_TYPE__ size", "size", "size", "0", "size"),
        "calloc" => ("__SIZE_TYPE__ count, __SIZE_TYPE__ size", "count, size", "0", "0", "count * size"),
        _ => ("void *old, __SIZE_TYPE__ size", "old, size", "size", "foldback_had(old)", "size"),
    };
    // The old block is no more; where the new one is at its place, that is the next to be told.
    let is_realloc = name == "realloc";
    // What no contents were given for was zero in the run.
    let rest = if is_realloc {
        "if (block && from < size) for (to = from < to ? to : from; to < size; to++) ((unsigned char *)block)[to] = 0;"
    } else {
        ""
    };
    let ends = if is_realloc { "if (old && (block || !size)) foldback_made(old, -(__SIZE_TYPE__)1);" } else { "" };
    let table = table(&format!("foldback_{name}"), blocks.iter().map(|block| block.contents.as_deref().unwrap_or(&[])));
    let says: Vec<&str> = blocks
        .iter()
        .map(|block| match block.succeeds {
            None => "-1",
            Some(false) => "0",
            Some(true) => "1",
        })
        .collect();
    format!(
        "{table}static const signed char foldback_{name}_says[] = {{{says}}};\nextern void *__real_{name}({parameters});\n\
         HIDDEN void *__wrap_{name}({parameters}) {{\n  static unsigned long at;\n  void *block;\n  unsigned long now = at;\n  \
         __SIZE_TYPE__ from = {from}, to = 0;\n  if (now < {count} && (foldback_{name}_says[now] >= 0 || \
         foldback_{name}_size[now] == {size})) {{\n    at++;\n    if (foldback_{name}_says[now] == 0) return 0;\n    \
         to = foldback_{name}_size[now] < {size} ? foldback_{name}_size[now] : {size};\n  }}\n  \
         block = __real_{name}({arguments});\n  {ends}\n  foldback_made(block, {whole});\n  if (block && from < to) \
         foldback_copy((unsigned char *)block + from, foldback_{name}[now] + from, to - from);\n  {rest}\n  return block;\n}}\n",
        says = if says.is_empty() { "0".to_owned() } else { says.join(", ") },
        count = blocks.len(),
    )
}

/// What the name of an input ends with that says whether a pointer points somewhere.
const NOT_NULL: &str = " != NULL";

/// Statements that fill the variables called as the parameters of the function that the program starts at.
///
/// The inputs that are parts of arguments are called as C calls them: `p->next->value`. Pointers come before what they
/// point to, which their names begin with.
fn arguments(program: &Program, outcome: &Outcome, build: &Build) -> String {
    let entry = program.functions.values().find(|function| function.name == build.entry);
    let params = entry.iter().flat_map(|function| &function.params);
    let names: BTreeSet<&str> =
        params.filter_map(|param| Some(program.vars[*param].source.as_ref()?.name.trim_start_matches('&'))).collect();
    let is_argument = |name: &str| {
        let root = name.trim_start_matches('*');
        let end = root.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(root.len());
        names.contains(&root[..end])
    };
    let mut parts: Vec<(usize, u8, String, Part)> = Vec::new();
    for recorded in outcome.inputs.iter().filter(|recorded| recorded.func == program.entry) {
        let op = &program.functions[recorded.func].edges[recorded.edge].op;
        let (name, kind, part) = match (op, &recorded.given) {
            (Op::Havoc { origin: Origin::Input(name), .. }, Value::Value(value)) => {
                let Some(bits) = bits(value) else { continue };
                match name.strip_suffix(NOT_NULL) {
                    Some(pointer) => (pointer, 1, Part::Pointer(bits != 0)),
                    None => (name.as_str(), 2, Part::Number(bits)),
                }
            }
            (Op::Alloc { name, kind: ObjectKind::Stack, .. }, Value::Contents(bytes)) => {
                (name.as_str(), 0, Part::Bytes(bytes.clone()))
            }
            _ => continue,
        };
        let part = match part {
            // What a pointer leads to may have no size in C, so objects are made as large as they are here.
            Part::Pointer(true) => match object_size(program, name) {
                Some(size) => Part::Object(size),
                None => continue,
            },
            part => part,
        };
        if is_argument(name) {
            parts.push((name.len(), kind, name.to_owned(), part));
        }
    }
    parts.sort_by_key(|(len, kind, ..)| (*len, *kind));
    let (mut text, mut nulls) = (String::new(), Vec::new());
    for (number, (_, _, name, part)) in parts.iter().enumerate() {
        let is_behind = |null: &String| name.starts_with(&format!("{null}->")) || name.starts_with(&format!("*{null}"));
        if nulls.iter().any(is_behind) {
            continue;
        }
        let place = place(name);
        let copy = |from: &str, most: usize| {
            format!(
                "__builtin_memcpy((void *)&({place}), {from}, sizeof({place}) < {most} ? sizeof({place}) : {most}); }} "
            )
        };
        text += &match part {
            Part::Object(size) => format!(
                "{{ static unsigned char foldback_object_{number}[{size}] __attribute__((aligned(16))); void *foldback_at = \
                 foldback_object_{number}; {}",
                copy("&foldback_at", 8)
            ),
            Part::Pointer(_) => {
                nulls.push(name.clone());
                format!("{{ unsigned long long foldback_at = 0; {}", copy("&foldback_at", 8))
            }
            Part::Number(bits) => format!(
                "{{ unsigned long long foldback_at = {bits:#x}ull; if \
                 (__builtin_types_compatible_p(__typeof__({place}), _Bool)) foldback_at = foldback_at != 0; {}",
                copy("&foldback_at", 8)
            ),
            Part::Bytes(bytes) if let Some(pointer) = name.strip_prefix('*') => format!(
                "{{ static const unsigned char foldback_at[] = {{{}}}; __builtin_memcpy((void *)({}), foldback_at, {}); }} ",
                numbers(bytes),
                self::place(pointer),
                bytes.len()
            ),
            Part::Bytes(bytes) => format!(
                "{{ static const unsigned char foldback_at[] = {{{}}}; {}",
                numbers(bytes),
                copy("foldback_at", bytes.len())
            ),
        };
    }
    text
}

/// A part of an argument as C says it.
fn place(name: &str) -> String {
    match name.split_once('[') {
        // A pointer to an array: its elements.
        Some((array, rest)) if array.starts_with('*') => format!("({array})[{rest}"),
        _ => name.to_owned(),
    }
}

/// A part of an argument.
enum Part {
    Bytes(Vec<u8>),
    /// Whether it points somewhere.
    Pointer(bool),
    /// It points at an object of so many bytes.
    Object(u64),
    Number(u64),
}

/// The size of the object that a pointer among the arguments points at, if it is one.
fn object_size(program: &Program, pointer: &str) -> Option<u64> {
    let is_it = |name: &str| name.strip_prefix('*') == Some(pointer);
    program.main().edges.values().find_map(|edge| match &edge.op {
        Op::Alloc { name, kind: ObjectKind::Stack, size, .. } if is_it(name) => {
            program.terms.as_bv_const(*size)?.to_u64()
        }
        _ => None,
    })
}
