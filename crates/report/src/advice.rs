//! What would help where there is no answer.

/// Suggestions for a reason of `unknown(...)`, most promising first.
pub(crate) fn advice(reason: &str) -> Vec<&'static str> {
    let kind = reason.split(':').next().unwrap_or_default();
    match kind {
        "time limit" => vec![
            "More time: a larger --time-limit, or none.",
            "More engines side by side: --jobs N.",
            "Less to prove: one --property at a time, or one function with --entry.",
            "Smaller constants: a loop bound or array size given by a macro can be reduced with -D.",
        ],
        "memory limit" => vec![
            "A larger --memory-limit, or fewer engines side by side: --jobs 1.",
            "Less to prove: one --property at a time, or one function with --entry.",
        ],
        "unsupported" => vec![
            "What is named in the reason is not modelled, and an execution may reach it: replace it by a stub with the \
             behaviour that matters, or keep it out with --entry.",
        ],
        "bound hit" => vec![
            "A limit of the model can be exceeded, such as the depth of recursion: an assumption in the program \
             (__VERIFIER_assume) that keeps executions below it makes the answer one about those.",
        ],
        "cancelled" => vec!["Let it run to its end; --time-limit says when to give up."],
        "check failed" | "crashed" | "internal error" => {
            vec!["This is a bug of foldback, please report it with the program. Another --engine may answer meanwhile."]
        }
        "solver" | "gave up" => vec![
            "Another method: all engines together (--engine portfolio, the default) with more time.",
            "Less to prove: one --property at a time, or one function with --entry.",
        ],
        _ => vec!["All engines together (--engine portfolio, the default), with more time."],
    }
}
