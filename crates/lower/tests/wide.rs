//! Pointers that have more bits than in C (`cfa::Machine::wide`): whatever a program does with them, it is lowered to an automaton of
//! the right sorts, in which what has no meaning then is unsupported.

use cfa::{DataModel, LocKind, Program, Property};
use cfront::Input;
use lower::Files;
use std::path::{Path, PathBuf};

fn lowered(file: PathBuf) -> Option<Program> {
    let shown = file.display().to_string();
    let options = cfront::Options::new(cfront::types::DataModel::Ilp32);
    let unit = lower::library::load_with_files(&[Input::Path(file)], &options, "main", Files::Inputs).ok()?;
    let properties = vec![Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack];
    let settings = lower::Options { room: lower::largest(DataModel::Ilp32), properties, ..lower::Options::default() };
    let program = cfront::with_big_stack(|| lower::lower(&unit, &settings)).ok()?;
    assert!(program.machine.is_wide());
    let wrong = cfa::verify(&program, cfa::Form::Function);
    assert!(wrong.is_empty(), "{shown}: {wrong:?}");
    Some(program)
}

fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|end| end == "c" || end == "i") {
            found.push(path);
        }
    }
}

#[test]
fn whatever_is_done_with_them() {
    let mut files = Vec::new();
    programs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c"), &mut files);
    files.sort();
    let count = files.into_iter().filter_map(lowered).count();
    assert!(count > 40, "{count}");
}

#[test]
fn they_are_no_part_of_memory() {
    let folder = std::env::temp_dir().join(format!("foldback-wide-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let is_refused = |body: &str| {
        let file = folder.join("program.c");
        std::fs::write(&file, format!("#include <stdlib.h>\n#include <string.h>\nint main(void) {{ {body} }}\n"))
            .expect("a file");
        let program = lowered(file).expect("a program");
        let wide = |location: &cfa::Location| lower::is_too_wide(&location.kind);
        let found = program.functions.values().any(|function| function.locs.values().any(wide));
        let unsupported = |location: &cfa::Location| matches!(location.kind, LocKind::Unsupported(_));
        assert_eq!(found, program.functions.values().any(|f| f.locs.values().any(unsupported)), "{body}");
        found
    };
    for body in [
        "char *p = malloc(5); char **q = &p; **q = 1; return 0;",
        "struct node { struct node *next; } *n = malloc(sizeof *n); n->next = 0; return 0;",
        "char *p = malloc(5); return (int)(long)p;",
        "return *(char *)(long)4096;",
        "char *a[3]; a[1] = 0; return 0;",
        "union { char *p; int i; } u; u.i = 3; return u.p == 0;",
    ] {
        assert!(is_refused(body), "{body}");
    }
    for body in [
        "char *p = malloc(5), *q = p + 1; if (p) *q = 1; return q - p;",
        "int n = 7; int a[n]; int *p = a + 3; return p > a && p != 0;",
        "char *p = calloc(3, 4); if (p) memset(p, 1, 12); free(p); return 0;",
        "unsigned i = -1; char a[4], *p = a + 2; p += i; return *p != p[sizeof p - 4];",
    ] {
        assert!(!is_refused(body), "{body}");
    }
    std::fs::remove_dir_all(&folder).expect("a folder");
}
