//! The automata are small, and loops say where they are.

use crate::common::lowered;
use cfa::Op;

fn edges(text: &str) -> usize {
    let program = lowered(text);
    let main = program.function_named("main").unwrap();
    program.functions[main].edges.len()
}

#[test]
fn conditions_are_edges() {
    // Two ways out of the condition, two assignments, and the result.
    let base = edges("int main(void) { int x = 1; return x; }");
    assert_eq!(edges("int main(void) { int x = 1; if (x < 5) x = 2; return x; }"), base + 3);
    assert_eq!(edges("int main(void) { int x = 1; if (!!(x < 5) != 0) x = 2; return x; }"), base + 3);
    assert_eq!(edges("int main(void) { int x = 1; if (x < 5 && x > 2) x = 2; return x; }"), base + 5);
    assert_eq!(edges("int main(void) { int x = 1; x = x < 5 && x > 2 ? x + 1 : x - 1; return x; }"), base + 1);
}

#[test]
fn inputs_go_where_they_are_wanted() {
    let text = "int __VERIFIER_nondet_int(void); int main(void) { int x = __VERIFIER_nondet_int(); return x; }";
    let program = lowered(text);
    let main = &program.functions[program.function_named("main").unwrap()];
    let havocs: Vec<&Op> = main.edges.values().map(|e| &e.op).filter(|op| matches!(op, Op::Havoc { .. })).collect();
    let [Op::Havoc { vars, .. }] = havocs[..] else { panic!("{havocs:?}") };
    assert_eq!(program.name(vars[0]), "main::x");
}

#[test]
fn loop_heads_carry_their_keyword() {
    let text = "int main(void) {\n  int i = 0;\n  while (i < 3) i++;\n  for (i = 0; i < 3; i++) ;\n  do i--; while (i);\n  for (;;) ;\n}";
    let program = lowered(text);
    let main = &program.functions[program.function_named("main").unwrap()];
    let mut heads: Vec<(u32, u32, u32)> =
        main.locs.values().filter_map(|l| l.loop_span).map(|s| (s.line, s.col, s.end_col)).collect();
    heads.sort_unstable();
    assert_eq!(heads, [(3, 3, 8), (4, 3, 6), (5, 3, 5), (6, 3, 6)]);
}
