//! One mistake at a time in a function with a contract and annotated loop: a bound in the contract, in an invariant, in the code. Each is refused, with
//! an execution, and it is told what fails.

use crate::common::{Scratch, check_contract as check, verify_with};

const DOUBLE: &str = "typedef struct { short c[32]; } poly;
unsigned f(poly *r, const poly *a, unsigned n)
__CPROVER_requires(n <= 32)
__CPROVER_requires(__CPROVER_is_fresh(r, sizeof(poly)) && __CPROVER_is_fresh(a, sizeof(poly)))
__CPROVER_requires(__CPROVER_forall { unsigned k; (k < 32) ==> (-100 < a->c[k] && a->c[k] < 100) })
__CPROVER_assigns(__CPROVER_object_upto(r, sizeof(poly)))
__CPROVER_ensures(__CPROVER_forall { unsigned k; (k < n) ==> (-200 < r->c[k] && r->c[k] < 200) })
__CPROVER_ensures(__CPROVER_return_value == n)
{
  unsigned i;
  for (i = 0; i < n; i++)
  __CPROVER_loop_invariant(i <= n)
  __CPROVER_loop_invariant(__CPROVER_forall { unsigned j; (j < i) ==> (-200 < r->c[j] && r->c[j] < 200) })
  { r->c[i] = (short)(2 * a->c[i]); }
  return i;
}
";

/// What is right, what is written instead, and what is said of it.
const MISTAKES: [[&str; 3]; 10] = [
    ["n <= 32", "n <= 33", "is out of bounds"],
    ["a->c[k] < 100", "a->c[k] <= 100", "the loop invariant does not hold after an iteration"],
    ["object_upto(r, sizeof(poly))", "object_upto(r, 1)", "which its contract does not allow"],
    ["r->c[k] < 200", "r->c[k] < 198", "the postcondition of f fails"],
    ["return_value == n", "return_value < n", "the postcondition of f fails"],
    ["invariant(i <= n)", "invariant(i < n)", "the loop invariant does not hold at first"],
    ["(j < i)", "(j <= i)", "the loop invariant does not hold at first"],
    ["r->c[j] < 200", "r->c[j] < 198", "the loop invariant does not hold after an iteration"],
    ["i < n; i++", "i <= n; i++", "the loop invariant does not hold after an iteration"],
    ["return i", "return i - 1", "the postcondition of f fails"],
];

#[test]
fn ten_mistakes_are_refused_with_an_execution() {
    let flags = ["--check-contract", "f"];
    check("mistake-none", DOUBLE, &flags, "true", "");
    let fixed = ["--property", "assert", "--property", "valid-deref", "--time-limit", "10s"];
    for (number, [right, wrong, says]) in MISTAKES.into_iter().enumerate() {
        assert_eq!(DOUBLE.matches(right).count(), 1, "{right}");
        let program = DOUBLE.replace(right, wrong);
        let scratch = Scratch::new(&format!("contract-mistake-{number}"));
        let (result, said) = verify_with(&scratch, &program, &[&fixed[..], &flags].concat());
        assert!(result.starts_with("false(") && said.contains(says), "{wrong}: {says}\n{said}");
        assert!(said.contains("n = "), "no execution is shown: {wrong}\n{said}");
    }
}
