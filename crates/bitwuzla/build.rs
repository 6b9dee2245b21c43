//! Compiles Bitwuzla and the SAT solver CaDiCaL from the sources that crates `bitwuzla-sys` and `cadical` ship.
//!
//! Those crates' own builds want an installed library, download one, or compile file by file; here only their files are
//! used. Their directories are asked from Cargo, with a throw-away manifest that names just these two crates: metadata of
//! the whole workspace would fail offline whenever some unrelated dev-dependency was never fetched.
//!
//! **Few large units.** Most of the time of a C++ file goes into the headers that it shares with its neighbours, so the
//! files of one folder are compiled as one: a third of the processor time, and calls between them can be inlined.
//!
//! The library is kept beside the profiles in the target directory and serves them all: it is the same for debug and
//! release, and Cargo would otherwise compile it again (minutes) for Clippy, which runs build scripts of its own. Lints and
//! docs in a target directory of their own link nothing: with `FOLDBACK_LINKS_NOTHING` set it is not compiled at all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const BITWUZLA_CRATE: &str = "bitwuzla-sys";
const BITWUZLA_VERSION: &str = "0.8.0";
const CADICAL_CRATE: &str = "cadical";
const CADICAL_VERSION: &str = "0.1.16";

/// Set where only lints or docs are made.
const LINKS_NOTHING: &str = "FOLDBACK_LINKS_NOTHING";

/// Name of the compiled archive; to be changed when what goes into it changes, since finished archives are reused.
const LIBRARY: &str = "foldback_bitwuzla_2";

/// BZLA_USE_FPEXP admits float formats beyond the four of IEEE 754: long double of x86 is (15, 64). NTRACING changes the
/// layout of CaDiCaL's solver class and must be the same for both.
const DEFINES: [&str; 4] = ["NDEBUG", "HAVE_RUSAGE", "NTRACING", "BZLA_USE_FPEXP"];
const CADICAL_DEFINES: [&str; 5] = ["NDEBUG", "NBUILD", "NUNLOCKED", "NTRACING", "QUIET"];

/// Sources that belong to other programs, readers of files (but for what the printer needs of them), or SAT solvers we do
/// not have, and the one we change.
const LEFT_OUT: [&str; 10] = [
    "src/main",
    "src/parser/btor2",
    "src/parser/smt2/parser.cpp",
    "src/parser/smt2/symbol_table.cpp",
    "src/api/python",
    "src/api/c/parser.cpp",
    "src/api/cpp/parser.cpp",
    "src/sat/cryptominisat.cpp",
    "src/sat/kissat.cpp",
    LOGGER,
];
const LOGGER: &str = "src/util/logger.cpp";

/// Files that include a header without a guard, which another file of their folder includes too.
const ALONE: [&str; 2] = ["src/lib/ls/ls_bv.cpp", "src/solver/fp/symfpu_nm.cpp"];

/// Two programs and what `src/ccadical.cpp` of the crate includes itself.
const CADICAL_LEFT_OUT: [&str; 3] = ["cadical.cpp", "mobical.cpp", "ccadical.cpp"];
/// CaDiCaL has all its files in one folder: cut into this many units, for as many cores.
const CADICAL_UNITS: usize = 4;

/// A header each, and the Debian package that brings it.
const SYSTEM_HEADERS: [(&str, &str); 3] =
    [("gmp.h", "libgmp-dev"), ("gmpxx.h", "libgmp-dev"), ("symfpu/core/unpackedFloat.h", "libsymfpu-dev")];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/guard.cpp");
    println!("cargo:rerun-if-env-changed={LINKS_NOTHING}");

    let out = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR"));
    let (bitwuzla_crate, cadical_crate) = crate_directories(&out);
    write_declarations(&bitwuzla_crate, &out);
    if env::var_os(LINKS_NOTHING).is_some() {
        return;
    }

    let bitwuzla = bitwuzla_crate.join("bitwuzla");
    let library = library_directory(&out);
    if !library.join(format!("lib{LIBRARY}.a")).exists() {
        compile_library(&bitwuzla, &cadical_crate, &out, &library);
    }
    println!("cargo:rustc-link-search=native={}", library.display());
    println!("cargo:rustc-link-lib=static={LIBRARY}");

    let mut guard = compiler();
    guard.file("src/guard.cpp").compile("foldback_bitwuzla_guard");
    println!("cargo:rustc-link-lib=gmp");
}

/// Where the compiled library lives, for all profiles: `target/bitwuzla-VERSION-CONFIGURATION`.
fn library_directory(out: &Path) -> PathBuf {
    // OUT_DIR is target/PROFILE/build/PACKAGE/out.
    let target = out.ancestors().nth(4).unwrap_or(out);
    let triple = env::var("TARGET").expect("Cargo sets TARGET");
    target.join(format!("bitwuzla-{BITWUZLA_VERSION}-{triple}-{}", DEFINES.join("-").to_lowercase()))
}

/// How everything is compiled, whatever the profile.
fn compiler() -> cc::Build {
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").opt_level(2).debug(false).warnings(false);
    build
}

fn add_includes(build: &mut cc::Build, bitwuzla: &Path, cadical_crate: &Path, out: &Path) {
    let generated = out.join("include");
    write_config_header(bitwuzla, &generated, build);
    build.include(&generated);
    for include in ["src", "include", "src/lib"] {
        build.include(bitwuzla.join(include));
    }
    build.include(cadical_crate.join("cadical/src"));
}

/// Compiles aside and moves the result into place, so that an interrupted build leaves nothing half done.
fn compile_library(bitwuzla: &Path, cadical_crate: &Path, out: &Path, library: &Path) {
    let aside = out.join("library");
    fs::create_dir_all(&aside).expect("create the library directory");

    let mut build = compiler();
    require_system_headers(&build, out);
    for define in DEFINES {
        build.define(define, None);
    }
    add_includes(&mut build, bitwuzla, cadical_crate, out);
    build.files(bitwuzla_units(bitwuzla, out)).file(quiet_logger(bitwuzla, out));
    let mut objects = build.out_dir(&aside).cargo_metadata(false).compile_intermediates();

    // Its inner loops are most of all solving: the last percent is worth the seconds here.
    let mut build = compiler();
    build.opt_level(3).include(cadical_crate.join("cadical/src"));
    for define in CADICAL_DEFINES {
        build.define(define, None);
    }
    build.define("VERSION", format!("\"{}\"", read(&cadical_crate.join("cadical/VERSION")).trim()).as_str());
    build.files(cadical_units(cadical_crate, out));
    objects.extend(build.out_dir(&aside).cargo_metadata(false).compile_intermediates());

    cc::Build::new().cpp(true).objects(objects).out_dir(&aside).cargo_metadata(false).compile(LIBRARY);
    fs::create_dir_all(library).expect("create the shared library directory");
    let archive = format!("lib{LIBRARY}.a");
    fs::rename(aside.join(&archive), library.join(&archive)).expect("move the library into place");
}

/// The directories of the two source crates.
fn crate_directories(out: &Path) -> (PathBuf, PathBuf) {
    let probe = out.join("sources");
    fs::create_dir_all(probe.join("src")).expect("create the throw-away package");
    fs::write(probe.join("src/lib.rs"), "").expect("write the throw-away library");
    // The empty [workspace] keeps Cargo from looking for ours above OUT_DIR.
    let manifest = format!(
        "[package]\nname = \"sources\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n[dependencies]\n\
         {BITWUZLA_CRATE} = \"={BITWUZLA_VERSION}\"\n{CADICAL_CRATE} = \"={CADICAL_VERSION}\"\n"
    );
    fs::write(probe.join("Cargo.toml"), manifest).expect("write the throw-away manifest");

    let metadata = |offline: &[&str]| {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Command::new(cargo)
            .args(["metadata", "--format-version", "1"])
            .args(offline)
            // Only what this platform needs has been fetched.
            .args(["--filter-platform", &env::var("TARGET").expect("Cargo sets TARGET")])
            .arg("--manifest-path")
            .arg(probe.join("Cargo.toml"))
            .output()
            .expect("run cargo metadata")
    };
    // Nothing depends on crate `cadical` as a crate, so Cargo has not fetched it before the first build.
    let mut output = metadata(&["--offline"]);
    if !output.status.success() {
        output = metadata(&[]);
    }
    if !output.status.success() {
        fail(&format!("cargo metadata failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let directory = |name: &str| {
        let packages = metadata["packages"].as_array().expect("metadata lists packages");
        let package = packages.iter().find(|package| package["name"] == name);
        let manifest = package.and_then(|package| package["manifest_path"].as_str());
        let directory = manifest.and_then(|manifest| Path::new(manifest).parent());
        directory.unwrap_or_else(|| fail(&format!("crate {name} not found by cargo metadata"))).to_path_buf()
    };
    (directory(BITWUZLA_CRATE), directory(CADICAL_CRATE))
}

/// Stops with the name of the package to install when a header or the compiler is missing: the alternative is a page of
/// compiler errors.
fn require_system_headers(build: &cc::Build, out: &Path) {
    let compiler = match build.try_get_compiler() {
        Ok(compiler) => compiler,
        Err(error) => fail(&format!("no C++ compiler ({error}); apt-get install g++")),
    };
    let probe = out.join("probe.cpp");
    for (header, package) in SYSTEM_HEADERS {
        // Preprocessing is enough, and some headers do not stand alone.
        fs::write(&probe, format!("#if !__has_include(<{header}>)\n#error missing\n#endif\n"))
            .expect("write the probe");
        match compiler.to_command().arg("-E").arg("-o").arg(out.join("probe.i")).arg(&probe).output() {
            Ok(output) if output.status.success() => {}
            Ok(_) => fail(&format!("C++ header <{header}> is missing; apt-get install {package}")),
            Err(error) => fail(&format!("the C++ compiler does not run ({error}); apt-get install g++")),
        }
    }
}

/// Fills in Bitwuzla's `config.h.in` as its own build system would for a release.
fn write_config_header(bitwuzla: &Path, generated: &Path, build: &cc::Build) {
    let compiler = build.get_compiler().path().file_name().unwrap_or_default().to_string_lossy().into_owned();
    let values = [
        ("is_debug_build", "false"),
        ("git_id", ""),
        ("is_dev_version", "false"),
        ("is_git_version", "false"),
        ("version", BITWUZLA_VERSION),
        ("license", "MIT"),
        ("os", env::consts::OS),
        ("cc", &compiler),
        ("cxx", &compiler),
    ];
    let mut text = read(&bitwuzla.join("src/config.h.in"));
    for (name, value) in values {
        text = text.replace(&format!("@{name}@"), value);
    }
    fs::create_dir_all(generated).expect("create the include directory");
    fs::write(generated.join("config.h"), text).expect("write config.h");
}

/// The C declarations, as bindgen printed them for `bitwuzla-sys`, with two changes: C++ may throw through these
/// functions (out of memory), so that their ABI is `C-unwind`; and C's `FILE` need not come from crate `libc`.
fn write_declarations(bitwuzla_crate: &Path, out: &Path) {
    let text = read(&bitwuzla_crate.join("src-generated/bindings.rs"));
    let text = text.replace("unsafe extern \"C\" {", "unsafe extern \"C-unwind\" {");
    let text = text.replace("use libc::FILE;", "pub type FILE = ::std::os::raw::c_void;");
    fs::write(out.join("declarations.rs"), text).expect("write the declarations");
}

/// The logger prints warnings to standard output, which is not a library's to write to. Our copy hands them to
/// `guard.cpp`, where the binding can pick them up.
fn quiet_logger(bitwuzla: &Path, out: &Path) -> PathBuf {
    let text = read(&bitwuzla.join(LOGGER));
    let quiet = text.replace("return std::cout;", "return foldback_log();");
    if quiet == text {
        fail(&format!("{LOGGER} is not as expected: where does it print?"));
    }
    let path = out.join("quiet_logger.cpp");
    fs::write(&path, format!("#include <ostream>\n\nstd::ostream &foldback_log();\n\n{quiet}"))
        .expect("write the logger");
    path
}

/// The C++ sources of Bitwuzla, the files of a folder as one unit.
fn bitwuzla_units(bitwuzla: &Path, out: &Path) -> Vec<PathBuf> {
    let mut units: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in cpp_files(&bitwuzla.join("src"), &LEFT_OUT) {
        let inside = file.strip_prefix(bitwuzla).expect("the file is below this folder");
        let alone = ALONE.iter().any(|alone| inside == Path::new(alone));
        let unit = if alone { inside } else { inside.parent().expect("a file is in a folder") };
        let name = unit.to_string_lossy().replace(['/', '.'], "_");
        units.entry(name).or_default().push(file);
    }
    units.iter().map(|(name, files)| write_unit(out, &format!("bitwuzla_{name}"), files)).collect()
}

/// The C++ sources of CaDiCaL in a few units, with the crate's C functions.
fn cadical_units(cadical_crate: &Path, out: &Path) -> Vec<PathBuf> {
    let mut files = cpp_files(&cadical_crate.join("cadical/src"), &CADICAL_LEFT_OUT);
    files.push(cadical_crate.join("src/ccadical.cpp"));
    let units = (0..CADICAL_UNITS).map(|unit| {
        let files: Vec<PathBuf> = files.iter().skip(unit).step_by(CADICAL_UNITS).cloned().collect();
        write_unit(out, &format!("cadical_{unit}"), &files)
    });
    units.collect()
}

/// A file that includes these files.
fn write_unit(out: &Path, name: &str, files: &[PathBuf]) -> PathBuf {
    let path = out.join(format!("{name}.cpp"));
    let lines: String = files.iter().map(|file| format!("#include \"{}\"\n", file.display())).collect();
    fs::write(&path, lines).expect("write the unit");
    path
}

/// All C++ sources below a folder, in a fixed order.
fn cpp_files(folder: &Path, left_out: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut directories = vec![folder.to_path_buf()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).expect("list the sources") {
            let path = entry.expect("list the sources").path();
            if left_out.iter().any(|left_out| path.ends_with(left_out)) {
                continue;
            }
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cpp") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| fail(&format!("cannot read {}: {error}", path.display())))
}

#[allow(clippy::print_stderr, reason = "Cargo shows it to the user")]
fn fail(message: &str) -> ! {
    eprintln!("error: building Bitwuzla: {message}");
    std::process::exit(1);
}
