//! What is not understood is not passed over: it is unsupported at its place, or a note says what is taken for granted.

use crate::common::lowered;
use cfa::{LocKind, Program};

fn unsupported(program: &Program) -> Vec<&str> {
    let locs = program.functions.values().flat_map(|f| f.locs.values());
    locs.filter_map(|l| if let LocKind::Unsupported(what) = &l.kind { Some(&*what.what) } else { None }).collect()
}

fn notes(program: &Program) -> Vec<&str> {
    program.notes.iter().map(|note| note.message.as_str()).collect()
}

const BELIEVED: &str = "inline assembler that is not understood is taken to change only its outputs, to any value";

#[test]
fn assembler_without_outputs_does_something_else() {
    for asm in [
        r#"__asm__ volatile("movl $5, g(%rip)");"#,
        r#"__asm__ volatile("movl $5, (%0)" :: "r"(&g));"#,
        r#"__asm__ volatile("rep; stosb" :: "D"(&g), "c"(4), "a"(1));"#,
        r#"__asm__ volatile("movl $5, %0" : "=r"(x) :: "memory");"#,
    ] {
        let program = lowered(&format!("int g; int main(void) {{ int x = 0; {asm} return g + x; }}"));
        assert_eq!(unsupported(&program).len(), 1, "{asm}");
    }
}

#[test]
fn harmless_assembler_is_nothing() {
    for asm in [
        r#"__asm__ volatile("" ::: "memory");"#,
        r#"__asm__ volatile("rep; nop" ::: "memory");"#,
        r#"__asm__ volatile("rep nop");"#,
        r#"__asm__ volatile("mfence" ::: "memory");"#,
        r#"__asm__ volatile("outb %b0, %w1" :: "a"(x), "Nd"(80));"#,
        r#"__asm__ volatile("" : "+r"(x));"#,
    ] {
        let program = lowered(&format!("int main(void) {{ int x = 0; {asm} return x; }}"));
        assert_eq!((unsupported(&program), notes(&program)), (vec![], vec![]), "{asm}");
        let havocs = program.functions.values().flat_map(|f| f.edges.values());
        assert!(!havocs.into_iter().any(|e| matches!(e.op, cfa::Op::Havoc { .. })), "{asm}");
    }
}

#[test]
fn assembler_that_is_believed_is_noted() {
    let program = lowered(r#"int main(void) { int x; __asm__("bswapl %0" : "=r"(x) : "0"(1)); return x; }"#);
    assert_eq!((unsupported(&program), notes(&program)), (vec![], vec![BELIEVED]));
    // Nothing is done to the register that is input and output.
    let program = lowered(r#"int main(void) { int x; __asm__("" : "=r"(x) : "0"(1)); return x; }"#);
    assert_eq!((unsupported(&program), notes(&program)), (vec![], vec![]));
}

#[test]
fn weak_symbols_that_nothing_defines_have_no_known_address() {
    const WEAK: &str = "the address of 'm', which is weak and defined nowhere";
    for (text, expected) in [
        ("extern int m(void) __attribute__((weak)); int main(void) { return m ? 0 : 1; }", vec![WEAK]),
        ("__attribute__((weak)) extern int m(void); int main(void) { return m == 0; }", vec![WEAK]),
        ("extern int m __attribute__((weak)); int main(void) { return &m != 0; }", vec![WEAK]),
        ("extern int m[] __attribute__((weak)); int main(void) { return !m; }", vec![WEAK]),
        ("extern int m(void) __attribute__((weak)); int (*p)(void) = m; int main(void) { return p != 0; }", vec![WEAK]),
        ("int m(void) __attribute__((weak)); int m(void) { return 3; } int main(void) { return m ? 0 : 1; }", vec![]),
        ("int m __attribute__((weak)); int main(void) { return &m != 0; }", vec![]),
        ("extern int m(void) __attribute__((weak)); int main(void) { return m(); }", vec![]),
    ] {
        assert_eq!(unsupported(&lowered(text)), expected, "{text}");
    }
}

#[test]
fn volatile_objects_are_noted_where_they_are_read() {
    const VOLATILE: &str = "volatile objects are taken to change only as the program says";
    for (text, expected) in [
        ("volatile int v; int main(void) { v = 1; return 0; }", vec![]),
        ("volatile int v; int main(void) { return v + v; }", vec![VOLATILE]),
        ("volatile int v; int main(void) { v++; return 0; }", vec![VOLATILE]),
        ("volatile struct { int a; } s; int main(void) { return s.a; }", vec![VOLATILE]),
        ("int g; int main(void) { volatile int *p = &g; return *p; }", vec![VOLATILE]),
    ] {
        assert_eq!(notes(&lowered(text)), expected, "{text}");
    }
}
