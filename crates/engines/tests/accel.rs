//! Engines with accelerators: on random automata, whose truth is known, and on strings.

use crate::common::{Said, Shape, ask, compiled, exhaustive, random_program};

/// The engines that work on accelerated programs.
const ACCELERATED: [&str; 5] =
    ["accel", "accel:explorer=bmc", "accel:explorer=kind", "accel:explorer=bkind", "accel:explorer=se"];

fn said(name: &str, program: &cfa::Program, seconds: u64) -> Said {
    let engine = engines::by_name(name).expect("an engine");
    ask((engine.make)().as_mut(), program, seconds)
}

#[test]
fn accelerators_make_no_answer_wrong() {
    let mut decided = [0; ACCELERATED.len()];
    for seed in 0..24 {
        let (inputs, choices) = (seed % 2 == 0, seed % 3 == 0);
        let program = random_program(seed, Shape { locations: 6, loops: true, inputs, choices });
        let truth = if exhaustive(&program).is_some() { Said::Unsafe } else { Said::Safe };
        for (count, name) in decided.iter_mut().zip(ACCELERATED) {
            let said = said(name, &program, 1);
            assert!(said == Said::Unknown || said == truth, "{name} on {seed}:\n{}", cfa::print(&program));
            *count += usize::from(said != Said::Unknown);
        }
    }
    assert!(decided.iter().all(|count| *count > 12), "{decided:?}");
}

fn compile(text: String) -> cfa::Program {
    compiled(text, cfront::types::DataModel::Ilp32)
}

/// What the inner loop leaves in `x` has no closed form: its accelerator is not part of the outer loop's.
#[test]
fn what_is_undefined_stays_so_in_outer_loops() {
    for body in ["x = x / 2;", "x = x * x & 3;", "x -= x ? 1 : 0;"] {
        let program = compile(format!(
            "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
             int main() {{\n  int x = __VERIFIER_nondet_int();\n  if (x < -3 || x > 3) return 0;\n\
               for (int i = 0; i < 2; i++)\n    for (int j = 0; j < 2; j++)\n      {body}\n\
               if (x > 3) reach_error();\n  return 0;\n}}"
        ));
        for engine in ACCELERATED {
            assert_ne!(said(engine, &program, 2), Said::Unsafe, "{engine}: {body}");
        }
    }
}

/// A string of `size` bytes with an end, in which something is looked for.
fn string(size: u32, check: &str) -> cfa::Program {
    compile(format!(
        "extern void reach_error(void); extern char __VERIFIER_nondet_char(void);\n\
         int main() {{\n  char s[{size} + 1]; int i, last = 0;\n  s[{size}] = 0;\n\
           for (i = 0; s[i] != 0; i++)\n    if (s[i] == '/') last = i;\n  if ({check}) reach_error();\n  return 0;\n}}"
    ))
}

#[test]
fn a_string_ends_where_its_end_is() {
    let program = string(1000, "i > 1000 || last > 1000");
    for engine in ["accel", "kind"] {
        assert_eq!(said(engine, &program, 60), Said::Safe, "{engine}");
    }
    assert_eq!(said("accel", &string(1000, "i == 1000 && last == 999"), 60), Said::Unsafe);
}
