//! Dates as `date -d` reads them. bashkit's `date` knows few, and a month is always 30 days to it; it is given the second
//! that they mean.

use super::entry::{MONTHS, Moment, date, day};

const DAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/// The arguments with each date replaced by its second, where it can be read.
pub(super) fn rewrite(args: Vec<String>) -> Vec<String> {
    let mut value = false;
    let rewritten = args.into_iter().map(|arg| {
        let lead = match arg.as_str() {
            _ if std::mem::take(&mut value) => "",
            "-d" | "--date" | "-ud" => {
                value = true;
                return arg;
            }
            text if text.starts_with("--date=") => "--date=",
            text if text.starts_with("-d") => "-d",
            _ => return arg,
        };
        match seconds(&arg[lead.len()..], Moment::now()) {
            Some(seconds) => format!("{lead}@{seconds}"),
            None => arg,
        }
    });
    rewritten.collect()
}

/// The parts of a date that were read so far.
struct Parts {
    date: Option<(i64, i64, i64)>,
    /// Seconds of the day.
    time: Option<i64>,
    /// Seconds that the zone is ahead.
    zone: i64,
    /// Counted from Sunday, and which of those to come: 1 for `next`, -1 for `last`.
    weekday: Option<(i64, i64)>,
    months: i64,
    days: i64,
    seconds: i64,
}

/// The second that a date means; `None` where it is none that is known here, or has parts of a second.
fn seconds(text: &str, now: Moment) -> Option<i64> {
    let text = text.trim().to_ascii_lowercase();
    let (mut parts, words) =
        (Parts { date: None, time: None, zone: 0, weekday: None, months: 0, days: 0, seconds: 0 }, split(&text));
    let mut base = now.seconds;
    let mut words = words.iter().map(String::as_str).peekable();
    // Today, unless something keeps the time of now.
    let mut midnight = words.peek().is_none();
    while let Some(word) = words.next() {
        let next = words.peek().copied().unwrap_or_default();
        if let Some(epoch) = word.strip_prefix('@') {
            base = epoch.parse().ok()?;
        } else if matches!(word, "now" | "today" | "and" | "," | "at") {
        } else if matches!(word, "yesterday" | "tomorrow") {
            parts.days += if word == "tomorrow" { 1 } else { -1 };
        } else if matches!(word, "z" | "utc" | "gmt" | "+0000" | "+00:00") {
            parts.time?;
        } else if let Some(clock) = clock(word, next) {
            let (seconds, zone, took) = clock;
            parts.time = Some(seconds);
            parts.zone = zone;
            words.by_ref().take(took).for_each(|_| {});
        } else if let Some(date) = written(word) {
            parts.date = Some(date);
        } else if let Some(month) = month(word) {
            // `Jan 5 2024`, `Jan 5, 2024`, `Jan 2024`
            let number: i64 = next.trim_end_matches(',').parse().ok()?;
            words.next();
            // `Fri Mar  1 10:00:00 UTC 2024` says the year last.
            let year = words.clone().find(|word| word.len() == 4 && word.bytes().all(|digit| digit.is_ascii_digit()));
            if words.peek().copied() == year && year.is_some() {
                words.next();
            }
            let this = date(now.seconds.div_euclid(86400)).0;
            parts.date = Some((year.map_or(Some(this), |year| year.parse().ok())?, month, number));
        } else if let (Some(month), Ok(number)) = (month(next), word.parse::<i64>()) {
            words.next();
            let year = words.next_if(|word| word.len() == 4 && word.bytes().all(|digit| digit.is_ascii_digit()));
            let this = date(now.seconds.div_euclid(86400)).0;
            parts.date = Some((year.map_or(Some(this), |year| year.parse().ok())?, month, number));
        } else if word.len() == 4
            && parts.date.is_some()
            && parts.date.map(|date| date.0.to_string()).as_deref() == Some(word)
        {
        } else if let Some(weekday) = weekday(word) {
            parts.weekday = Some((weekday, 0));
        } else {
            let (count, unit) = match word {
                "next" => (1, next),
                "last" => (-1, next),
                "this" => (0, next),
                "a" | "an" => (1, next),
                "+" | "-" => {
                    let count: i64 = next.parse().ok()?;
                    words.next();
                    (if word == "-" { count.checked_neg()? } else { count }, words.peek().copied()?)
                }
                _ => match word.find(|letter: char| letter.is_ascii_alphabetic()) {
                    Some(at) if at > 0 => (word[..at].parse().ok()?, &word[at..]),
                    Some(_) => (1, word),
                    None => (word.parse().ok()?, next),
                },
            };
            if let Some(weekday) = weekday(unit).filter(|_| matches!(word, "next" | "last" | "this")) {
                words.next();
                parts.weekday = Some((weekday, count));
                continue;
            }
            if !word.ends_with(unit) {
                words.next();
            }
            let count = if words.next_if_eq(&"ago").is_some() { count.checked_neg()? } else { count };
            parts.add(count, unit)?;
            continue;
        }
        midnight |= parts.date.is_some() || parts.weekday.is_some();
    }
    parts.end(base, midnight)
}

impl Parts {
    fn add(&mut self, count: i64, unit: &str) -> Option<()> {
        let (sum, times) = match unit.strip_suffix('s').unwrap_or(unit) {
            "year" => (&mut self.months, 12),
            "month" => (&mut self.months, 1),
            "fortnight" => (&mut self.days, 14),
            "week" => (&mut self.days, 7),
            "day" => (&mut self.days, 1),
            "hour" => (&mut self.seconds, 3600),
            "minute" | "min" => (&mut self.seconds, 60),
            "second" | "sec" => (&mut self.seconds, 1),
            _ => return None,
        };
        *sum = sum.checked_add(count.checked_mul(times)?)?;
        Some(())
    }

    fn end(self, base: i64, midnight: bool) -> Option<i64> {
        let (year, month, number) = self.date.unwrap_or_else(|| date(base.div_euclid(86400)));
        // Nobody's date, and the sums below cannot overflow.
        if [year, month, number, self.months, self.days, base / 86400].iter().any(|part| part.abs() > 1_000_000_000) {
            return None;
        }
        if !(1..=12).contains(&month) || number < 1 || date(day(year, month, number)) != (year, month, number) {
            return None;
        }
        let mut at = day(year, month + self.months, number) + self.days;
        if let Some((weekday, count)) = self.weekday {
            let ahead = (weekday - (at + 4)).rem_euclid(7);
            at += ahead + 7 * (count - i64::from(count > 0 && ahead > 0));
        }
        let time = self.time.unwrap_or(if midnight { 0 } else { base.rem_euclid(86400) });
        (at * 86400 + time - self.zone).checked_add(self.seconds)
    }
}

/// Words, with a date parted from its time and a time from its zone.
fn split(text: &str) -> Vec<String> {
    let mut spaced = String::new();
    let bytes = text.as_bytes();
    for (at, letter) in text.char_indices() {
        let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
        match letter {
            't' if digit(at.checked_sub(1)) && digit(Some(at + 1)) => spaced.push(' '),
            'z' if digit(at.checked_sub(1)) => spaced.push_str(" z"),
            ',' => spaced.push(' '),
            _ => spaced.push(letter),
        }
    }
    spaced.split_whitespace().map(String::from).collect()
}

/// A time of day with its zone, and how many words behind it belong to it.
fn clock(word: &str, next: &str) -> Option<(i64, i64, usize)> {
    let sign = word.find(['+', '-']).filter(|at| *at > 0);
    let (time, attached) = word.split_at(sign.unwrap_or(word.len()));
    let (time, half) = match time.strip_suffix("am").or(time.strip_suffix("pm")) {
        Some(rest) => (rest, &time[rest.len()..]),
        None => (time, if matches!(next, "am" | "pm") { next } else { "" }),
    };
    let mut numbers = time.split(':');
    let mut number = |most: i64| {
        numbers.next().map(|text| {
            text.split('.').next().unwrap_or(text).parse::<i64>().ok().filter(|number| (0..=most).contains(number))
        })
    };
    let (hour, minute, second) = (number(23)??, number(59), number(60));
    if numbers.next().is_some() || (minute.is_none() && half.is_empty()) {
        return None;
    }
    let hour = match half {
        "" => hour,
        _ if !(1..=12).contains(&hour) => return None,
        "am" => hour % 12,
        _ => hour % 12 + 12,
    };
    let took = usize::from(half == next && !half.is_empty());
    let behind = if took == 0 { next } else { "" };
    let (zone, took) = match zone(attached) {
        Some(zone) => (zone, took),
        None if !attached.is_empty() => return None,
        // `12:34 +2 hours` is a zone of two hours to GNU as well.
        None => zone(behind).map_or((0, took), |zone| (zone, took + 1)),
    };
    Some((hour * 3600 + minute.unwrap_or(Some(0))? * 60 + second.unwrap_or(Some(0))?, zone, took))
}

/// `+0200`, `-05:30`, `+2`
fn zone(text: &str) -> Option<i64> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits = text.strip_prefix(['+', '-'])?.replace(':', "");
    let number: i64 = digits.parse().ok().filter(|number| *number >= 0)?;
    let (hours, minutes) = if digits.len() <= 2 { (number, 0) } else { (number / 100, number % 100) };
    (hours <= 14 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// `2024-03-01`, `2024/03/01`, `03/01/2024`, `20240301`
fn written(word: &str) -> Option<(i64, i64, i64)> {
    if word.len() == 8 && word.bytes().all(|digit| digit.is_ascii_digit()) {
        return Some((word[..4].parse().ok()?, word[4..6].parse().ok()?, word[6..].parse().ok()?));
    }
    let mark = if word.contains('/') { '/' } else { '-' };
    let parts = word.split(mark).map(|part| part.parse::<i64>().ok().filter(|number| *number >= 0));
    let parts = parts.collect::<Option<Vec<i64>>>()?;
    match parts[..] {
        [year, month, day] if year > 31 => Some((year, month, day)),
        [month, day, year] if mark == '/' && year > 31 => Some((year, month, day)),
        _ => None,
    }
}

fn month(word: &str) -> Option<i64> {
    let at = MONTHS.iter().position(|name| word.len() >= 3 && name.to_ascii_lowercase().starts_with(word))?;
    Some(at as i64 + 1)
}

fn weekday(word: &str) -> Option<i64> {
    DAYS.iter().position(|name| word.len() >= 3 && name.starts_with(word)).map(|at| at as i64)
}
