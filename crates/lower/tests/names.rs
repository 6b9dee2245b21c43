//! The table of the library's names agrees with what the library has, and with the bundled headers.

use crate::common::lowered;
use cfa::{LocKind, Op, Origin};
use lower::library;
use lower::names::{self, Kind};
use std::collections::BTreeSet;
use std::path::Path;

/// The text of the models that a name brings with it.
fn text_of(name: &str) -> String {
    library::pick(&[name], &BTreeSet::new(), lower::Files::Inputs).into_iter().map(|model| model.text).collect()
}

#[test]
fn kinds_are_what_the_models_do() {
    for (name, kind) in names::all() {
        let text = text_of(name);
        let asks = text.contains("__VERIFIER_nondet_") || text.contains("__foldback_havoc(");
        let leaves_open = ["__foldback_unknown_", "__foldback_havoc_unknown", "__foldback_open("];
        let leaves_open = leaves_open.iter().any(|intrinsic| text.contains(intrinsic));
        match kind {
            Kind::Exact => assert!(library::is_model(name) && !asks && !leaves_open, "{name} is not exact"),
            Kind::Open => assert!(library::is_model(name) && !asks && leaves_open, "{name} is not open"),
            Kind::Input | Kind::Environment => assert!(library::is_model(name) && asks, "{name} asks for nothing"),
            Kind::Variable => assert!(library::is_model(name), "no definition of {name}"),
            Kind::Lowered | Kind::Any(_) | Kind::Unsupported => {
                assert!(!library::is_model(name), "{name} has a body and is called {kind:?}");
            }
            Kind::Macro => panic!("{name} is no function"),
        }
        if *kind == Kind::Input {
            let body = text.split(&format!(" {name}(")).last().expect("a body");
            // Another name's body stands on one line.
            let line = body.lines().next().filter(|line| line.trim_end().ends_with('}'));
            let body = line.unwrap_or_else(|| &body[..body.find("\n}").expect("an end")]);
            assert_eq!(body.matches("__VERIFIER_nondet_").count(), 1, "{name} does not take one input: {body}");
        }
    }
}

#[test]
fn every_model_is_in_the_table() {
    // Helpers that the lowering calls are nobody's names.
    for name in library::public_names().filter(|name| !name.starts_with("__foldback_")) {
        assert!(names::kind(name).is_some(), "{name} is not in the table");
    }
}

#[test]
fn every_name_of_a_bundled_header_is_in_the_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cfront/include");
    let mut headers = Vec::new();
    for sub in ["", "arpa/", "netinet/", "sys/"] {
        for entry in std::fs::read_dir(folder.join(sub)).expect("the headers") {
            let name = entry.expect("an entry").file_name().into_string().expect("a plain name");
            if name.ends_with(".h") && name != "predefined.h" {
                headers.push(format!("{sub}{name}"));
            }
        }
    }
    headers.sort();
    assert!(headers.len() > 60, "{headers:?}");
    for header in headers {
        let text = format!("#include <{header}>\nint main(void) {{ return 0; }}\n");
        let unit = cfront::load_text(&text, &cfront::Options::new(cfront::types::DataModel::Lp64));
        let unit = unit.unwrap_or_else(|failure| panic!("{header}: {}", failure.render()));
        let functions = unit.funcs.values().map(|f| &f.name).filter(|name| *name != "main");
        let variables = unit.vars.values().filter(|v| v.func.is_none() && !v.name.is_empty()).map(|v| &v.name);
        for name in functions.chain(variables) {
            assert!(names::kind(name).is_some(), "{header} declares {name}, which is not in the table");
        }
    }
}

#[test]
fn what_has_no_model_is_unsupported() {
    for (name, kind) in names::all() {
        // Names that are macros or keywords to the front end cannot be declared like this.
        if *kind != Kind::Unsupported || name.starts_with('_') {
            continue;
        }
        let program = lowered(&format!("extern int {name}(); int main(void) {{ return {name}(); }}"));
        let mut kinds = program.functions.values().flat_map(|f| f.locs.values()).map(|location| &location.kind);
        assert!(kinds.any(|kind| matches!(kind, LocKind::Unsupported(_))), "{name} is supported");
        for edge in program.functions.values().flat_map(|f| f.edges.values()) {
            if let Op::Havoc { origin: Origin::Extern(from) | Origin::Input(from), .. } = &edge.op {
                assert_ne!(from, name, "{name} is an input");
            }
        }
    }
}

#[test]
fn variables_of_the_library_are_no_inputs() {
    let unsupported = |text: &str| {
        let input = cfront::Input::Text { name: "input.c".to_owned(), text: text.to_owned() };
        let options = cfront::Options::new(cfront::types::DataModel::Lp64);
        let unit = library::load(&[input], &options, "main").unwrap_or_else(|f| panic!("{}", f.render()));
        let program = lower::lower(&unit, &lower::Options::default()).unwrap();
        program.functions.values().flat_map(|f| f.locs.values()).any(|l| matches!(l.kind, LocKind::Unsupported(_)))
    };
    assert!(unsupported("extern char **environ; int main(void) { return environ != 0; }"));
    assert!(unsupported("extern int daylight; int main(void) { return daylight; }"));
    assert!(!unsupported("extern char *optarg; int main(void) { return optarg != 0; }"));
    assert!(!unsupported("extern int mine; int main(void) { return mine; }"));
    assert!(!unsupported("int daylight; int main(void) { return daylight; }"));
}

#[test]
fn contracts_read_as_they_are_written() {
    let Some(Kind::Any(stat)) = names::kind("stat") else { panic!("stat has a contract") };
    assert_eq!((stat.strings.as_slice(), stat.writes.as_slice()), (&[0][..], &[1][..]));
    assert_eq!(stat.results.len(), 2);
    assert!(stat.results[0].fails && stat.results[0].least == Some(-1) && stat.results[0].most == Some(-1));
    assert!(!stat.results[1].fails && stat.results[1].least == Some(0) && stat.results[1].most == Some(0));
}

#[test]
fn a_macro_that_no_header_defines_is_no_function_that_may_do_anything() {
    let is_named = |text: &str| {
        let program = lowered(text);
        let mut locs = program.functions.values().flat_map(|f| f.locs.values());
        locs.any(|l| matches!(&l.kind, LocKind::Unsupported(why) if why.to_string().contains("timeradd, a macro")))
    };
    assert!(is_named("int main(void) { return timeradd(1, 2); }"));
    assert!(!is_named("int timeradd(int, int); int main(void) { return timeradd(1, 2); }"));
}
