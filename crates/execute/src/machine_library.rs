//! What the models leave open, from the machine's own C library: in `foldback run` a program gets the numbers that it would
//! get as a compiled program (`sin`, `rand`, the text of a float). Verification never asks here.

use cfa::Origin;
use interpreter::{Ask, FloatText, Inputs};
use std::collections::BTreeSet;
use term::{Bits, FloatValue, Format, Sort, Value};

/// The functions of the C library that are called. All are safe to call with any numbers.
#[allow(unsafe_code)]
mod c {
    macro_rules! functions {
        ($table:ident, $type:ty, ($($one:ident)*), ($($two:ident)*)) => {
            pub(super) mod $table {
                mod linked {
                    unsafe extern "C" {
                        $(pub(super) safe fn $one(x: $type) -> $type;)*
                        $(pub(super) safe fn $two(x: $type, y: $type) -> $type;)*
                    }
                }
                pub(in super::super) fn of_one(name: &str, x: $type) -> Option<$type> {
                    match name {
                        $(stringify!($one) => Some(linked::$one(x)),)*
                        _ => None,
                    }
                }
                pub(in super::super) fn of_two(name: &str, x: $type, y: $type) -> Option<$type> {
                    match name {
                        $(stringify!($two) => Some(linked::$two(x, y)),)*
                        _ => None,
                    }
                }
            }
        };
    }

    functions!(
        double,
        f64,
        (sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p cbrt erf
            erfc tgamma lgamma),
        (pow atan2 hypot)
    );
    functions!(
        single,
        f32,
        (sinf cosf tanf asinf acosf atanf sinhf coshf tanhf asinhf acoshf atanhf expf exp2f exp10f expm1f logf log2f log10f
            log1pf cbrtf erff erfcf tgammaf lgammaf),
        (powf atan2f hypotf)
    );

    unsafe extern "C" {
        pub(super) safe fn rand() -> i32;
        pub(super) safe fn random() -> i64;
        pub(super) safe fn lrand48() -> i64;
        pub(super) safe fn mrand48() -> i64;
        pub(super) safe fn drand48() -> f64;
        pub(super) safe fn clock() -> i64;
        pub(super) safe fn srand(seed: u32);
        pub(super) safe fn srandom(seed: u32);
        pub(super) safe fn srand48(seed: i64);
    }
}

/// Values for what is left open; other inputs come from elsewhere.
pub struct MachineLibrary<'i> {
    inputs: Box<dyn Inputs + 'i>,
    /// Whether inputs that the library could give (`rand`) are its business too.
    gives_inputs: bool,
    /// The functions that were called.
    pub called: BTreeSet<String>,
}

impl<'i> MachineLibrary<'i> {
    pub fn new(inputs: Box<dyn Inputs + 'i>, gives_inputs: bool) -> MachineLibrary<'i> {
        MachineLibrary { inputs, gives_inputs, called: BTreeSet::new() }
    }

    fn call(&mut self, ask: &Ask<'_>) -> Option<Value> {
        let (name, is_input) = match ask.origin {
            Origin::Extern(name) => (name.as_str(), false),
            Origin::Input(name) => (name.as_str(), true),
            _ => return None,
        };
        if is_input && !self.gives_inputs {
            return None;
        }
        let value = if is_input { random(name, ask.sort) } else { computed(name, ask) };
        let shown = shown(name);
        if value.is_some() && !shown.is_empty() {
            self.called.insert(shown.to_owned());
        }
        // Nothing fails that the program could not see fail.
        let succeeds = !is_input && matches!(name, "printf" | "errno");
        value.or_else(|| succeeds.then(|| Value::zero(ask.sort)))
    }
}

impl Inputs for MachineLibrary<'_> {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        match self.call(ask) {
            Some(value) => value,
            None => self.inputs.value(ask),
        }
    }

    fn leaves_blank(&self) -> bool {
        self.inputs.leaves_blank()
    }

    fn initial(&mut self, var: cfa::Var, sort: Sort) -> Value {
        self.inputs.initial(var, sort)
    }

    fn contents(&mut self, ask: &Ask<'_>, bytes: &mut [u8]) -> bool {
        self.inputs.contents(ask, bytes)
    }

    fn choose(&mut self, count: usize) -> usize {
        self.inputs.choose(count)
    }
}

/// The function whose result it is, where that is worth telling: texts of floats are exact.
fn shown(name: &str) -> &str {
    match name {
        "__foldback_decimal" => "",
        _ if name.starts_with("__foldback_") => "",
        "strtof" => "",
        _ => name,
    }
}

fn random(name: &str, sort: Sort) -> Option<Value> {
    let number = match name {
        "rand" => i64::from(c::rand()),
        "random" => c::random(),
        "lrand48" => c::lrand48(),
        "mrand48" => c::mrand48(),
        "clock" => c::clock(),
        "drand48" => {
            return (sort == Sort::Float(Format::F64)).then(|| Value::Float(FloatValue::from_f64(c::drand48())));
        }
        _ => return None,
    };
    word(number, sort)
}

fn word(number: i64, sort: Sort) -> Option<Value> {
    let width = sort.bv_width()?;
    let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
    Some(Value::Bv(Bits::new(i128::from(number) as u128 & mask, width)))
}

/// What the library computes from the arguments of the function being executed.
fn computed(name: &str, ask: &Ask<'_>) -> Option<Value> {
    match name {
        "__foldback_float_length" | "__foldback_long_float_length" => {
            let text = float_text(ask)?;
            word(text.len() as i64, ask.sort)
        }
        "__foldback_float_char" | "__foldback_long_float_char" => {
            let position = integer(ask, 5)?;
            word(i64::from(*float_text(ask)?.get(usize::try_from(position).ok()?)?), ask.sort)
        }
        "__foldback_decimal" | "strtof" => decimal(ask),
        "srand" | "srandom" | "srand48" => {
            let seed = integer(ask, 0)?;
            match name {
                "srand" => c::srand(seed as u32),
                "srandom" => c::srandom(seed as u32),
                _ => c::srand48(seed),
            }
            Some(Value::zero(ask.sort))
        }
        _ => match (ask.parameter(0)?, ask.parameter(1)) {
            (Value::Float(x), y) if x.format() == Format::F64 => {
                let (x, y) = (x.to_f64()?, y.and_then(|y| y.as_float()).and_then(FloatValue::to_f64));
                let value = y.and_then(|y| c::double::of_two(name, x, y)).or_else(|| c::double::of_one(name, x))?;
                Some(Value::Float(FloatValue::from_f64(value)))
            }
            (Value::Float(x), y) if x.format() == Format::F32 => {
                let (x, y) = (x.to_f32()?, y.and_then(|y| y.as_float()).and_then(FloatValue::to_f32));
                let value = y.and_then(|y| c::single::of_two(name, x, y)).or_else(|| c::single::of_one(name, x))?;
                Some(Value::Float(FloatValue::from_f32(value)))
            }
            _ => None,
        },
    }
}

fn integer(ask: &Ask<'_>, position: usize) -> Option<i64> {
    let value = ask.parameter(position)?;
    let bits = value.as_bits()?;
    let (width, number) = (bits.width(), bits.to_u64()?);
    let shift = 64 - width.min(64);
    Some((number << shift) as i64 >> shift)
}

/// The text of a floating conversion: see `format.c` for the parameters.
fn float_text(ask: &Ask<'_>) -> Option<Vec<u8>> {
    let flags = integer(ask, 1)?;
    let has = |bit: i64| flags & bit != 0;
    let text = FloatText {
        conversion: integer(ask, 0)? as u8,
        left: has(1),
        plus: has(2),
        space: has(4),
        alternative: has(8),
        zero: has(16),
        width: usize::try_from(integer(ask, 2)?).ok()?,
        precision: usize::try_from(integer(ask, 3)?).ok(),
    };
    text.of(ask.parameter(4)?.as_float()?)
}

/// The number at the start of the string that the first parameter points to; without its sign where the model adds it.
fn decimal(ask: &Ask<'_>) -> Option<Value> {
    let Sort::Float(format) = ask.sort else { return None };
    let address = ask.parameter(0)?.as_bits()?.to_u64()?;
    let text = ask.string(address)?;
    let text = text.trim_ascii_start();
    let (is_negative, digits) = match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, text),
    };
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-');
    let most = digits.iter().take_while(|byte| is_part(byte)).count();
    let number =
        (1..=most).rev().find_map(|end| std::str::from_utf8(&digits[..end]).ok()?.parse::<f64>().ok().map(|_| end))?;
    let number = std::str::from_utf8(&digits[..number]).ok()?;
    let value = match format {
        Format::F64 => FloatValue::from_f64(number.parse().ok()?),
        Format::F32 => FloatValue::from_f32(number.parse().ok()?),
        _ => return None,
    };
    let adds_sign = matches!(ask.origin, Origin::Extern(name) if name == "__foldback_decimal");
    Some(Value::Float(if is_negative && !adds_sign { value.neg() } else { value }))
}
