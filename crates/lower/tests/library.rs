//! Models are added item by item: what a program needs, and nothing else.

#[path = "../src/items.rs"]
#[allow(dead_code)] // What only the library uses.
mod items;
#[path = "../src/variants.rs"]
#[allow(dead_code)]
mod variants;

use items::{defined_name, split};
use lower::Files;
use lower::library::pick;
use std::collections::BTreeSet;
use variants::{FLOAT, for_bytes, for_wide_characters, with_aliases};

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

/// The functions that are made for the formats in a program.
fn made_for(format: &str) -> String {
    made_in(&format!(
        "int sscanf(const char *, const char *, ...);\nint main(void) {{ return sscanf(\"\", \"{format}\"); }}"
    ))
}

fn made_in(text: &str) -> String {
    let text = text.to_owned();
    let input = cfront::Input::Text { name: "test.c".to_owned(), text };
    let options = cfront::Options::new(cfront::types::DataModel::Lp64);
    let unit = cfront::load_with(&[input], &options, |_| Vec::new()).expect("it compiles");
    let models = lower::library::needed(&unit, "main", Files::Inputs);
    models.into_iter().find(|model| model.name == "<library>/formats.c").map(|model| model.text).unwrap_or_default()
}

/// What is unusual is left to the model, which reads the format when the program runs.
#[test]
fn literal_formats_have_functions() {
    for format in ["%2c", "%1$d", "%p", "%d%", "%[a", "%[]", "%*%", "%5n"] {
        assert_eq!(made_for(format), "", "{format}");
    }
    for format in ["", "x", "%%", "%5d,%*s", "%[^]-]", "%[]ab-]", "%[a-z0-9_]", "%hhx %lld%zu", "%lf%f", "%d%n"] {
        let made = made_for(format);
        assert!(made.contains("int __foldback_sscanf$"), "{format}");
        assert!(!made.contains("unsupported(\""), "{format}: {made}");
    }
    for format in ["%lc", "%ls", "%l[a]", "%[z-a]", "%[a-c-e]", "%[+--]"] {
        assert!(made_for(format).contains("  __foldback_unsupported(\""), "{format}");
    }
    let own = "int sscanf(const char *s, const char *format, ...) { return *s; } int main(void) { return sscanf(\"\", \"%d\"); }";
    assert_eq!(made_in(own), "", "the program's own function");
    let steps = "int __foldback_sscanf$25642c20252a3373(const char *s, void *target0) {
  s = __foldback_scan_blanks(s);
  if (*s == 0)
    return -1;
  s = __foldback_scan_integer(s, '\\144', 0, 0, 1, target0);
  if (s == 0)
    return 0;
  if (*s == 0)
    return 1;
  if (*s != '\\054')
    return 1;
  s++;
  s = __foldback_scan_blanks(s);
  s = __foldback_scan_blanks(s);
  if (*s == 0)
    return 1;
  s = __foldback_scan_word(s, 0, 0, 3, 0, 0);
  if (s == 0)
    return 1;
  return 1;
}
";
    let made = made_for("%d, %*3s");
    assert!(made.ends_with(steps), "{made}");
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

#[test]
fn another_name_has_the_text_of_the_first_on_one_line() {
    let text = "/* A fgetc. */\nint fgetc(void *stream) {\n  return next(\"fgetc\");\n}\n\n\
                /* Also. */\nint getc(void *stream)\n    __attribute__((alias(\"fgetc\")));\nint x;\n";
    let made = "/* A fgetc. */\nint fgetc(void *stream) {\n  return next(\"fgetc\");\n}\n\n\
                /* Also. */\nint getc(void *stream) {   return next(\"fgetc\"); }\n\nint x;\n";
    assert_eq!(with_aliases(text), made);
    let without = "int getc(void *stream) __attribute__((alias(\"nothing\")));\n";
    assert_eq!(with_aliases(without), without);
}

#[test]
fn characters_of_the_other_kind() {
    let text = "size_t strput(char *to, OTHER_CHAR c);";
    assert_eq!(for_bytes(text), "size_t strput(char *to, wchar_t c);");
    assert_eq!(for_wide_characters(text), "size_t wcsput(wchar_t *to, char c);");
}

#[test]
fn only_functions_of_the_format_get_its_letter() {
    let text = "double sin(double x);\nint one(int x) { return sin(x) > FORMAT_SMALLEST; }";
    let made = "float sinf(float x);\nint one(int x) { return sinf(x) > 0x1p-126f; }";
    assert_eq!(FLOAT.made_from(text), made);
}
