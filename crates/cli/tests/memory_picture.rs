//! Memory where an error happens: in words, and drawn.

use crate::common::{Scratch, foldback, stderr, stdout};
use serde_json::Value;

/// What is printed, the page and the JSON file.
fn told(name: &str, program: &str) -> (String, String, Value) {
    let scratch = Scratch::new(&format!("memory-picture-{name}"));
    let file = scratch.file("program.c", program);
    let path = |name: &str| scratch.path(name).to_string_lossy().into_owned();
    let flags = ["--property", "memsafety", "--replay", "interpreter", "--time-limit", "20s"];
    let files = ["--html", &path("page.html"), "--json", &path("result.json"), &*file.to_string_lossy()];
    let output = foldback(["verify"].into_iter().chain(flags).chain(files));
    assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
    let folder = file.parent().expect("a folder").to_string_lossy().into_owned() + "/";
    let page = std::fs::read_to_string(path("page.html")).expect("a page");
    let json = std::fs::read_to_string(path("result.json")).expect("a result");
    (stdout(&output).replace(&folder, ""), page, serde_json::from_str(&json).expect("JSON"))
}

const LIST: &str = "#include <stdlib.h>
struct node { int key; struct node *next; };
int main(void) {
  struct node *head = NULL;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->key = i;
    n->next = head;
    head = n;
  }
  struct node *second = head->next;
  free(second);
  int sum = 0;
  for (struct node *p = head; p; p = p->next)
    sum += p->key;
  return sum;
}
";

#[test]
fn a_list_with_a_hole() {
    let (text, page, json) = told("list", LIST);
    // `n` is out of scope, and what was freed is told as it was then.
    let words = "memory then:
  second -> block 2, head -> block 3, p -> block 2
  block 1 (16 bytes, allocated at program.c:6): key = 0, next = NULL
  block 2 (16 bytes, allocated at program.c:6, freed at program.c:12): key = 1, next -> block 1
  block 3 (16 bytes, allocated at program.c:6): key = 2, next -> block 2
";
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.iter_mut().for_each(|line| {
            let mut parts: Vec<&str> = line.trim().split(", ").collect();
            parts.sort_unstable();
            *line = parts.join(", ");
        });
        lines
    };
    let from = text.find("memory then:").unwrap_or_else(|| panic!("{text}"));
    let shown: String = text[from..].lines().take(5).map(|line| format!("{line}\n")).collect();
    assert_eq!(sorted(&shown), sorted(words), "{text}");

    let memory = &json["result"]["counterexample"]["violation"]["memory"];
    let wrong: Vec<&Value> = memory["objects"].as_array().expect("objects").iter().map(|o| &o["is_wrong"]).collect();
    assert_eq!(wrong, [&Value::Bool(false), &Value::Bool(true), &Value::Bool(false)], "{memory}");

    let picture = page.split("<div class=\"picture memory\"").nth(1).and_then(|rest| rest.split("</svg>").next());
    let picture = picture.unwrap_or_else(|| panic!("{page}"));
    assert_eq!(picture.matches("<rect class=\"wrong gone\"").count(), 1, "{picture}");
    assert_eq!(picture.matches("<rect class=\"live\"").count(), 2, "{picture}");
    // Two from object to object, and variables at two of them.
    assert_eq!(picture.matches("class=\"arrow\"").count(), 4, "{picture}");
}

/// Callers' variables are named with their functions, and texts are texts.
#[test]
fn frames_and_texts() {
    let program = "#include <stdlib.h>
#include <string.h>
struct item { char name[8]; struct item *next; };
static int last(struct item *at) { return at->next->next->name[0]; }
int main(void) {
  struct item *list = malloc(sizeof *list);
  list->next = malloc(sizeof *list);
  memcpy(list->name, \"first\", 6);
  list->next->next = NULL;
  return last(list);
}
";
    let (text, ..) = told("frames", program);
    for part in [
        "list in main -> block 1",
        "at -> block 1",
        "block 1 (16 bytes, allocated at program.c:6): name = \"first\", next -> block 2",
        "block 2 (16 bytes, allocated at program.c:7)",
    ] {
        assert!(text.contains(part), "no {part:?}:\n{text}");
    }
}

/// What the message says already is not said again: no list of a single block.
#[test]
fn little_is_not_told_twice() {
    let program = "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  free(p);\n  return *p;\n}\n";
    let (text, page, _) = told("single", program);
    assert!(!text.contains("memory then"), "{text}");
    assert!(page.contains("<div class=\"picture memory\""), "{page}");
}
