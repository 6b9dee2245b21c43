//! What would help where there is no answer.

use crate::model::Kind;

/// Suggestions for a reason of `unknown(...)`, most promising first.
pub(crate) fn advice(kind: Kind) -> Vec<&'static str> {
    match kind {
        Kind::TimeLimit => vec![
            "More time: a larger --time-limit, or none.",
            "More engines side by side: --jobs N.",
            "Less to prove: one --property at a time, or one function with --entry.",
            "Smaller constants: a loop bound or array size given by a macro can be reduced with -D.",
        ],
        Kind::MemoryLimit => vec![
            "A larger --memory-limit, or fewer engines side by side: --jobs 1.",
            "Less to prove: one --property at a time, or one function with --entry.",
        ],
        Kind::Unsupported => vec![
            "What is named in the reason is not modelled, and an execution may reach it: replace it by a stub with the \
             behaviour that matters, or start behind it: --entry FUNCTION calls a function with any arguments.",
            "Where it is a leak (valid-memtrack): whether all memory is freed in the end is easier to say, --property \
             memcleanup; memory without leaks is --property valid-deref --property valid-free.",
        ],
        Kind::BoundHit => vec![
            "A limit of the model can be exceeded, such as the depth of recursion: an assumption in the program \
             (__VERIFIER_assume) that keeps executions below it makes the answer one about those.",
            "Where it is recursion: contracts of the functions that the reason names (--check-contract, then \
             --use-contract), or less input for them to descend into.",
        ],
        Kind::Cancelled => vec!["Let it run to its end; --time-limit says when to give up."],
        Kind::CheckFailed | Kind::Crashed => {
            vec!["This is a bug of foldback, please report it with the program. Another --engine may answer meanwhile."]
        }
        Kind::Solver | Kind::GaveUp => vec![
            "Another method: all engines together (--engine portfolio, the default) with more time.",
            "Less to prove: one --property at a time, or one function with --entry.",
        ],
        Kind::MayNotEnd => vec![
            "Of the loops that the reason names neither a number that decreases nor an execution that stays in them was found. What they \
             count must be bounded, and change by steps that can be told: an assumption on the inputs that this rests on \
             (__VERIFIER_assume) makes the answer one about those.",
            "Where a loop ends because of what stands in memory: one that also counts, up to the size of the object, ends for sure.",
            "Less at a time: one function with --entry, one loop in a function of its own; or more time (--time-limit).",
        ],
        Kind::NotChecked => vec![
            "More time, so that the check can be finished: a larger --time-limit.",
            "Another engine may find a proof that is easier to check: --engine portfolio, the default.",
            "--accept-unchecked takes the proof as it is, at your own risk.",
        ],
        Kind::AfterUndefined => {
            vec!["What is undefined comes first: check for it with --property memsafety and --property no-overflow."]
        }
        Kind::NothingToCheck => vec![
            "Say what should hold: assert(condition), from <assert.h>, in a function that main calls.",
            "Start elsewhere: --entry FUNCTION calls it with any arguments.",
            "Another name of the error function: --error-function NAME.",
            "What else can be asked for: --property termination, undefined-shift, conversion and more (verify --help).",
        ],
        Kind::WeakContract => vec![
            "A stronger contract: a postcondition that says as much of the result of the recursive call as the body relies on, \
             such as how large it may be, and what is written.",
        ],
        Kind::TooLongToRun | Kind::NotConfirmed => vec![
            "A counterexample was found and is not confirmed: --harness FILE.c keeps it, to be compiled and looked at.",
            "What the program gets from outside (library functions, functions without body) may be replaced by stubs.",
        ],
    }
}
