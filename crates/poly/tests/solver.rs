//! The ring against the solver: whatever the normaliser, the bounds and the ideals say at widths 2 to 8, the solver
//! confirms bit by bit.

use poly::{Bounds, Ideal, Normaliser, Poly};
use smt::{Answer, Solver, SolverSettings};
use term::{Store, Term};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

fn variable(store: &mut Store, index: usize, width: u32) -> Term {
    store.var(&format!("{}{width}", ["x", "y", "z"][index]), term::Sort::Bv(width))
}

/// A random term of ring operations, extensions, low parts, quotients and remainders.
fn any_term(store: &mut Store, random: &mut Random, width: u32, depth: u32) -> Term {
    let leaf = depth == 0 || random.below(6) == 0;
    if leaf {
        return match random.below(4) {
            0 => store.bv(u128::from(random.below(1 << width)), width),
            n => variable(store, n as usize - 1, width),
        };
    }
    let mut sub = |store: &mut Store, width: u32| any_term(store, random, width, depth - 1);
    let a = sub(store, width);
    let b = sub(store, width);
    match random.below(10) {
        0..=2 => store.add(a, b),
        3 | 4 => store.mul(a, b),
        5 => store.neg(a),
        6 if width > 2 => {
            let narrow = any_term(store, random, width - 1, depth - 1);
            if random.below(2) == 0 { store.sext_to(narrow, width) } else { store.zext_to(narrow, width) }
        }
        7 if width < 8 => {
            let wide = any_term(store, random, width + 1, depth - 1);
            store.extract(wide, width - 1, 0)
        }
        8 => {
            let by = store.bv(u128::from(random.below(u64::from(width))), width);
            store.shl(a, by)
        }
        _ => match random.below(4) {
            0 => store.udiv(a, b),
            1 => store.urem(a, b),
            2 => store.sdiv(a, b),
            _ => store.srem(a, b),
        },
    }
}

/// Divisions of products are hard on the solver, even of 8 bits.
fn depth(width: u32) -> u32 {
    if width > 5 { 2 } else { 3 }
}

fn literal(store: &mut Store, random: &mut Random, width: u32) -> Term {
    let a = any_term(store, random, width, 1);
    let b = any_term(store, random, width, 0);
    match random.below(6) {
        0 => store.sle(a, b),
        1 => store.slt(b, a),
        2 => store.ule(a, b),
        3 => store.ult(b, a),
        4 => store.eq(a, b),
        _ => store.ne(a, b),
    }
}

fn is_sat(solver: &mut dyn Solver, store: &Store, facts: &[Term]) -> bool {
    solver.check(store, facts).expect("small widths are easy") == Answer::Sat
}

fn solver() -> Box<dyn Solver> {
    smt::open(&SolverSettings::default()).expect("the solver is compiled in")
}

#[test]
fn normal_forms_are_equal_to_their_terms_under_the_bounds() {
    let mut random = Random(1);
    // One solver speaks of one store.
    let (mut solver, mut store) = (solver(), Store::new());
    for round in 0..150 {
        let width = 2 + (round % 7);
        let literals: Vec<Term> = (0..random.below(4)).map(|_| literal(&mut store, &mut random, width)).collect();
        let bounds = Bounds::from_literals(&store, &literals);
        let t = any_term(&mut store, &mut random, width, depth(width));
        let p = Normaliser::new(bounds).poly(&mut store, t).expect("a bit-vector");
        let back = p.to_term(&mut store);
        let mut question = literals.clone();
        question.push(store.ne(t, back));
        assert!(!is_sat(solver.as_mut(), &store, &question), "{}", term::smtlib::print_term(&store, t));
    }
}

#[test]
fn defining_equations_hold() {
    let mut random = Random(2);
    // One solver speaks of one store.
    let (mut solver, mut store) = (solver(), Store::new());
    for round in 0..60 {
        let width = 2 + (round % 7);
        let t = any_term(&mut store, &mut random, width, depth(width));
        let mut normaliser = Normaliser::default();
        let p = normaliser.poly(&mut store, t).expect("a bit-vector");
        for equation in normaliser.defining_equations(&mut store, &p) {
            let (value, zero) = (equation.to_term(&mut store), store.bv(0, equation.width()));
            let wrong = store.ne(value, zero);
            assert!(!is_sat(solver.as_mut(), &store, &[wrong]), "{}", term::smtlib::print_term(&store, t));
        }
    }
}

/// A random polynomial over x, y, z.
fn any_poly(store: &mut Store, random: &mut Random, width: u32) -> Poly {
    let mut normaliser = Normaliser::default();
    loop {
        let mut sum = store.bv(0, width);
        for _ in 0..1 + random.below(3) {
            let mut product = store.bv(u128::from(random.next()), width);
            for _ in 0..random.below(3) {
                let atom = variable(store, random.below(3) as usize, width);
                product = store.mul(product, atom);
            }
            sum = store.add(sum, product);
        }
        let p = normaliser.poly(store, sum).expect("a bit-vector");
        if !p.is_zero() {
            return p;
        }
    }
}

#[test]
fn members_of_ideals_vanish_with_the_generators() {
    let mut random = Random(3);
    // One solver speaks of one store.
    let (mut solver, mut store) = (solver(), Store::new());
    let mut members = 0;
    for round in 0..150 {
        let width = 2 + (round % 7);
        let generators: Vec<Poly> =
            (0..1 + random.below(3)).map(|_| any_poly(&mut store, &mut random, width)).collect();
        let mut ideal = Ideal::new(width);
        generators.iter().for_each(|g| ideal.add(g));
        ideal.complete(30, 6);
        // A random combination of the generators, sometimes spoilt.
        let mut goal = Poly::zero(width);
        for g in &generators {
            goal = goal.add(&g.mul(&any_poly(&mut store, &mut random, width)));
        }
        if round % 3 == 0 {
            goal = goal.add(&any_poly(&mut store, &mut random, width));
        }
        let rest = ideal.reduce(&goal);
        members += u32::from(rest.is_zero());
        let zero = store.bv(0, width);
        let mut question: Vec<Term> = Vec::new();
        for g in &generators {
            let value = g.to_term(&mut store);
            question.push(store.eq(value, zero));
        }
        let (value, rest) = (goal.to_term(&mut store), rest.to_term(&mut store));
        question.push(store.ne(value, rest));
        assert!(!is_sat(solver.as_mut(), &store, &question), "reduction changed the value where generators are zero");
    }
    assert!(members > 75, "only {members} combinations were recognised");
}

#[test]
fn exact_division_by_powers_of_two_keeps_zeros() {
    let mut random = Random(4);
    // One solver speaks of one store.
    let (mut solver, mut store) = (solver(), Store::new());
    let mut divided = 0;
    for round in 0..300 {
        let width = 4 + (round % 5);
        let literals: Vec<Term> = (0..6)
            .map(|i| {
                let atom = variable(&mut store, i % 3, width);
                let bound = store.bv(u128::from(random.below(4)), width);
                if i < 3 { store.ule(atom, bound) } else { store.sle(atom, bound) }
            })
            .collect();
        let normaliser = Normaliser::new(Bounds::from_literals(&store, &literals));
        let p = any_poly(&mut store, &mut random, width).scale(1 << random.below(3));
        let q = normaliser.primitive(&store, &p);
        divided += u32::from(p != q);
        let zero = store.bv(0, width);
        let (p, q) = (p.to_term(&mut store), q.to_term(&mut store));
        let mut question = literals;
        question.push(store.eq(p, zero));
        question.push(store.ne(q, zero));
        assert!(!is_sat(solver.as_mut(), &store, &question));
    }
    assert!(divided > 10, "only {divided} were divided");
}
