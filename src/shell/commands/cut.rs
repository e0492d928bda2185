//! `cut` as GNU's, which counts bytes also for `-c`; bashkit's own counts characters.

use super::entry;
use super::options::{self, Given, Known, Value};
use bashkit::{Builtin, BuiltinContext, ExecResult, async_trait};

const KNOWN: Known = Known {
    short: "b:c:d:f:nsz",
    lacking: "",
    long: &[
        ("bytes", Value::Needed, 'b'),
        ("characters", Value::Needed, 'c'),
        ("complement", Value::None, '\x02'),
        ("delimiter", Value::Needed, 'd'),
        ("fields", Value::Needed, 'f'),
        ("help", Value::None, '\x01'),
        ("only-delimited", Value::None, 's'),
        ("output-delimiter", Value::Needed, '\x03'),
        ("zero-terminated", Value::None, 'z'),
    ],
};

/// Takes parts of lines.
pub(super) struct Cut;

#[async_trait]
impl Builtin for Cut {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        let given = match options::read(ctx.args, &KNOWN) {
            Ok(given) => given,
            Err(complaint) => return Ok(options::misused("cut", &complaint, 1)),
        };
        if given.has('\x01') {
            return Ok(ExecResult::ok(
                "Usage: cut (-b LIST | -c LIST | -f LIST [-d DELIM] [-s]) [--complement] \
[--output-delimiter=STRING] [-z] [FILE]...\n",
            ));
        }
        let parts = match Parts::of(&given) {
            Ok(parts) => parts,
            Err(complaint) => return Ok(options::misused("cut", &complaint, 1)),
        };
        let (mut out, mut errors) = (Vec::new(), String::new());
        let here = ["-".to_string()];
        for name in if given.operands.is_empty() { &here[..] } else { &given.operands } {
            if name == "-" {
                parts.cut(ctx.stdin.map(|stdin| stdin.as_bytes()).unwrap_or_default(), &mut out);
                continue;
            }
            let path = entry::resolve(ctx.cwd, name);
            match ctx.fs.stat(&path).await {
                Ok(metadata) if metadata.file_type.is_dir() => errors += &format!("cut: {name}: Is a directory\n"),
                Ok(_) => parts.cut(&ctx.fs.read_file(&path).await?, &mut out),
                Err(_) => errors += &format!("cut: {name}: No such file or directory\n"),
            }
        }
        let mut result = ExecResult::ok_bytes(out);
        result.exit_code = i32::from(!errors.is_empty());
        result.stderr = errors.into();
        Ok(result)
    }
}

struct Parts {
    /// First and last, counted from 1; apart from each other, in order.
    ranges: Vec<(usize, usize)>,
    /// What parts fields; without it bytes are counted.
    delimiter: Option<u8>,
    only_delimited: bool,
    /// What stands between the parts. Bytes stand side by side.
    between: Vec<u8>,
    end: u8,
}

impl Parts {
    fn of(given: &Given) -> Result<Self, String> {
        let mut lists = given.options.iter().filter(|(letter, _)| "bcf".contains(*letter));
        let (kind, list) = lists.next().ok_or("you must specify a list of bytes, characters, or fields")?;
        if lists.next().is_some() {
            return Err("only one list may be specified".into());
        }
        let fields = *kind == 'f';
        let delimiter = given.value('d').map(str::as_bytes);
        match delimiter {
            Some(_) if !fields => {
                return Err("an input delimiter may be specified only when operating on fields".into());
            }
            Some([_, _, ..]) => return Err("the delimiter must be a single character".into()),
            _ if given.has('s') && !fields => {
                return Err("suppressing non-delimited lines makes sense\n\tonly when operating on fields".into());
            }
            _ => {}
        }
        // An empty delimiter is the byte 0.
        let delimiter = fields.then_some(delimiter.map_or(b'\t', |given| given.first().copied().unwrap_or(0)));
        let mut ranges = ranges(list.as_deref().unwrap_or_default(), fields)?;
        if given.has('\x02') {
            ranges = complement(&ranges);
        }
        let between = given.value('\x03').map(|text| text.as_bytes().to_vec());
        let between = between.unwrap_or_else(|| delimiter.into_iter().collect());
        let end = if given.has('z') { 0 } else { b'\n' };
        Ok(Self { ranges, delimiter, only_delimited: given.has('s'), between, end })
    }

    fn cut(&self, text: &[u8], out: &mut Vec<u8>) {
        for line in text.split_inclusive(|&byte| byte == self.end) {
            let line = line.strip_suffix(&[self.end]).unwrap_or(line);
            match self.delimiter {
                None => self.join(
                    self.ranges
                        .iter()
                        .map(|&(first, last)| line.get(first - 1..last.min(line.len())).unwrap_or_default()),
                    out,
                ),
                Some(delimiter) if !line.contains(&delimiter) => {
                    if self.only_delimited {
                        continue;
                    }
                    out.extend_from_slice(line);
                }
                Some(delimiter) => {
                    let fields = line.split(|&byte| byte == delimiter).enumerate();
                    let wanted =
                        |at: usize| self.ranges.iter().any(|&(first, last)| (first..=last).contains(&(at + 1)));
                    let mut fields = fields.filter(|(at, _)| wanted(*at)).map(|(_, field)| field);
                    out.extend_from_slice(fields.next().unwrap_or_default());
                    for field in fields {
                        out.extend_from_slice(&self.between);
                        out.extend_from_slice(field);
                    }
                }
            }
            out.push(self.end);
        }
    }

    fn join<'a>(&self, parts: impl Iterator<Item = &'a [u8]>, out: &mut Vec<u8>) {
        for (at, part) in parts.filter(|part| !part.is_empty()).enumerate() {
            if at > 0 {
                out.extend_from_slice(&self.between);
            }
            out.extend_from_slice(part);
        }
    }
}

/// `1,3-5,7-`
fn ranges(list: &str, fields: bool) -> Result<Vec<(usize, usize)>, String> {
    let what = if fields { "field" } else { "byte or character" };
    let place = if fields { "fields" } else { "byte/character positions" };
    let number = |text: &str| match text.parse::<usize>() {
        Ok(0) => Err(format!("{place} are numbered from 1")),
        Ok(number) => Ok(number),
        Err(_) if fields => Err(format!("invalid field value ‘{text}’")),
        Err(_) => Err(format!("invalid byte/character position ‘{text}’")),
    };
    let mut ranges = Vec::new();
    for part in list.split([',', ' ', '\t']) {
        ranges.push(match part.split_once('-') {
            _ if part.is_empty() => return Err(format!("{place} are numbered from 1")),
            None => (number(part)?, number(part)?),
            Some(("", "")) => return Err("invalid range with no endpoint: -".into()),
            Some(("", last)) => (1, number(last)?),
            Some((first, "")) => (number(first)?, usize::MAX),
            Some((first, last)) => (number(first)?, number(last)?),
        });
    }
    if ranges.iter().any(|(first, last)| first > last) {
        return Err("invalid decreasing range".into());
    }
    if ranges.is_empty() {
        return Err(format!("missing list of {what}s"));
    }
    ranges.sort_unstable();
    let mut apart: Vec<(usize, usize)> = Vec::new();
    for (first, last) in ranges {
        match apart.last_mut().filter(|(_, end)| first <= *end) {
            Some((_, end)) => *end = last.max(*end),
            None => apart.push((first, last)),
        }
    }
    Ok(apart)
}

fn complement(ranges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let (mut gaps, mut from) = (Vec::new(), 1);
    for &(first, last) in ranges {
        if first > from {
            gaps.push((from, first - 1));
        }
        from = last.saturating_add(1);
    }
    if from < usize::MAX {
        gaps.push((from, usize::MAX));
    }
    gaps
}
