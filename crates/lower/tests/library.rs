//! Models are added item by item: what a program needs, and nothing else.

#[path = "../src/items.rs"]
#[allow(dead_code)] // What only the library uses.
mod items;

use items::{defined_name, split};
use lower::Files;
use lower::library::pick;
use std::collections::BTreeSet;

#[test]
fn an_item_brings_what_it_needs_and_nothing_else() {
    let models = pick(&["strdup"], &BTreeSet::new(), Files::Inputs);
    let [model] = &models[..] else { panic!("{models:?}") };
    assert_eq!(model.name, "<library>/strings.c");
    assert!(model.text.contains("strdup("), "{}", model.text);
    assert!(!model.text.contains("strtok("), "{}", model.text);
    assert!(model.text.contains("size_t"));
}

#[test]
fn the_programs_own_definitions_take_precedence() {
    let models = pick(&["ldexp"], &BTreeSet::from(["scalbn"]), Files::Inputs);
    let text = &models[0].text;
    assert!(text.contains("double ldexp("), "{text}");
    assert!(!text.contains("double scalbn(double x, int n) {"), "{text}");
}

#[test]
fn every_item_of_the_library_has_a_name() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("library");
    let files = std::fs::read_dir(folder).expect("the models").map(|entry| entry.expect("an entry").path());
    let texts: Vec<String> = files
        .filter(|file| file.extension().is_some_and(|e| e == "c"))
        .map(|file| std::fs::read_to_string(file).expect("text"))
        .collect();
    assert!(texts.len() > 20);
    for text in texts {
        for range in split(&text) {
            assert!(defined_name(&text[range.clone()]).is_some(), "{}", &text[range]);
        }
    }
}
