//! A decimal number as Python's `float` reads it: the nearest double.
//!
//! serde_json reads it (with `float_roundtrip`), as it does the numbers of messages. std's own reader would give the same
//! number, and bring a table of 10 kB that hardly compresses into the page's program.

use serde_json::Value as Json;

/// Reads digits with a point or an exponent, of which the caller has checked the form. What is too large is infinite.
pub(super) fn parse(text: &str) -> f64 {
    let (sign, digits) = text.strip_prefix('-').map_or((1.0, text), |digits| (-1.0, digits));
    let (mantissa, exponent) = digits.find(['e', 'E']).map_or((digits, ""), |at| digits.split_at(at));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // JSON knows neither `007.5` nor `.5` nor `5.`.
    let json = format!("{}.{fraction}0{exponent}", or_zero(whole.trim_start_matches('0')));
    sign * serde_json::from_str::<Json>(&json).ok().and_then(|number| number.as_f64()).unwrap_or(f64::INFINITY)
}

fn or_zero(digits: &str) -> &str {
    if digits.is_empty() { "0" } else { digits }
}
