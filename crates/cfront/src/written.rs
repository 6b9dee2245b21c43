//! The program as text again, for a C compiler: preprocessed by us, so that both see the same macros and headers.
//!
//! Each place of the source gets a line of its own. A compiler's line numbers then name places exactly, columns and uses of
//! macros included, and no `#line` of the program can claim otherwise.
//!
//! What our linking does and a linker does not is done to the text (`edit`): bodies that are removed, `static` names that
//! other files reach, a start elsewhere than at `main`. So are clauses of contracts, which a compiler does not know, and quantifiers
//! (`quantifier`).

mod edit;
mod quantifier;

use crate::hir::{ExprKind, FuncId, Unit};
use crate::input;
use crate::token::{Names, Tok, TokenStream};
use crate::types::{FloatKind, Ty, Type};
use crate::walk::walk_stmt;
use crate::{Failure, Input, Options};
use base::{Sources, Span};
use std::collections::BTreeMap;

/// One file of the program for a compiler.
#[derive(Clone, Debug)]
pub struct Written {
    /// Without directives but `#pragma pack` and `#pragma weak`.
    pub text: Vec<u8>,
    /// The place of each line of the text, the first one first.
    pub places: Vec<Span>,
}

/// All files.
#[derive(Debug)]
pub struct Translation {
    pub files: Vec<Written>,
    pub sources: Sources,
    /// The functions that the user declares but does not define.
    pub declared: Vec<Declared>,
    /// Clauses of contracts were left out.
    pub lacks_clauses: bool,
}

/// A function without body, by types that any file can name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    pub name: String,
    /// `None`: a struct or another type that cannot be named.
    pub result: Option<String>,
    /// The first parameter's; without a prototype, the type that all calls give it.
    pub first: Option<String>,
    /// It does not return.
    pub noreturn: bool,
}

/// What is put into the text.
#[derive(Clone, Copy, Debug)]
pub struct Hooks<'a> {
    /// At the start of each file.
    pub start: &'a str,
    /// At the start of the bodies of these functions.
    pub functions: &'a [String],
    pub entry: &'a str,
    /// The function to start at, where that is not `main`.
    pub begin: Option<Begin<'a>>,
    /// Local variables that get their first contents from the function `give`, by number.
    pub given: &'a [Place],
    pub give: &'a str,
}

/// A start elsewhere than at `main`.
#[derive(Clone, Copy, Debug)]
pub struct Begin<'a> {
    pub function: &'a str,
    /// Statements that fill the variables called as its parameters, which are then its arguments.
    pub arguments: &'a str,
}

/// Where a variable's name stands in its declaration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub col: u32,
    pub name: String,
}

impl Hooks<'_> {
    pub const NONE: Hooks<'static> = Hooks { start: "", functions: &[], entry: "", begin: None, given: &[], give: "" };
}

/// Reads the program once more, and writes it. The library's models are no part of it.
pub fn translation(inputs: &[Input], options: &Options, hooks: &Hooks<'_>) -> Result<Translation, Failure> {
    let unit = crate::load(inputs, options)?;
    let start = format!("{} {}", hooks.start, undeclared(&unit));
    let hooks = &Hooks { start: &start, ..*hooks };
    let mut names = Names::new();
    let mut sources = Sources::new();
    let (mut predefined, mut streams) = (None, Vec::new());
    for given in inputs {
        match input::tokens(given, &options.for_input(given), &mut predefined, &mut names, &mut sources) {
            Ok(stream) => streams.push(stream),
            Err(diagnostics) => return Err(Failure { diagnostics, sources }),
        }
    }
    let exported = edit::exported_names(&streams, &names);
    let edits = inputs.iter().zip(&streams).map(|(given, stream)| {
        let file = edit::File { stream, names: &names, sources: &sources };
        file.edits(&unit, options.linking_of(given), &exported, hooks)
    });
    let edits: Vec<edit::Edits> = edits.collect();
    let mut files: Vec<Written> = streams.iter().zip(&edits).map(|(stream, edits)| write(stream, edits)).collect();
    if let [file] = &mut files[..] {
        file.line(Span::nowhere(), called(&unit).as_bytes());
    }
    let lacks_clauses =
        edits.iter().any(|edits| edits.lacks_clauses) || streams.iter().any(|stream| !stream.annotations.is_empty());
    Ok(Translation { files, declared: declared(&unit), lacks_clauses, sources })
}

/// Declarations that make definitions of functions that are only `inline` definitions to call: calls of others would go
/// nowhere, where the compiler does not expand them.
fn called(unit: &Unit) -> String {
    let functions = unit.funcs.values().filter(|f| f.inline && f.body.is_some());
    functions.map(|f| format!("extern __typeof__({0}) {0};", f.name)).collect::<Vec<_>>().join(" ")
}

/// Declarations of functions that the program uses undeclared and whose types their names tell: a compiler would take them
/// for functions of `int`.
fn undeclared(unit: &Unit) -> String {
    let declaration = |f: &crate::hir::Func| {
        let ty = unit.types.function(f.ty).filter(|ty| ty.prototyped && !ty.variadic)?;
        let params: Vec<String> = ty.params.iter().map(|param| named(unit, *param)).collect::<Option<_>>()?;
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        Some(format!("{} {}({params});", named(unit, ty.ret)?, f.name))
    };
    let mut all: Vec<String> = unit.funcs.values().filter(|f| f.implicit).filter_map(declaration).collect();
    all.sort();
    all.dedup();
    all.join(" ")
}

/// Functions without body that are the user's: declared in a file of theirs.
fn declared(unit: &Unit) -> Vec<Declared> {
    let is_users = |span: Span| unit.sources.file(span.file).is_some_and(|file| !file.name.starts_with('<'));
    let functions =
        unit.funcs.iter().filter(|(_, f)| f.body.is_none() && !f.internal && (f.implicit || is_users(f.span)));
    let given = first_arguments(unit);
    let mut out: Vec<Declared> = functions
        .filter_map(|(id, f)| {
            let ty = unit.types.function(f.ty)?;
            let first = match ty.params.first() {
                Some(first) => named(unit, *first),
                None => given.get(&id).cloned().flatten(),
            };
            Some(Declared { name: f.name.clone(), result: named(unit, ty.ret), first, noreturn: f.noreturn })
        })
        .collect();
    out.sort_by(|a, b| a.name.cmp(&b.name));
    out.dedup_by(|a, b| a.name == b.name);
    out
}

/// The type of the first argument that functions are called with; `None` where calls differ in it.
fn first_arguments(unit: &Unit) -> BTreeMap<FuncId, Option<String>> {
    let mut found: BTreeMap<FuncId, Option<String>> = BTreeMap::new();
    for body in unit.funcs.values().filter_map(|f| f.body.as_ref()) {
        walk_stmt(body, &mut |e| {
            let ExprKind::Call { callee, args } = &e.kind else { return };
            let (ExprKind::FuncDecay(function), Some(first)) = (&callee.kind, args.first()) else { return };
            let ExprKind::Func(id) = function.kind else { return };
            let ty = named(unit, first.ty);
            let known = found.entry(id).or_insert_with(|| ty.clone());
            if *known != ty {
                *known = None;
            }
        });
    }
    found
}

/// A type in words of the language alone.
fn named(unit: &Unit, ty: Ty) -> Option<String> {
    let types = &unit.types;
    match &types[ty] {
        Type::Void => Some("void".into()),
        Type::Bool => Some("_Bool".into()),
        Type::Pointer(_) => Some("void *".into()),
        _ if types.is_integer(ty) => types.int_kind_of(ty).map(|kind| kind.name().to_owned()),
        _ if types.is_float(ty) && !types.is_complex(ty) => {
            types.float_kind_of(ty).map(|kind: FloatKind| kind.name().to_owned())
        }
        _ => None,
    }
}

/// The tokens as text, a line for each place.
fn write(stream: &TokenStream, edits: &edit::Edits) -> Written {
    let mut out = Written { text: edits.start.replace('\n', " ").into_bytes(), places: vec![Span::nowhere()] };
    for (name, target) in &stream.weak {
        let target = target.as_ref().map_or(String::new(), |target| format!(" = {target}"));
        out.line(Span::nowhere(), format!("#pragma weak {name}{target}").as_bytes());
    }
    if !stream.weak.is_empty() {
        out.line(Span::nowhere(), b"");
    }
    let mut packs = stream.packs.iter().peekable();
    for (index, token) in stream.tokens.iter().enumerate() {
        while let Some((_, limit)) = packs.next_if(|(at, _)| *at <= index) {
            let limit = if *limit == 0 { String::new() } else { limit.to_string() };
            out.line(Span::nowhere(), format!("#pragma pack({limit})").as_bytes());
            out.line(Span::nowhere(), b"");
        }
        if token.tok == Tok::Eof {
            break;
        }
        let place = |span: &Span| (span.file, span.line, span.col);
        if out.places.last().map(place) != Some(place(&token.span)) {
            out.line(token.span, b"");
        }
        match edits.instead.get(&index) {
            Some(text) => out.text.extend_from_slice(text.as_bytes()),
            None => out.text.extend_from_slice(stream.bytes(token)),
        }
        out.text.push(b' ');
        if let Some(text) = edits.behind.get(&index) {
            out.text.extend_from_slice(text.as_bytes());
        }
    }
    if !edits.end.is_empty() {
        out.line(Span::nowhere(), edits.end.as_bytes());
    }
    out.text.push(b'\n');
    out
}

impl Written {
    fn line(&mut self, place: Span, text: &[u8]) {
        self.text.push(b'\n');
        self.text.extend_from_slice(text);
        self.places.push(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::DataModel;

    fn written(text: &str) -> Translation {
        let input = Input::Text { name: "a.c".into(), text: text.into() };
        let functions = ["reach_error".to_owned()];
        let hooks = Hooks { functions: &functions, entry: "HOOK; ", ..Hooks::NONE };
        translation(&[input], &Options::new(DataModel::Lp64), &hooks).unwrap()
    }

    fn words(translation: &Translation) -> String {
        let text = String::from_utf8(translation.files[0].text.clone()).unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn inline_functions_can_be_called() {
        let text = words(&written("inline int f(void) { return 1; } static inline int g(void) { return 2; }"));
        assert!(text.ends_with("extern __typeof__(f) f;"), "{text}");
    }

    #[test]
    fn lines_name_places() {
        let translation = written("#define TWO(x) (x) + (x)\nint f(int a) {\n  return TWO(a * 3);\n}\n");
        let file = &translation.files[0];
        let text = String::from_utf8(file.text.clone()).unwrap();
        for (line, place) in text.lines().zip(&file.places) {
            // What macros make stands at their use.
            let expected = match line.trim() {
                "return" => Some((3, 3)),
                "( " | "(" => None,
                "*" => Some((3, 16)),
                _ => None,
            };
            assert!(expected.is_none_or(|expected| expected == (place.line, place.col)), "{line}: {place:?}");
        }
        assert_eq!(words(&translation), "int f ( int a ) { return ( a * 3 ) + ( a * 3 ) ; }");
    }

    #[test]
    fn bodies_get_their_hooks() {
        let cases = [
            (
                "void reach_error(void); void reach_error(void) {} ",
                "void reach_error ( void ) ; void __attribute__((noinline)) reach_error ( void ) { HOOK; }",
            ),
            (
                "static void __attribute__((noreturn)) reach_error() __attribute__((used)); int g() { return 1; } static void reach_error() { for (;;) {} }",
                "{ return 1 ; } static void __attribute__((noinline)) reach_error ( ) { HOOK; for ( ; ; ) { } }",
            ),
            ("void reach_error(x) int x; { x = 1; }", "int x ; { HOOK; x = 1 ; }"),
            ("void (reach_error)(void) { }", "void ( __attribute__((noinline)) reach_error ) ( void ) { HOOK; }"),
            (
                "void reach_error(void) { } int main(void) { reach_error(); { } return 0; }",
                "main ( void ) { reach_error ( ) ; { } return 0 ; }",
            ),
        ];
        for (text, expected) in cases {
            let found = words(&written(text));
            assert!(found.ends_with(expected), "{found}");
        }
    }

    #[test]
    fn packing_stays() {
        let translation = written("#pragma pack(push, 1)\nstruct s { char c; int i; };\n#pragma pack(pop)\nint x;\n");
        let text = String::from_utf8(translation.files[0].text.clone()).unwrap();
        assert!(text.contains("\n#pragma pack(1)\n") && text.contains("\n#pragma pack()\n"), "{text}");
    }

    /// Nothing that a compiler would not read is left.
    #[test]
    fn quantifiers_are_loops() {
        let body = |condition: &str| {
            let text = format!("void f(int n, int *a) {{ __CPROVER_assume({condition}); }}");
            let words = words(&written(&text));
            words.split_once("assume (").map(|(_, rest)| rest.replace(' ', "")).unwrap()
        };
        let bounded = body("__CPROVER_forall { int i; (i >= 0 && i < n) ==> a[i] == 0 ==> n > 1 }");
        assert!(
            bounded.contains("inti;for(i=0;!(1)||(1&&(i<n));i++){if(!(!((i>=0&&i<n))||(!(a[i]==0)||(n>1))))"),
            "{bounded}"
        );
        assert!(!bounded.contains("==>") && !bounded.contains("__CPROVER_forall"), "{bounded}");
        let some = body("__CPROVER_exists { unsigned i; i <= 9 && a[i] == n }");
        assert!(some.contains("(i<=9));i++){if((i<=9&&a[i]==n))"), "{some}");
        // `0u` excludes no negative number, `i * 2` is not the variable, and a bound in a disjunction is none.
        for unbounded in ["i >= 0u && i * 2 < n ==> a[i]", "i < n || n < i ==> a[i]", "i == 1 < n ==> a[i]"] {
            let text = body(&format!("__CPROVER_forall {{ int i; {unbounded} }}"));
            assert!(text.contains("(__typeof__(i))-1>0?0:-") && text.contains("||(1);i++"), "{text}");
        }
        // An upper bound of numbers that may be negative does not say where to end.
        let text = body("__CPROVER_forall { int i; i < 9u ==> a[i] }");
        assert!(text.contains("!((__typeof__(i))-1>0)||(1&&(i<9u))"), "{text}");
    }

    #[test]
    fn prototypes_that_differ_in_qualifiers_are_one() {
        let text = "int f(void *); int f(const void *const a); int g(int); int g(int); long h(); long h(int);";
        assert_eq!(
            words(&written(text)),
            "int f ( void * ) ; int g ( int ) ; int g ( int ) ; long h ( ) ; long h ( int ) ;"
        );
    }

    #[test]
    fn what_is_declared() {
        let text = "#include <stdio.h>\nunsigned long f(char *, int); void g(); double *h(void); struct s { int i; } k(void); int main(void) { unknown(); return 0; }";
        let declared = written(text).declared;
        let shown: Vec<(&str, Option<&str>)> =
            declared.iter().map(|d| (d.name.as_str(), d.result.as_deref())).collect();
        let expected = [
            ("f", Some("unsigned long")),
            ("g", Some("void")),
            ("h", Some("void *")),
            ("k", None),
            ("unknown", Some("int")),
        ];
        assert_eq!(shown, expected);
        assert_eq!(declared[0].first.as_deref(), Some("void *"));
    }

    #[test]
    fn failures_are_told() {
        let input = Input::Text { name: "a.c".into(), text: "int f( {".into() };
        assert!(translation(&[input], &Options::new(DataModel::Lp64), &Hooks::NONE).is_err());
    }
}
