//! `seq`: bashkit's own stops after 100,000 lines, and what counts them then counts wrongly.

use super::options::{self, Known, Value};
use bashkit::{Command, CommandContext, CommandStatus, async_trait};

/// More lines than these are refused before the first is written.
const MAX_LINES: f64 = 10_000_000.0;

/// Bytes for each write.
const CHUNK: usize = 4096;

const KNOWN: Known = Known {
    short: "f:s:w",
    lacking: "",
    long: &[("format", Value::Needed, 'f'), ("separator", Value::Needed, 's'), ("equal-width", Value::None, 'w')],
};

/// Writes numbers.
pub(super) struct Seq;

#[async_trait]
impl Command for Seq {
    async fn execute(&self, ctx: CommandContext<'_>) -> bashkit::Result<CommandStatus> {
        let series = match Series::read(ctx.args) {
            Ok(series) => series,
            Err(complaint) => {
                ctx.stderr.write_all(format!("seq: {complaint}\n").as_bytes()).await?;
                return Ok(CommandStatus::with_code(1));
            }
        };
        let mut buffer = String::with_capacity(2 * CHUNK);
        for at in 0..series.count {
            if at > 0 {
                buffer.push_str(&series.separator);
            }
            series.write(at, &mut buffer);
            if buffer.len() >= CHUNK {
                ctx.stdout.write_all(buffer.as_bytes()).await?;
                buffer.clear();
            }
        }
        if series.count > 0 {
            buffer.push('\n');
        }
        ctx.stdout.write_all(buffer.as_bytes()).await?;
        Ok(CommandStatus::success())
    }
}

/// The numbers that were asked for, and how they look.
struct Series {
    first: f64,
    step: f64,
    count: u64,
    separator: String,
    /// The text around the number.
    around: (String, String),
    look: Look,
}

/// One conversion of `printf`.
struct Look {
    flags: String,
    width: usize,
    precision: usize,
    conversion: char,
}

impl Series {
    fn read(args: &[String]) -> Result<Self, String> {
        let misused = |complaint: String| format!("{complaint}\nTry 'seq --help' for more information.");
        // A negative number is no option: it ends them, unless it is the value of the option before it.
        let negative =
            |arg: &String| arg.len() > 1 && arg.starts_with('-') && !arg[1..].starts_with(char::is_alphabetic);
        let is_value = |at: usize| at > 0 && matches!(args[at - 1].as_str(), "-s" | "-f" | "--separator" | "--format");
        let end = (0..args.len()).find(|&at| negative(&args[at]) && !args[at].starts_with("--") && !is_value(at));
        let (before, after) = args.split_at(end.unwrap_or(args.len()));
        let mut given = options::read(before, &KNOWN).map_err(misused)?;
        given.operands.extend(after.iter().cloned());
        let numbers = given.operands.iter().map(|text| Number::read(text)).collect::<Result<Vec<_>, _>>();
        let numbers = numbers.map_err(misused)?;
        let one = Number { value: 1.0, decimals: 0, width: 1 };
        let (first, step, last) = match &numbers[..] {
            [] => return Err(misused("missing operand".into())),
            [last] => (&one, &one, last),
            [first, last] => (first, &one, last),
            [first, step, last] => (first, step, last),
            [_, _, _, ..] => return Err(misused(format!("extra operand ‘{}’", given.operands[3]))),
        };
        if step.value == 0.0 {
            return Err(misused(format!("invalid Zero increment value: ‘{}’", given.operands[1])));
        }
        let steps = (last.value - first.value) / step.value;
        // A step such as 0.1 is not exact, and the last number must not be lost to that.
        let count = if steps < 0.0 { 0.0 } else { (steps + 1e-9 * steps.clamp(1.0, 1e3)).floor() + 1.0 };
        if count > MAX_LINES || count.is_nan() {
            return Err(format!("{count} lines are more than this sandbox writes ({MAX_LINES}); nothing was written"));
        }
        let decimals = first.decimals.max(step.decimals);
        let (around, look) = match given.value('f') {
            Some(format) => read_format(format)?,
            None => {
                let point = |number: &Number| {
                    number.width + decimals + usize::from(decimals > 0 && number.decimals == 0)
                        - number.decimals
                        - usize::from(decimals == 0 && number.decimals > 0)
                };
                let width = if given.has('w') { point(first).max(point(last)) } else { 0 };
                (Default::default(), Look { flags: "0".into(), width, precision: decimals, conversion: 'f' })
            }
        };
        let separator = given.value('s').unwrap_or("\n").to_string();
        Ok(Self { first: first.value, step: step.value, count: count as u64, separator, around, look })
    }

    fn write(&self, at: u64, out: &mut String) {
        out.push_str(&self.around.0);
        self.look.write(self.first + at as f64 * self.step, out);
        out.push_str(&self.around.1);
    }
}

/// An operand.
struct Number {
    value: f64,
    /// Digits behind the point.
    decimals: usize,
    /// Characters.
    width: usize,
}

impl Number {
    fn read(text: &str) -> Result<Self, String> {
        let value = text.trim_start().parse::<f64>().ok().filter(|value| value.is_finite());
        let value = value.ok_or_else(|| format!("invalid floating point argument: ‘{text}’"))?;
        let mantissa = text.split(['e', 'E']).next().unwrap_or(text);
        let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        Ok(Self { value, decimals, width: text.trim_start().trim_start_matches('+').len() })
    }
}

/// The text around the one conversion, and the conversion.
fn read_format(format: &str) -> Result<((String, String), Look), String> {
    let hidden = format.replace("%%", "\0\0");
    let shown = |part: &str| part.replace("\0\0", "%");
    let none = || format!("format ‘{format}’ has no % directive");
    let start = hidden.find('%').ok_or_else(none)?;
    let rest = &hidden[start + 1..];
    let flags: String = rest.chars().take_while(|flag| "-+ 0#'".contains(*flag)).collect();
    let rest = &rest[flags.len()..];
    let digits = |text: &str| text.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(text.len());
    let (width, rest) = rest.split_at(digits(rest));
    let (precision, rest) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(digits(rest)),
        None => ("6", rest),
    };
    let unknown = || format!("format ‘{format}’ has unknown %{} directive", rest.chars().next().unwrap_or(' '));
    let conversion = rest.chars().next().filter(|letter| "feg".contains(*letter)).ok_or_else(unknown)?;
    if rest[1..].contains('%') {
        return Err(format!("format ‘{format}’ has too many % directives"));
    }
    // As much as bashkit's own printf pads.
    let (width, precision) = (width.parse().unwrap_or(0).min(10_000), precision.parse().unwrap_or(0).min(10_000));
    Ok(((shown(&hidden[..start]), shown(&rest[1..])), Look { flags, width, precision, conversion }))
}

impl Look {
    fn write(&self, value: f64, out: &mut String) {
        let digits = match self.conversion {
            'f' => format!("{:.*}", self.precision, value.abs()),
            'e' => exponent(value.abs(), self.precision),
            _ => shortest(value.abs(), self.precision.max(1)),
        };
        let negative = value < 0.0 && digits.contains(|digit: char| ('1'..='9').contains(&digit));
        let sign = match () {
            () if negative => "-",
            () if self.flags.contains('+') => "+",
            () if self.flags.contains(' ') => " ",
            () => "",
        };
        let gap = self.width.saturating_sub(sign.len() + digits.len());
        let (left, zeros, right) = match () {
            () if self.flags.contains('-') => (0, 0, gap),
            () if self.flags.contains('0') => (0, gap, 0),
            () => (gap, 0, 0),
        };
        let pad = |text: &str, count: usize, out: &mut String| (0..count).for_each(|_| out.push_str(text));
        pad(" ", left, out);
        out.push_str(sign);
        pad("0", zeros, out);
        out.push_str(&digits);
        pad(" ", right, out);
    }
}

/// `%e`.
fn exponent(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, power) = power.strip_prefix('-').map_or(('+', power), |power| ('-', power));
    format!("{mantissa}e{sign}{power:0>2}")
}

/// `%g`.
fn shortest(value: f64, precision: usize) -> String {
    let text = exponent(value, precision - 1);
    let power: i32 = text.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0);
    let without_zeros = |digits: &str| match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => digits.to_string(),
    };
    if power < -4 || power >= precision as i32 {
        let (mantissa, power) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{power}", without_zeros(mantissa));
    }
    without_zeros(&format!("{value:.*}", (precision as i32 - 1 - power).max(0) as usize))
}
