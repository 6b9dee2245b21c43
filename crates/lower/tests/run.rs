//! Programs that print, executed by the interpreter under both data models: the output must be that of gcc, which is kept
//! beside each program. `BLESS=1 cargo test -p lower run::` asks gcc for it anew.

use std::path::{Path, PathBuf};
use std::process::Command;

use cfront::Input;
use cfront::types::DataModel;
use interpreter::{Ending, Limits, Machine, Random};

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    files.sort();
    files
}

fn models(file: &Path) -> &'static [(DataModel, &'static str)] {
    let text = std::fs::read_to_string(file).unwrap();
    let both = &[(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")];
    if text.starts_with("// lp64") { &both[..1] } else { both }
}

/// What gcc makes of it, with floats of the precision of their type.
fn bless(file: &Path) {
    for (_, flag) in models(file) {
        let out = std::env::temp_dir().join("foldback-lower-bless");
        let args = ["-w", "-O0", "-msse2", "-mfpmath=sse", flag, "-o"];
        let status = Command::new("gcc").args(args).arg(&out).arg(file).status().unwrap();
        assert!(status.success(), "{}", file.display());
        let output = Command::new(&out).output().unwrap().stdout;
        std::fs::write(file.with_extension("out"), output).unwrap();
    }
}

fn run(file: &Path, model: DataModel) -> String {
    // Checks that hold change nothing.
    let options = lower::Options {
        main_arguments: lower::MainArguments::None,
        places: lower::Places::Fixed,
        properties: vec![cfa::Property::ValidDeref, cfa::Property::ValidFree, cfa::Property::UnreachCall],
        ..lower::Options::default()
    };
    let unit = lower::library::load(&[Input::Path(file.to_owned())], &cfront::Options::new(model), "main")
        .unwrap_or_else(|f| panic!("{}", f.render()));
    let program = lower::lower(&unit, &options).unwrap();
    cfa::assert_sound(&program, cfa::Form::Function);
    let machine = Machine::new(&program).unwrap();
    let mut out = Vec::new();
    let outcome = machine.run_with(&mut Random::new(7), &Limits::default(), &mut out, None);
    assert!(matches!(outcome.ending, Ending::End(_)), "{}: {:?}", file.display(), outcome.ending);
    assert!(outcome.undefined.is_empty(), "{}: {:?}", file.display(), outcome.undefined);
    String::from_utf8(out).unwrap()
}

#[test]
fn programs_print_what_gcc_makes_them_print() {
    for file in programs() {
        if std::env::var_os("BLESS").is_some() {
            bless(&file);
        }
        let expected = std::fs::read_to_string(file.with_extension("out")).unwrap();
        for (model, _) in models(&file) {
            assert_eq!(run(&file, *model), expected, "{} {model}", file.display());
        }
    }
}
