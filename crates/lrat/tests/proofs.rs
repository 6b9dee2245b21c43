//! Right proofs are accepted, in both formats; everything else is refused, whatever it is.

use lrat::{Cnf, Error, Format, Reader, Step, Why, check};

/// Splitmix64: the same seed gives the same cases.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// All eight clauses over three variables.
const CUBE: &str =
    "c all signs\np cnf 3 8\n1 2 3 0\n1 2 -3 0\n1 -2 3 0\n1 -2 -3 0\n-1 2 3 0\n-1 2 -3 0\n-1 -2 3 0\n-1 -2 -3 0\n";
const CUBE_PROOF: &str =
    "9 1 2 0 1 2 0\n10 1 -2 0 3 4 0\n10 d 1 2 3 4 0\n11 1 0 9 10 0\n12 2 0 11 5 6 0\n13 0 11 12 7 8 0\n";

fn cube() -> Cnf {
    Cnf::read(CUBE.as_bytes()).expect("DIMACS")
}

fn steps(proof: &[u8]) -> Result<Vec<Step>, Error> {
    let (mut reader, mut step, mut all) = (Reader::new(proof), Step::default(), Vec::new());
    while reader.read(&mut step)? {
        all.push(step.clone());
    }
    Ok(all)
}

fn text(steps: &[Step]) -> Vec<u8> {
    let mut out = String::new();
    let mut last = 0;
    for step in steps {
        match step.id {
            Some(id) => {
                out += &format!("{id} ");
                step.literals.iter().for_each(|l| out += &format!("{l} "));
                out += "0 ";
                last = id;
            }
            None => out += &format!("{last} d "),
        }
        step.hints.iter().for_each(|h| out += &format!("{h} "));
        out += "0\n";
    }
    out.into_bytes()
}

fn binary(steps: &[Step]) -> Vec<u8> {
    fn put(out: &mut Vec<u8>, n: i64) {
        let mut x = 2 * n.unsigned_abs() + u64::from(n < 0);
        while x > 0x7f {
            out.push(x as u8 | 0x80);
            x >>= 7;
        }
        out.push(x as u8);
    }
    let mut out = Vec::new();
    for step in steps {
        match step.id {
            Some(id) => {
                out.push(b'a');
                put(&mut out, id as i64);
                step.literals.iter().for_each(|l| put(&mut out, i64::from(*l)));
                out.push(0);
            }
            None => out.push(b'd'),
        }
        step.hints.iter().for_each(|h| put(&mut out, *h as i64));
        out.push(0);
    }
    out
}

/// Whether some assignment makes all clauses true, by trying them all.
fn is_satisfiable(clauses: &[Vec<i32>], variables: u32) -> bool {
    let holds = |assignment: u32, l: &i32| (assignment >> (l.unsigned_abs() - 1) & 1 == 1) == (*l > 0);
    (0..1u32 << variables).any(|a| clauses.iter().all(|clause| clause.iter().any(|l| holds(a, l))))
}

fn cnf_of(clauses: &[Vec<i32>]) -> Cnf {
    let mut cnf = Cnf::new();
    clauses.iter().for_each(|clause| cnf.add(clause));
    cnf
}

/// A proof by resolving variables away one after the other (Davis and Putnam), hints and all; nothing if the clauses can be true.
fn refuted(clauses: &[Vec<i32>], variables: i32) -> Option<Vec<Step>> {
    let mut known: Vec<(u64, Vec<i32>)> = clauses
        .iter()
        .enumerate()
        .filter(|(_, clause)| !clause.iter().any(|l| clause.contains(&-l)))
        .map(|(i, clause)| (i as u64 + 1, clause.clone()))
        .collect();
    let mut next = clauses.len() as u64 + 1;
    let mut proof: Vec<Step> = Vec::new();
    for v in 1..=variables {
        let (with, without): (Vec<_>, Vec<_>) = known.into_iter().partition(|(_, c)| c.contains(&v) || c.contains(&-v));
        known = without;
        for (i, left) in with.iter().filter(|(_, c)| c.contains(&v)) {
            for (j, right) in with.iter().filter(|(_, c)| c.contains(&-v)) {
                let mut both: Vec<i32> = left.iter().chain(right).copied().filter(|l| l.abs() != v).collect();
                both.sort_unstable();
                both.dedup();
                if both.iter().any(|l| both.contains(&-l)) || known.iter().any(|(_, c)| *c == both) {
                    continue;
                }
                proof.push(Step { id: Some(next), literals: both.clone(), hints: vec![*i, *j] });
                known.push((next, both));
                next += 1;
                if proof.last().is_some_and(|step| step.literals.is_empty()) {
                    return Some(proof);
                }
            }
        }
        let gone: Vec<u64> = with.iter().map(|(i, _)| *i).collect();
        if !gone.is_empty() {
            proof.push(Step { id: None, literals: Vec::new(), hints: gone });
        }
    }
    None
}

fn random_clauses(rng: &mut Rng, variables: usize, count: usize) -> Vec<Vec<i32>> {
    let literal = |rng: &mut Rng| (rng.below(variables) as i32 + 1) * if rng.below(2) == 0 { 1 } else { -1 };
    let clause = |rng: &mut Rng| {
        let mut clause: Vec<i32> = (0..1 + rng.below(3)).map(|_| literal(rng)).collect();
        clause.sort_unstable();
        clause.dedup();
        clause
    };
    (0..count).map(|_| clause(rng)).collect()
}

#[test]
fn a_proof_in_both_formats() {
    let done = check(&cube(), CUBE_PROOF.as_bytes()).expect("a proof");
    assert_eq!((done.steps, done.hints), (5, 13));
    let all = steps(CUBE_PROOF.as_bytes()).expect("readable");
    let binary = binary(&all);
    assert_eq!(Format::of(&binary), Format::Binary);
    assert_eq!(steps(&binary).expect("readable"), all);
    assert_eq!(check(&cube(), &binary), Ok(done));
}

#[test]
fn each_mistake_has_its_name() {
    let refused = |proof: &str| check(&cube(), proof.as_bytes()).expect_err(proof);
    let step = |id, why| Error::Step { id, why };
    assert_eq!(refused(""), Error::NoEmptyClause);
    assert_eq!(refused("9 1 2 0 1 2 0\n"), Error::NoEmptyClause);
    assert_eq!(refused("9 0 1 0\n"), step(9, Why::HintNotUnit(1)));
    assert_eq!(refused("9 1 2 0 1 0\n"), step(9, Why::NoConflict));
    assert_eq!(refused("9 1 2 0 1 3 0\n"), step(9, Why::HintNotUnit(3)));
    assert_eq!(refused("9 1 2 0 1 99 0\n"), step(9, Why::NoSuchClause(99)));
    assert_eq!(refused("9 1 2 0 1 9 0\n"), step(9, Why::NoSuchClause(9)));
    assert_eq!(refused("8 1 2 0 1 2 0\n"), step(8, Why::NumberNotNew));
    assert_eq!(refused("9 1 4 0 1 2 0\n"), step(9, Why::UnknownVariable(4)));
    assert_eq!(refused("9 1 -1 0 1 2 0\n"), step(9, Why::Tautology));
    assert_eq!(refused("8 d 1 0\n9 1 2 0 1 2 0\n"), step(9, Why::NoSuchClause(1)));
    assert_eq!(refused("8 d 1 1 0\n"), step(8, Why::NoSuchClause(1)));
    for unreadable in [
        "x",
        "9",
        "9 1 2 0 1 2",
        "9 1 2",
        "9 1 2 0 -1 2 0\n",
        "9 1 99999999999 0 0",
        "-9 1 0 0",
        "9 1 2 0 1 d 0",
        "9 -0x1 0 0",
    ] {
        assert!(matches!(refused(unreadable), Error::Format { .. }), "{unreadable}: {:?}", refused(unreadable));
    }
    for unreadable in [
        &b"a"[..],
        b"a\x12",
        b"a\x12\x02",
        b"a\x12\x00\x02",
        b"d",
        b"d\x02",
        b"a\x12\x00\x03\x00",
        b"ax",
        b"a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00",
    ] {
        assert!(matches!(check(&cube(), unreadable), Err(Error::Format { .. })), "{unreadable:?}");
    }
}

#[test]
fn what_is_not_dimacs_is_refused() {
    for bad in [
        "",
        "p cnf",
        "p cnf 3",
        "p cnf 3 1",
        "p cnf 1 1\n2 0\n",
        "p cnf 1 1\n1\n",
        "1 0\np cnf 1 1\n",
        "p cnf 1 1\n1 0\n1 0\n",
        "p cnf 1 1\nx 0\n",
        "p cnf 1 1\n1.0 0\n",
        "p cnf -1 1\n1 0\n",
        "p cnf 1 1 1\n1 0\n",
        "p dnf 1 1\n1 0\n",
        "p cnf 1 1\np cnf 1 1\n1 0\n",
        "p cnf 9999999999 1\n999999999 0\n",
        "p cnf 99999999999999999999 1\n1 0\n",
        "p cnf 9999999999 1\n-9223372036854775808 0\n",
        "p cnf 9 1\n-- 0\n",
    ] {
        assert!(matches!(Cnf::read(bad.as_bytes()), Err(Error::Dimacs { .. })), "{bad}");
    }
    assert!(
        Cnf::read(b"p cnf 4000000000 0\n").is_ok_and(|cnf| cnf.is_empty()),
        "no variable is used: nothing is kept for it"
    );
}

#[test]
fn clauses_survive_being_written() {
    let cnf = cube();
    assert_eq!(Cnf::read(cnf.write().as_bytes()), Ok(cnf));
    let mut with_empty = Cnf::new();
    with_empty.add(&[]);
    assert_eq!(Cnf::read(with_empty.write().as_bytes()), Ok(with_empty.clone()));
    assert!(check(&with_empty, b"").is_ok(), "the empty clause is given");
}

/// Literals that are there twice count once.
#[test]
fn a_literal_twice_is_one() {
    let cnf = cnf_of(&[vec![1, 1], vec![-1, -1]]);
    assert!(check(&cnf, b"3 0 1 2 0\n").is_ok());
}

#[test]
fn random_refutations_are_accepted_and_none_of_what_can_be_true() {
    let mut rng = Rng(29);
    let (mut accepted, mut satisfiable) = (0, 0);
    for case in 0..3_000 {
        let variables = 2 + rng.below(5);
        let count = variables * (1 + rng.below(5));
        let clauses = random_clauses(&mut rng, variables, count);
        match refuted(&clauses, variables as i32) {
            Some(proof) => {
                assert!(!is_satisfiable(&clauses, variables as u32), "case {case}");
                let cnf = cnf_of(&clauses);
                assert!(check(&cnf, &text(&proof)).is_ok(), "case {case}: {clauses:?} {proof:?}");
                assert!(check(&cnf, &binary(&proof)).is_ok(), "case {case}");
                accepted += 1;
            }
            None => {
                assert!(is_satisfiable(&clauses, variables as u32), "case {case}");
                satisfiable += 1;
            }
        }
    }
    assert!(accepted > 500 && satisfiable > 500, "{accepted} {satisfiable}");
}

/// A proof of something else is refused unless it is one of this too: clauses that can be true have no proof, whatever is
/// done to a right one.
#[test]
fn mutants_prove_nothing_that_is_false() {
    let mut rng = Rng(2029);
    let (mut refused, mut still_right) = (0, 0);
    let mut cases = 0;
    while cases < 600 {
        let variables = 3 + rng.below(4);
        let clauses = random_clauses(&mut rng, variables, variables * 5);
        let Some(proof) = refuted(&clauses, variables as i32) else { continue };
        cases += 1;
        for _ in 0..40 {
            let (mut clauses, mut proof) = (clauses.clone(), proof.clone());
            let at = rng.below(proof.len());
            let what = rng.below(9);
            let literal =
                |rng: &mut Rng| (rng.below(variables + 1) as i32 + 1) * if rng.below(2) == 0 { 1 } else { -1 };
            match what {
                0 => _ = clauses.remove(rng.below(clauses.len())),
                1 => {
                    let clause = rng.below(clauses.len());
                    clauses[clause].push(rng.below(variables) as i32 + 1);
                }
                2 => _ = proof.remove(at),
                3 if !proof[at].hints.is_empty() => {
                    let hint = rng.below(proof[at].hints.len());
                    proof[at].hints[hint] = 1 + rng.next() % (clauses.len() + proof.len() + 3) as u64;
                }
                4 if !proof[at].hints.is_empty() => _ = proof[at].hints.pop(),
                5 => proof[at].literals.push(literal(&mut rng)),
                6 => _ = proof[at].literals.pop(),
                7 => proof[at].id = proof[at].id.map(|id| id + rng.next() % 3),
                _ => proof[at].hints.reverse(),
            }
            let cnf = cnf_of(&clauses);
            let answers = [check(&cnf, &text(&proof)), check(&cnf, &binary(&proof))];
            assert_eq!(answers[0].is_ok(), answers[1].is_ok(), "the formats differ: {clauses:?} {proof:?}");
            if answers[0].is_ok() {
                still_right += 1;
                assert!(!is_satisfiable(&clauses, variables as u32), "a false proof: {clauses:?} {proof:?}");
            } else {
                refused += 1;
            }
        }
    }
    assert!(refused > 10_000 && still_right > 100, "{refused} refused, {still_right} still right");
}

/// Every clause of a proof without idle steps matters: with any of the clauses that are used dropped, it is refused.
#[test]
fn without_a_clause_that_is_used_there_is_no_proof() {
    let clauses: Vec<Vec<i32>> = cube().clauses().map(<[i32]>::to_vec).collect();
    for dropped in 0..clauses.len() {
        let mut fewer = clauses.clone();
        fewer.remove(dropped);
        assert!(check(&cnf_of(&fewer), CUBE_PROOF.as_bytes()).is_err(), "{dropped}");
    }
}

/// Every beginning of a proof is refused, and nothing panics on it.
#[test]
fn truncated_files_are_refused() {
    let all = steps(CUBE_PROOF.as_bytes()).expect("readable");
    for proof in [text(&all), binary(&all)] {
        // The very last bytes are the end of the line, which nobody needs.
        for length in 0..proof.len() - 1 {
            assert!(check(&cube(), &proof[..length]).is_err(), "{length}");
        }
    }
    for length in 0..CUBE.len() - 2 {
        assert!(Cnf::read(&CUBE.as_bytes()[..length]).is_err(), "{length}");
    }
}

/// Whatever the bytes are: an answer, and never a proof of what can be true.
#[test]
fn hostile_bytes_do_no_harm() {
    let mut rng = Rng(77);
    let all = steps(CUBE_PROOF.as_bytes()).expect("readable");
    let mut possible = cube().clauses().map(<[i32]>::to_vec).collect::<Vec<_>>();
    possible.pop();
    let possible = cnf_of(&possible);
    for proof in [text(&all), binary(&all), CUBE.as_bytes().to_vec()] {
        for _ in 0..20_000 {
            let mut bytes = proof.clone();
            for _ in 0..1 + rng.below(4) {
                let at = rng.below(bytes.len());
                match rng.below(3) {
                    0 => bytes[at] = rng.next() as u8,
                    1 => _ = bytes.remove(at),
                    _ => bytes.insert(at, b"0123456789- \nacd\x80\xff"[rng.below(18)]),
                }
            }
            assert!(check(&possible, &bytes).is_err(), "{bytes:?}");
            if let Ok(cnf) = Cnf::read(&bytes) {
                let clauses: Vec<Vec<i32>> = cnf.clauses().map(<[i32]>::to_vec).collect();
                if cnf.variables() <= 12 && check(&cnf, CUBE_PROOF.as_bytes()).is_ok() {
                    assert!(!is_satisfiable(&clauses, cnf.variables() as u32), "{bytes:?}");
                }
            }
        }
    }
}
