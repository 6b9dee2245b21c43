//! The written system against the automaton: a small simulator of BTOR2 runs the system on random inputs, and the automaton,
//! walked with the same inputs as those of a witness, gets to the same place.

use cfa::{Program, Property};
use cfront::types::DataModel;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Bits as a number; arrays as what differs from their default.
#[derive(Clone, PartialEq, Debug)]
enum Value {
    Bits(u128),
    Array(BTreeMap<u128, u128>, u128),
}

#[derive(Clone, Copy)]
enum Sort {
    Bits(u32),
    Array(u32),
}

struct System {
    lines: Vec<Vec<String>>,
    sorts: BTreeMap<usize, Sort>,
}

impl System {
    fn read(text: &str) -> System {
        let lines: Vec<Vec<String>> = text
            .lines()
            .filter(|line| !line.starts_with(';'))
            .map(|line| line.split(' ').map(str::to_owned).collect())
            .collect();
        let mut sorts = BTreeMap::new();
        for (i, line) in lines.iter().enumerate() {
            assert_eq!(line[0], (i + 1).to_string(), "lines are numbered in order");
            match &line[1..] {
                [sort, kind, width, ..] if sort == "sort" && kind == "bitvec" => {
                    sorts.insert(i + 1, Sort::Bits(width.parse().unwrap()));
                }
                [sort, _, _, elem] if sort == "sort" => {
                    let Sort::Bits(width) = sorts[&elem.parse().unwrap()] else { panic!("arrays do not nest") };
                    sorts.insert(i + 1, Sort::Array(width));
                }
                [_, refs @ ..] => {
                    let is_earlier = |word: &String| word.parse::<usize>().is_ok_and(|n| n <= i);
                    assert!(refs.first().is_none_or(is_earlier), "{line:?} refers to what comes later");
                }
                [] => panic!("an empty line"),
            }
        }
        System { lines, sorts }
    }

    /// Runs on inputs until a bad state or for so many steps: the witness, and the name of the bad state.
    fn run(&self, random: &mut u64, steps: usize) -> (String, Option<String>) {
        let mut next_random = || {
            *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Small numbers now and then: programs ask for them.
            let all = (*random >> 20) as u128 * 0x1_0000_0001_0001;
            if *random >> 33 & 3 == 0 { all } else { all >> 5 & 7 }
        };
        let mut witness = String::from("sat\nb0\n");
        let mut state: BTreeMap<usize, Value> = BTreeMap::new();
        for frame in 0..steps {
            let mut values: BTreeMap<usize, Value> = BTreeMap::new();
            let mut next: BTreeMap<usize, Value> = BTreeMap::new();
            let (mut states, mut inputs) = (String::new(), String::new());
            let mut bad = None;
            // Initial values are there before they are needed: states with one are written after it.
            if frame == 0 {
                for line in self.lines.iter().filter(|line| line[1] == "init") {
                    let [of, value] = [3, 4].map(|i| line[i].parse::<usize>().unwrap());
                    assert!(value < of, "the initial value of {of} comes after it");
                    let digits = &self.lines[value - 1][3];
                    let value = u128::from_str_radix(digits, 2).unwrap();
                    let is_array = matches!(self.sorts[&line[2].parse().unwrap()], Sort::Array(_));
                    let value = if is_array { Value::Array(BTreeMap::new(), value) } else { Value::Bits(value) };
                    state.insert(of, value);
                }
            }
            for (i, line) in self.lines.iter().enumerate() {
                let id = i + 1;
                let number = |word: usize| line[word].parse::<usize>().unwrap();
                let sort = || self.sorts[&number(2)];
                match line[1].as_str() {
                    "sort" | "init" => {}
                    kind @ ("state" | "input") => {
                        let known = if kind == "state" { state.get(&id).cloned() } else { None };
                        let is_new = known.is_none();
                        let value = known.unwrap_or_else(|| match sort() {
                            Sort::Bits(width) => Value::Bits(masked(next_random(), width)),
                            Sort::Array(width) => Value::Array(BTreeMap::new(), masked(0, width)),
                        });
                        if let (Value::Bits(bits), Sort::Bits(width), Some(name)) = (&value, sort(), line.get(3)) {
                            let text = format!("{id} {bits:0width$b} {name}", width = width as usize);
                            match kind {
                                "state" if is_new && frame == 0 => writeln!(states, "{text}#{frame}").unwrap(),
                                "input" => writeln!(inputs, "{text}@{frame}").unwrap(),
                                _ => {}
                            }
                        }
                        values.insert(id, value);
                    }
                    "next" => _ = next.insert(number(3), values[&number(4)].clone()),
                    "bad" => {
                        if values[&number(2)] == Value::Bits(1) {
                            bad = Some(line[3].clone());
                        }
                    }
                    _ => _ = values.insert(id, self.node(line, &values)),
                }
            }
            if frame == 0 {
                witness += &format!("#0\n{states}");
            }
            witness += &format!("@{frame}\n{inputs}");
            if bad.is_some() {
                return (witness + ".\n", bad);
            }
            state = next;
        }
        (witness + ".\n", None)
    }

    fn node(&self, line: &[String], values: &BTreeMap<usize, Value>) -> Value {
        let number = |word: usize| line[word].parse::<usize>().unwrap();
        let sort = self.sorts[&number(2)];
        let Sort::Bits(width) = sort else {
            return match line[1].as_str() {
                "ite" if values[&number(3)] == Value::Bits(1) => values[&number(4)].clone(),
                "ite" => values[&number(5)].clone(),
                "write" => {
                    let Value::Array(mut cells, default) = values[&number(3)].clone() else { panic!("{line:?}") };
                    let (Value::Bits(index), Value::Bits(elem)) = (&values[&number(4)], &values[&number(5)]) else {
                        panic!("{line:?}")
                    };
                    cells.insert(*index, *elem);
                    cells.retain(|_, elem| *elem != default);
                    Value::Array(cells, default)
                }
                _ => panic!("{line:?}"),
            };
        };
        if line[1] == "const" {
            assert_eq!(line[3].len(), width as usize);
            return Value::Bits(u128::from_str_radix(&line[3], 2).unwrap());
        }
        if let ("eq", Value::Array(..)) = (line[1].as_str(), &values[&number(3)]) {
            return Value::Bits(u128::from(values[&number(3)] == values[&number(4)]));
        }
        if let ("read", Value::Array(cells, default)) = (line[1].as_str(), &values[&number(3)]) {
            let Value::Bits(index) = &values[&number(4)] else { panic!("{line:?}") };
            return Value::Bits(cells.get(index).copied().unwrap_or(*default));
        }
        let bits = |word: usize| match &values[&number(word)] {
            Value::Bits(bits) => *bits,
            Value::Array(..) => panic!("{line:?}"),
        };
        let wide = |word: usize| self.width(number(word));
        let signed = |word: usize| sign_extended(bits(word), wide(word));
        let test = |holds: bool| u128::from(holds);
        let fits = |value: i128, width: u32| value == sign_extended(masked(value as u128, width), width);
        let result = match line[1].as_str() {
            "not" => !bits(3),
            "and" => bits(3) & bits(4),
            "or" => bits(3) | bits(4),
            "xor" => bits(3) ^ bits(4),
            "ite" => [bits(5), bits(4)][bits(3) as usize],
            "eq" => test(bits(3) == bits(4)),
            "neg" => bits(3).wrapping_neg(),
            "add" => bits(3).wrapping_add(bits(4)),
            "mul" => bits(3).wrapping_mul(bits(4)),
            "udiv" => bits(3).checked_div(bits(4)).unwrap_or(u128::MAX),
            "urem" => bits(3).checked_rem(bits(4)).unwrap_or(bits(3)),
            "sdiv" if bits(4) == 0 => {
                if signed(3) < 0 {
                    1
                } else {
                    u128::MAX
                }
            }
            "sdiv" => signed(3).wrapping_div(signed(4)) as u128,
            "srem" if bits(4) == 0 => bits(3),
            "srem" => signed(3).wrapping_rem(signed(4)) as u128,
            "sll" => {
                if bits(4) < width.into() {
                    bits(3) << bits(4)
                } else {
                    0
                }
            }
            "srl" => {
                if bits(4) < width.into() {
                    bits(3) >> bits(4)
                } else {
                    0
                }
            }
            "sra" => (signed(3) >> bits(4).min(127)) as u128,
            "concat" => bits(3) << wide(4) | bits(4),
            "slice" => bits(3) >> number(5),
            "uext" => bits(3),
            "sext" => signed(3) as u128,
            "ult" => test(bits(3) < bits(4)),
            "ulte" => test(bits(3) <= bits(4)),
            "slt" => test(signed(3) < signed(4)),
            "slte" => test(signed(3) <= signed(4)),
            "saddo" => test(!fits(signed(3) + signed(4), wide(3))),
            "ssubo" => test(!fits(signed(3) - signed(4), wide(3))),
            "smulo" => test(!signed(3).checked_mul(signed(4)).is_some_and(|product| fits(product, wide(3)))),
            other => panic!("unknown operator {other}"),
        };
        Value::Bits(masked(result, width))
    }

    fn width(&self, line: usize) -> u32 {
        match self.sorts[&self.lines[line - 1][2].parse().unwrap()] {
            Sort::Bits(width) | Sort::Array(width) => width,
        }
    }
}

fn masked(value: u128, width: u32) -> u128 {
    if width >= 128 { value } else { value & ((1 << width) - 1) }
}

fn sign_extended(value: u128, width: u32) -> i128 {
    (value as i128) << (128 - width) >> (128 - width)
}

fn flat(text: &str) -> Program {
    let input = cfront::Input::Text { name: "p.c".into(), text: text.to_owned() };
    let unit =
        cfront::load(&[input], &cfront::Options::new(DataModel::Ilp32)).unwrap_or_else(|f| panic!("{}", f.render()));
    let options = lower::Options {
        properties: vec![Property::UnreachCall, Property::NoOverflow, Property::ValidDeref],
        ..lower::Options::default()
    };
    let lowered = lower::lower(&unit, &options).unwrap_or_else(|e| panic!("{e:?}"));
    transform::pipeline::prepare(&lowered, &transform::pipeline::Settings::new(transform::Aim::Targets)).program
}

const HEAD: &str =
    "void reach_error(void); int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void);\n";

const PROGRAMS: [&str; 5] = [
    // A counter, an input in each round.
    "int main(void){ int s=0; for(int i=0;i<6;i++){ if(__VERIFIER_nondet_int()>3) s++; } if(s==5) reach_error(); }",
    // Division, remainder, shifts, signs.
    "int main(void){ int a=__VERIFIER_nondet_int(), b=__VERIFIER_nondet_int(); if(b!=0 && b!=-1 && a/b>=1 && a%b==1 && (a>>1)<(a<<1)) reach_error(); }",
    // An array with unknown indices.
    "int main(void){ unsigned char a[8]={0}; for(int i=0;i<4;i++) a[__VERIFIER_nondet_uchar()&7]+=i; if(a[2]==3 && a[3]!=0) reach_error(); }",
    // Overflow.
    "int main(void){ int x=__VERIFIER_nondet_int(); int y=__VERIFIER_nondet_int(); int z=x*y; return z-x; }",
    // Out of bounds.
    "int t[4]; int main(void){ unsigned char i=__VERIFIER_nondet_uchar(); while(i>2) i-=2; t[i+__VERIFIER_nondet_uchar()%4]=1; }",
];

#[test]
fn the_system_and_the_automaton_get_to_the_same_places() {
    for text in PROGRAMS {
        let program = flat(&format!("{HEAD}{text}"));
        let system = System::read(&btor2::write(&program).unwrap_or_else(|e| panic!("{text}: {e}")));
        let mut random = 7;
        let (mut bad_ones, mut others) = (0, 0);
        for _ in 0..400 {
            let (witness, bad) = system.run(&mut random, 120);
            let trace = btor2::trace(&program, &witness);
            match bad {
                Some(bad) => {
                    let trace = trace.unwrap_or_else(|e| panic!("{text}: {e}\n{witness}"));
                    assert_eq!(trace.target.to_string(), bad, "{text}\n{witness}");
                    bad_ones += 1;
                }
                None => {
                    assert!(trace.is_err(), "{text}: the automaton reaches an error, the system does not\n{witness}");
                    others += 1;
                }
            }
        }
        assert!(bad_ones > 0 && others > 0, "{text}: {bad_ones} runs reach an error, {others} do not");
    }
}

#[test]
fn what_the_format_cannot_say_is_refused_by_name() {
    let text = "double __VERIFIER_nondet_double(void); void reach_error(void); int main(void){ if(__VERIFIER_nondet_double()>1.5) reach_error(); }";
    let refused = btor2::write(&flat(text)).unwrap_err();
    assert!(refused.to_string().contains("floats"), "{refused}");
}

#[test]
fn a_witness_that_is_none_is_refused() {
    let program = flat(&format!("{HEAD}{}", PROGRAMS[0]));
    for (text, why) in [
        ("", "begins with"),
        ("unsat\n", "begins with"),
        ("sat\nb0\n@0\n", "no end"),
        ("sat\nb0\n@0\n1 2 3 4 5\n.\n", "no assignment"),
        ("sat\nb0\n@3\n@2\n.\n", "no frame"),
        ("sat\nb0\n@99999999999999\n.\n", "no frame"),
        ("sat\nb0\n@0\n.\n", "no error"),
    ] {
        let wrong = btor2::trace(&program, text).unwrap_err();
        assert!(wrong.contains(why), "{text:?}: {wrong}");
    }
}
