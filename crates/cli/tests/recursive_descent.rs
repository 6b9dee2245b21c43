//! Functions that call each other from several places, as recursive descent does: unrolled by what fits, and further on demand.

use crate::common::{Scratch, verify};

/// A parser of sums, products, powers and parentheses over `size` bytes; `inside` comes after every opening parenthesis.
fn parser(size: u32, inside: &str) -> String {
    let loops = |name: &str, inner: &str, sign: char| {
        format!(
            "static int {name}(void) {{ int v = {inner}(); blank();
               while (text[at] == '{sign}') {{ at++; v += {inner}(); blank(); }} return v; }}\n"
        )
    };
    let levels = [loops("power", "atom", '^'), loops("product", "power", '*'), loops("sum", "product", '+')].concat();
    format!(
        "extern char __VERIFIER_nondet_char(void); extern void abort(void); void reach_error(void) {{ abort(); }}
         char text[{size} + 1]; int at, depth;
         static void blank(void) {{ while (text[at] == ' ') at++; }}
         static int sum(void);
         static int atom(void) {{
           blank();
           if (text[at] == '(') {{
             at++; depth++; {inside}
             int v = sum(); depth--; blank(); if (text[at] == ')') at++; return v;
           }}
           if (text[at] == '-') {{ at++; return -atom(); }}
           if (text[at] >= '0' && text[at] <= '9') {{ at++; return 1; }}
           return 0;
         }}
         {levels}
         int main(void) {{
           for (int i = 0; i < {size}; i++) text[i] = __VERIFIER_nondet_char();
           sum();
           if (at > {size}) reach_error();
         }}\n"
    )
}

#[test]
fn what_fits_is_decided() {
    let scratch = Scratch::new("recursive-descent");
    let (result, said) = verify(&scratch, &parser(2, ""), "unreach-call", "60s");
    assert_eq!(result, "true", "{said}");
    let (result, said) = verify(&scratch, &parser(5, "if (depth == 4) reach_error();"), "unreach-call", "60s");
    assert_eq!(result, "false(unreach-call)", "{said}");
}

/// What is cut off may hold the error.
#[test]
fn what_does_not_fit_is_named() {
    let scratch = Scratch::new("recursive-descent-deep");
    let (result, said) = verify(&scratch, &parser(60, "if (depth == 50) reach_error();"), "unreach-call", "10s");
    assert!(result.starts_with("unknown("), "{said}");
    assert!(
        said.contains("recursion of '") && said.contains("unrolled further, the program becomes too large"),
        "{said}"
    );
    assert!(["'sum'", "'product'", "'power'", "'atom'"].iter().all(|name| said.contains(name)), "{said}");
}
