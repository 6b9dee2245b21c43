//! What must hold of the repository itself.

use crate::common::root;
use std::fs;

/// Crates with many files of tests link them once (`tests/main.rs`): a file that is not named there would never run.
#[test]
fn every_file_of_tests_is_linked() {
    let mut linked = 0;
    for folder in fs::read_dir(root().join("crates")).expect("the crates") {
        let tests = folder.expect("a crate").path().join("tests");
        let Ok(main) = fs::read_to_string(tests.join("main.rs")) else { continue };
        for file in fs::read_dir(&tests).expect("the tests") {
            let path = file.expect("a file of tests").path();
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name in UTF-8");
            if path.extension().is_some_and(|end| end == "rs") && name != "main" {
                assert!(
                    main.lines().any(|line| line == format!("mod {name};")),
                    "{} is not in main.rs",
                    path.display()
                );
                linked += 1;
            }
        }
    }
    assert!(linked > 80, "only {linked} files of tests were found");
}
