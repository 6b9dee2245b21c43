//! Recursion whose calls share copies: runs come to the same as those of the functions, before and after memory is flattened.

use super::compare::{Rng, compare, flatten};
use cfa::{Op, Origin, Program, Property, Var};
use cfront::types::DataModel;
use cfront::{Input, Options};
use interpreter::{Ask, Inputs, Limits, Machine};
use term::{Bits, Sort, Value};
use transform::inline::{self, inline, is_cut_short};

fn lowered(text: &str, properties: &[Property]) -> Program {
    let text = format!(
        "#include <stdlib.h>
        extern int __VERIFIER_nondet_int(void); void reach_error(void) {{ abort(); }}
        {text}
        int main(void) {{
            int n = __VERIFIER_nondet_int() & 7, r = run(n);
            if ((r & 3) == 1) exit(1);
            if ((r & 3) == 2) abort();
            if ((r & 3) == 3) reach_error();
            return 0;
        }}"
    );
    let options = lower::Options {
        properties: properties.to_vec(),
        main_arguments: lower::MainArguments::None,
        ..lower::Options::default()
    };
    let input = Input::Text { name: "test.c".to_owned(), text };
    let unit = lower::library::load(&[input], &Options::new(DataModel::Lp64), &options.entry).expect("it is C");
    cfront::with_big_stack(|| lower::lower(&unit, &options)).expect("it is lowered")
}

/// Inputs from a seed; all else is zero.
struct Numbers(Rng);

impl Inputs for Numbers {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        match (ask.origin, ask.sort) {
            (Origin::Input(_), Sort::Bv(width)) => Value::Bv(Bits::new(self.0.next().into(), width)),
            (_, sort) => Value::zero(sort),
        }
    }
}

/// With so little room that calls have to share.
fn shared(program: &Program) -> Program {
    let (shared, _) = inline(program.clone(), &inline::Settings { room: 6_000, ..inline::Settings::default() });
    cfa::assert_sound(&shared, cfa::Form::Function);
    assert!(!shared.joined.is_empty(), "nothing is shared");
    assert!(shared.main().edges.values().all(|e| !matches!(e.op, Op::Call { .. })));
    shared
}

/// `run(n)` comes to the same by shared copies: how the program ends tells two bits of it.
fn agree(text: &str) {
    for properties in
        [&[Property::UnreachCall][..], &[Property::ValidDeref, Property::ValidFree, Property::ValidMemcleanup]]
    {
        let original = lowered(text, properties);
        let shared = shared(&original);
        let limits = Limits::steps(100_000);
        let mut compared = 0;
        for seed in 0..20 {
            let run = |p: &Program| Machine::new(p).expect("known").run(&mut Numbers(Rng(seed)), &limits);
            let (before, after) = (run(&original), run(&shared));
            // The deepest runs leave the copies.
            if shared.main().locs.get(after.location.1).is_some_and(|l| is_cut_short(&l.kind)) {
                continue;
            }
            compared += 1;
            assert_eq!(before.ending, after.ending, "seed {seed}");
            assert!(before.undefined.is_empty() && after.undefined.is_empty(), "{:?}", before.undefined);
        }
        assert!(compared >= 3, "{compared} runs could be compared");
        let flat = flatten(&shared);
        let vars: Vec<Var> =
            shared.vars.ids().filter(|v| shared.vars[*v].source.as_ref().is_some_and(|s| !s.pointer)).collect();
        for seed in 0..4 {
            compare(&shared, &flat, seed, &vars, 100_000).unwrap_or_else(|message| panic!("seed {seed}: {message}"));
        }
    }
}

#[test]
fn two_calls_in_one_expression() {
    agree("int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } int run(int n) { return f(n + 2); }");
}

#[test]
fn functions_of_different_parameters_call_each_other() {
    agree(
        "int g(int a, long b, char c);
        int f(int n) { if (n <= 0) return 1; return g(n - 1, n, (char)n) + f(n - 2); }
        int g(int a, long b, char c) { if (b > 5) return f(a - 1) * 2 + c; return f(a) + (int)b; }
        int run(int n) { return f(n + 3); }",
    );
}

#[test]
fn locals_are_those_of_the_activation() {
    agree(
        "int f(int n, int *above) {
            int mine = n, other[3] = {n, n + 1, n + 2};
            if (above) { if (&mine == above) return 100; *above += 1; }
            if (n == 0) return other[0] + other[2];
            int a = f(n - 1, &mine), b = f(n / 2, &mine);
            if (mine != n + 2 || other[1] != n + 1) return 1000;
            return (a + b) & 63;
        }
        int run(int n) { int r = f(n, 0); return r < 64 ? r : 64; }",
    );
}

#[test]
fn statics_are_of_all_activations() {
    agree(
        "int f(int n) { static int calls; calls++; if (n > 0) { f(n - 1); f(n - 1); } return calls; }
        int run(int n) { return f(n & 3) / 2; }",
    );
}

#[test]
fn returns_inside_of_loops_and_switches() {
    agree(
        "int f(int n) {
            for (int i = 0; i < 4; i++) {
                int block[2] = {i, n};
                switch (n & 3) {
                case 0: if (i == 2) return block[1]; break;
                case 1: if (f(n - 1) > 0 && i == 1) return block[0] + 1; continue;
                default: if (i == 3) return f(n - 2) + f(n - 1);
                }
            }
            return n;
        }
        int run(int n) { return f(n); }",
    );
}

#[test]
fn structs_are_results() {
    agree(
        "struct pair { int a, b; long c[2]; };
        struct pair f(int n) {
            struct pair p = {n, 1, {n, 2}};
            if (n > 1) {
                struct pair q = f(n - 1), r = f(n - 2);
                p.a = q.a + r.a; p.b = q.b + r.b; p.c[1] = q.c[0] + r.c[1];
            }
            return p;
        }
        int run(int n) { struct pair p = f(n); return p.a + p.b * 2 + (int)p.c[1]; }",
    );
}

#[test]
fn trees_on_the_heap() {
    agree(
        "struct node { struct node *left, *right; int n; };
        struct node *make(int n) {
            if (n == 0) return 0;
            struct node *node = malloc(sizeof *node);
            if (!node) exit(0);
            node->n = n; node->left = make(n - 1); node->right = make(n / 2);
            return node;
        }
        int sum(struct node *t) { return t ? t->n + sum(t->left) + sum(t->right) : 0; }
        void release(struct node *t) { if (t) { release(t->left); release(t->right); free(t); } }
        int run(int n) { struct node *t = make(n & 3); int s = sum(t); release(t); return s; }",
    );
}

#[test]
fn a_block_that_is_lost_deep_inside() {
    agree(
        "void f(int n, int from) {
            int *p = malloc(4);
            if (n > 0) { f(n - 1, 1); f(n - 1, 2); }
            if (n != 1 || from != 2) free(p);
        }
        int run(int n) { f(n & 3, 0); return n; }",
    );
}

#[test]
fn arrays_of_variable_length_and_blocks_on_the_stack() {
    agree(
        "int f(int n) {
            int block[n + 1];
            char *bytes = __builtin_alloca(4);
            for (int i = 0; i <= n; i++) block[i] = i;
            bytes[3] = (char)n;
            if (n > 0) { int a = f(n - 1) + f(n - 1); return (a + block[n] + bytes[3]) & 63; }
            return 1;
        }
        int run(int n) { return f(n & 3); }",
    );
}

#[test]
fn inputs_inside() {
    agree(
        "int depth, most;
        int f(void) {
            int c = __VERIFIER_nondet_int(), s = 0;
            if (++depth > most) most = depth;
            if (depth < 7 && (c & 1)) s += f();
            if (depth < 7 && (c & 2)) s += f() * 2;
            depth--;
            return (s + (c & 7)) & 63;
        }
        int run(int n) { return f() + most + n; }",
    );
}
