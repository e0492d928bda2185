//! Python's `int`: a whole number of any size.
//!
//! The lessons never calculate with one, they only read, show and compare it; so it is kept as the decimal digits it
//! prints as, which needs no library of big numbers.

use super::float;
use std::fmt;

/// The longest `int` that Python reads from or writes as decimal digits (`sys.get_int_max_str_digits()`).
pub(super) const MAX_DIGITS: usize = 4300;

/// `int`: prints as Python prints it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Int(String);

impl Int {
    /// The number, where it fits.
    pub fn to_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }

    /// Reads digits of base 2, 8, 10 or 16, which the caller has checked. None for a number of more than 4300 decimal
    /// digits: Python refuses to read it (base 10) or to print it (any other base).
    pub(super) fn from_digits(digits: &str, radix: u32) -> Option<Self> {
        let digits = digits.trim_start_matches('0');
        let decimal = match radix {
            _ if digits.is_empty() => "0".to_string(),
            10 => digits.to_string(),
            // A digit carries `ilog2` bits, a decimal digit more than three: what is longer need not be converted.
            _ if digits.len() * radix.ilog2() as usize > MAX_DIGITS * 4 => return None,
            _ => to_decimal(digits, radix),
        };
        (decimal.len() <= MAX_DIGITS).then_some(Self(decimal))
    }

    /// `-self`
    pub(super) fn negated(&self) -> Self {
        match self.0.strip_prefix('-') {
            Some(digits) => Self(digits.to_string()),
            None if self.0 == "0" => self.clone(),
            None => Self(format!("-{}", self.0)),
        }
    }

    /// `float(self)`; none where Python raises OverflowError.
    pub(super) fn to_f64(&self) -> Option<f64> {
        Some(float::parse(&self.0)).filter(|value| value.is_finite())
    }
}

/// Long multiplication on limbs of 18 decimal digits, the least significant first.
fn to_decimal(digits: &str, radix: u32) -> String {
    const BASE: u64 = 1_000_000_000_000_000_000;
    let mut limbs = vec![0u64];
    for mut carry in digits.chars().filter_map(|digit| digit.to_digit(radix)).map(u64::from) {
        for limb in &mut limbs {
            let value = *limb * u64::from(radix) + carry;
            (*limb, carry) = (value % BASE, value / BASE);
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let (last, rest) = limbs.split_last().expect("there is a first limb");
    rest.iter().rev().fold(last.to_string(), |text, limb| format!("{text}{limb:018}"))
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<i64> for Int {
    fn from(value: i64) -> Self {
        Self(value.to_string())
    }
}

impl From<u64> for Int {
    fn from(value: u64) -> Self {
        Self(value.to_string())
    }
}
