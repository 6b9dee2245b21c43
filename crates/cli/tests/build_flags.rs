//! Flags of compilers on our command line, response files, compile databases.

use crate::common::{Scratch, foldback, stderr, stdout};

/// What `verify` says of `assert`, its exit code too.
fn verify(words: &[&str]) -> (String, Option<i32>) {
    let output = foldback(["verify", "-p", "assert", "--time-limit", "20s"].iter().chain(words));
    (stdout(&output) + &stderr(&output), output.status.code())
}

fn holds(words: &[&str]) {
    let (said, _) = verify(words);
    assert!(said.contains("RESULT: true"), "{words:?}: {said}");
}

/// A program that asserts `condition`.
fn asserting(scratch: &Scratch, condition: &str) -> String {
    let text = format!("int main() {{ __CPROVER_assert({condition}, \"flags\"); }}");
    scratch.file("program.c", text).to_str().expect("UTF-8").to_owned()
}

#[test]
fn flags_that_say_how_files_are_read() {
    let scratch = Scratch::new("build-flags");
    for dir in ["first", "system"] {
        std::fs::create_dir_all(scratch.path(dir)).expect("a directory");
        scratch.file(&format!("{dir}/which.h"), format!("#define WHICH {}\n", dir.len()));
    }
    scratch.file("system/only.h", "#define ONLY 9\n");
    let forced = scratch.file("forced.h", "#ifdef N\nenum { FORCED = N };\n#endif\n");
    let (first, system) = (scratch.path("first"), scratch.path("system"));
    let [first, system, forced] = [&first, &system, &forced].map(|path| path.to_str().expect("UTF-8").to_owned());
    let program = scratch.file(
        "headers.c",
        "#include <which.h>\n#include \"only.h\"\nint main() { __CPROVER_assert(WHICH == 5 && ONLY == 9 && FORCED == 3, \"read\"); }",
    );
    let program = program.to_str().expect("UTF-8").to_owned();
    holds(&["-isystem", &system, &format!("-I{first}"), "-DN=4", "-UN", "-D", "N=3", "-include", &forced, &program]);
    let file = asserting(&scratch, "sizeof(long) == 4 && sizeof(void *) == 4");
    holds(&["-m32", &file]);
    let file = asserting(&scratch, "sizeof(long) == 8");
    holds(&["-m64", &file]);
    let program = "#if __STDC_VERSION__ == 199901L && defined(__STRICT_ANSI__) && !defined(__linux__)\nint main() { return 0; }\n#endif\n";
    let file = scratch.file("standard.c", program).to_str().expect("UTF-8").to_owned();
    holds(&["-std=c99", "-U__linux__", &file]);
    let program = "#if !defined(__STDC_VERSION__) && defined(__STRICT_ANSI__)\n#include <stdio.h>\nint main() { return 0; }\n#endif\n";
    let file = scratch.file("standard.c", program).to_str().expect("UTF-8").to_owned();
    holds(&["-ansi", &file]);
}

#[test]
fn flags_without_meaning_are_named_once() {
    let scratch = Scratch::new("ignored-flags");
    let file = asserting(&scratch, "1");
    let (said, code) = verify(&["-Wall", "-O2", "-fPIC", "-g", "-pedantic", "-Wall", "-c", &file]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(said.matches("-Wall").count(), 1, "{said}");
    assert!(said.contains("note: compiler flags that mean nothing here: -Wall -fPIC -g -pedantic -c"), "{said}");
}

#[test]
fn what_is_not_c_is_refused_by_name() {
    let scratch = Scratch::new("refused-flags");
    let file = asserting(&scratch, "1");
    let cpp = scratch.file("x.cpp", "int main() {}").to_str().expect("UTF-8").to_owned();
    let asm = scratch.file("x.S", "nop\n").to_str().expect("UTF-8").to_owned();
    for (words, part) in [
        (vec![cpp.as_str()], "C++"),
        (vec![asm.as_str()], "assembler"),
        (vec!["-std=c++17", &file], "C++"),
        (vec!["-x", "c++", &file], "c++"),
        (vec!["-funsigned-char", &file], "-funsigned-char"),
        (vec!["-std=c7", &file], "-std=c7"),
        (vec![&file, "-D"], "-D needs a value"),
        (vec!["@/nowhere/at/all"], "/nowhere/at/all"),
    ] {
        let (said, code) = verify(&words);
        assert_eq!(code, Some(2), "{words:?}: {said}");
        assert!(said.contains("error: ") && said.contains(part), "{words:?}: {said}");
    }
}

#[test]
fn response_files() {
    let scratch = Scratch::new("response-files");
    let file = asserting(&scratch, "N == 3 && M == 4");
    let inner = scratch.file("inner.rsp", "-DM=4\n").to_str().expect("UTF-8").to_owned();
    let outer = scratch.file("outer.rsp", format!("-D 'N=3'\n\"@{inner}\" {file}")).to_str().expect("UTF-8").to_owned();
    holds(&[&format!("@{outer}")]);
    let itself = scratch.path("self.rsp").to_str().expect("UTF-8").to_owned();
    std::fs::write(&itself, format!("@{itself}")).expect("a file");
    let (said, code) = verify(&[&format!("@{itself}")]);
    assert_eq!(code, Some(2), "{said}");
}

#[test]
fn a_compile_database_says_how_each_file_is_read() {
    let scratch = Scratch::new("compile-commands");
    std::fs::create_dir_all(scratch.path("src/include")).expect("a directory");
    scratch.file("src/include/n.h", "#define N 3\n");
    scratch.file("src/one.c", "#include <n.h>\nint one(void) { return N + WHICH; }\n");
    scratch.file("src/two.c", "int one(void); int main() { __CPROVER_assert(one() == 4 && WHICH == 2, \"each\"); }\n");
    let directory = scratch.path("src");
    let directory = directory.to_str().expect("UTF-8");
    let database = serde_json::json!([
        {"directory": directory, "file": "one.c", "command": "gcc -Iinclude -DWHICH=1 -O2 -c one.c -o one.o"},
        {"directory": directory, "file": format!("{directory}/two.c"), "arguments": ["cc", "-DWHICH=2", "-c", "two.c"]},
    ]);
    let database = scratch.file("compile_commands.json", database.to_string());
    let database = database.to_str().expect("UTF-8");
    holds(&["--compile-commands", database, "one.c", "src/two.c"]);
    let (said, code) = verify(&["--compile-commands", database, "three.c"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("no command for 'three.c'"), "{said}");
    let (said, code) = verify(&["--compile-commands", "/nowhere.json", "one.c"]);
    assert_eq!(code, Some(2), "{said}");
}

#[test]
fn what_is_said_in_two_ways_is_told() {
    let scratch = Scratch::new("two-ways");
    let source = scratch.file("one.c", "int main() { __CPROVER_assert(WHICH == 1, \"which\"); }\n");
    let source = source.to_str().expect("UTF-8");
    let entry =
        |which: &str| serde_json::json!({"directory": "/", "file": source, "arguments": ["cc", which, "-c", source]});
    let database = scratch.file("two.json", serde_json::json!([entry("-DWHICH=1"), entry("-DWHICH=2")]).to_string());
    let (said, code) = verify(&["--compile-commands", database.to_str().expect("UTF-8"), source]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("in several ways") && said.contains("-DWHICH=1") && said.contains("-DWHICH=2"), "{said}");
    let database = scratch.file("one.json", serde_json::json!([entry("-DWHICH=1"), entry("-DWHICH=1")]).to_string());
    let (said, code) = verify(&["--compile-commands", database.to_str().expect("UTF-8"), source]);
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("in several ways"), "{said}");
    for (width, model) in [("-m32", "lp64"), ("-m64", "ilp32")] {
        let (said, code) = verify(&["-DWHICH=1", width, "--data-model", model, source]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("--data-model"), "{said}");
    }
    let (said, code) = verify(&["-DWHICH=1", "-m32", "--data-model", "ilp32", source]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn standards_read_the_same_text_in_their_ways() {
    let scratch = Scratch::new("standards");
    let program = |text: &str| scratch.file("standard.c", text).to_str().expect("UTF-8").to_owned();
    let comment = |value: i32| {
        let ends = "int main() { int a = 8, b = 2, c = a //**/ b\n;";
        program(&format!("{ends} __CPROVER_assert(c == {value}, \"comment\"); }}\n"))
    };
    holds(&["-std=c90", &comment(4)]);
    holds(&["-ansi", &comment(4)]);
    holds(&["-std=gnu90", &comment(8)]);
    holds(&["-std=c99", &comment(8)]);
    let trigraphs = |size: i32| {
        program(&format!("int main() {{ __CPROVER_assert(sizeof \"??(??/??/\" == {size}, \"trigraphs\"); }}\n"))
    };
    holds(&["-std=c11", &trigraphs(3)]);
    holds(&["-std=gnu11", &trigraphs(10)]);
    holds(&["-std=c23", &trigraphs(10)]);
    let truth = |value: i32| {
        program(&format!(
            "#if true\n#define T 1\n#else\n#define T 0\n#endif\nint main() {{ __CPROVER_assert(T == {value}, \"true\"); }}\n"
        ))
    };
    holds(&["-std=c23", &truth(1)]);
    holds(&["-std=c11", &truth(0)]);
    let text = "int main() { __CPROVER_assert(sizeof u8'a' == 1 && u8'\\xff' > 0 && _Generic(u8'a', unsigned char: 1, default: 0), \"u8\"); }\n";
    holds(&["-std=c23", &program(text)]);
}

/// Each file may call the inline definition that it has: where they differ, nobody knows which one.
#[test]
fn inline_definitions_that_differ_are_not_one() {
    let scratch = Scratch::new("inline-twice");
    let file = |name: &str, text: &str| scratch.file(name, text).to_str().expect("UTF-8").to_owned();
    let main = file(
        "main.c",
        "inline int f(void) { return 1; }\nint g(void);\nint main() { __CPROVER_assert(f() == g(), \"same\"); }\n",
    );
    let same = file("same.c", "inline int f(void) { return 1; }\nint g(void) { return f(); }\n");
    let other = file("other.c", "inline int f(void) { return 2; }\nint g(void) { return f(); }\n");
    holds(&[&main, &same]);
    for files in [[&main, &other], [&other, &main]] {
        let (said, _) = verify(&[files[0], files[1]]);
        assert!(said.contains("RESULT: unknown(") && said.contains("several inline definitions"), "{said}");
    }
}
