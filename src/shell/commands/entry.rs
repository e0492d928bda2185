//! What the commands that are ours share about files and about time.

use bashkit::time::{SystemTime, UNIX_EPOCH};
use bashkit::{FileType, Metadata, normalize_path, vfs_join};
use std::path::{Path, PathBuf};

/// Where a path leads to from a directory.
pub(super) fn resolve(cwd: &Path, path: &str) -> PathBuf {
    normalize_path(&vfs_join(cwd, Path::new(path)))
}

/// The size of a file as `ls` and `stat` say it: bashkit has none for folders, where a disk has a block.
pub(super) fn size(metadata: &Metadata) -> u64 {
    if metadata.file_type.is_dir() { 4096 } else { metadata.size }
}

/// The blocks of 1 KiB that it takes on a disk. A short link takes none.
pub(super) fn blocks(metadata: &Metadata) -> u64 {
    if metadata.file_type.is_symlink() { 0 } else { size(metadata).div_ceil(4096) * 4 }
}

/// `-rw-r--r--`
pub(super) fn mode(metadata: &Metadata) -> String {
    let kind = match metadata.file_type {
        FileType::File => '-',
        FileType::Directory => 'd',
        FileType::Symlink => 'l',
        FileType::Fifo => 'p',
    };
    let mode = if metadata.file_type.is_symlink() { 0o777 } else { metadata.mode };
    let bit = |shift: u32| (mode >> shift) & 1 == 1;
    let mut text = String::from(kind);
    for (shift, special, letter) in [(6, 11, 's'), (3, 10, 's'), (0, 9, 't')] {
        text.push(if bit(shift + 2) { 'r' } else { '-' });
        text.push(if bit(shift + 1) { 'w' } else { '-' });
        text.push(match (bit(special), bit(shift)) {
            (false, false) => '-',
            (false, true) => 'x',
            (true, true) => letter,
            (true, false) => letter.to_ascii_uppercase(),
        });
    }
    text
}

/// A point in time, in UTC, which is the only zone here.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    pub(super) seconds: i64,
    pub(super) nanos: u32,
}

impl Moment {
    pub(super) fn of(time: SystemTime) -> Self {
        match time.duration_since(UNIX_EPOCH) {
            Ok(since) => Self { seconds: since.as_secs() as i64, nanos: since.subsec_nanos() },
            Err(_) => Self { seconds: 0, nanos: 0 },
        }
    }

    pub(super) fn now() -> Self {
        Self::of(SystemTime::now())
    }

    /// `2024-03-01 09:05`
    pub(super) fn minute(self) -> String {
        let (year, month, day) = date(self.seconds.div_euclid(86400));
        let minute = self.seconds.rem_euclid(86400) / 60;
        format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", minute / 60, minute % 60)
    }

    /// `2024-03-01 09:05:00.000000000 +0000`
    pub(super) fn full(self) -> String {
        format!("{}:{:02}.{:09} +0000", self.minute(), self.seconds.rem_euclid(60), self.nanos)
    }

    /// As `ls -l` writes it: `Mar  1 09:05`, with the year where that is another half year than now's.
    pub(super) fn short(self, now: Self) -> String {
        const HALF_A_YEAR: i64 = 31_556_952 / 2;
        let (year, month, day) = date(self.seconds.div_euclid(86400));
        let name = &MONTHS[month as usize - 1][..3];
        match now.seconds - self.seconds {
            0..HALF_A_YEAR => format!("{name} {day:>2} {}", &self.minute()[self.minute().len() - 5..]),
            _ => format!("{name} {day:>2}  {year}"),
        }
    }
}

pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Year, month and day of a day counted from 1970-01-01. A year begins in March here, so that its odd day is its last.
pub(super) fn date(day: i64) -> (i64, i64, i64) {
    let day = day + 719_468;
    let era = day.div_euclid(146_097);
    let day = day.rem_euclid(146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
}

/// The other way round; months and days beyond their ends count on.
pub(super) fn day(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = (year + (month - 1).div_euclid(12), (month - 1).rem_euclid(12) + 1);
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5;
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year + day - 1 - 719_468
}
