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

/// Copies that calls share are run for several of them in one execution: inputs, and the chain of calls that is shown, are those of each.
#[test]
fn a_deep_bug_is_found_and_its_calls_are_shown() {
    let scratch = Scratch::new("recursive-descent-shared");
    let text = "extern char __VERIFIER_nondet_char(void); void reach_error(void) { }
int depth, one;
static int value(void);
static int list(char end) {
  depth++;
  int sum = value();
  while (__VERIFIER_nondet_char() == ',') sum += value();
  depth--;
  return __VERIFIER_nondet_char() == end ? sum : -1;
}
static int value(void) {
  char c = __VERIFIER_nondet_char();
  if (c == '[') return list(']');
  if (c == '{') { int l = list(':'); return l < 0 ? l : list('}'); }
  if (depth == 3 && c == 'x') one = 1;
  if (depth == 3 && c == 'y' && one) reach_error();
  return c == '1';
}
int main(void) { return value(); }
";
    let (result, said) = verify(&scratch, text, "unreach-call", "60s");
    assert_eq!(result, "false(unreach-call)", "{said}");
    assert!(said.contains("confirmed by the compiled program"), "{said}");
    // Three lists, the values before each of them, and main.
    let lines: Vec<&str> = said.lines().filter_map(|l| l.trim().strip_prefix("called from ")).collect();
    let line = |at: &str| at.split(':').rev().nth(1).and_then(|n| n.parse::<u32>().ok());
    let kind = |n: u32| match n {
        6 | 7 => 'v',
        13 | 14 => 'l',
        _ => 'm',
    };
    let chain: String = lines.iter().filter_map(|at| line(at)).map(kind).collect();
    assert_eq!(chain, "vlvlvlm", "{said}");
}
