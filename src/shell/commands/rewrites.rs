//! Arguments that bashkit's commands read otherwise than GNU's, put into words that both understand.

use super::date;
use bashkit::hooks::{HookAction, ToolEvent};

/// Rewrites the arguments of a command before it runs.
pub(super) fn rewrite(mut event: ToolEvent) -> HookAction<ToolEvent> {
    event.args = match event.name.as_str() {
        "date" => date::rewrite(event.args),
        "printf" => printf(event.args),
        _ => event.args,
    };
    HookAction::Continue(event)
}

/// bashkit's `printf` drops the byte 0 where it is written `\x00`, and not where it is `\000`.
fn printf(mut args: Vec<String>) -> Vec<String> {
    let format = if args.first().is_some_and(|arg| arg == "-v") { 2 } else { 0 };
    if let Some(format) = args.get_mut(format).filter(|format| format.contains("\\x0")) {
        let mut written = String::new();
        let mut rest = format.as_str();
        while let Some(at) = rest.find('\\') {
            let (before, escape) = rest.split_at(at);
            written.push_str(before);
            let digits = escape[1..].strip_prefix('x').unwrap_or_default();
            let digits = &digits[..digits.bytes().take(2).take_while(u8::is_ascii_hexdigit).count()];
            let is_zero = !digits.is_empty() && digits.bytes().all(|digit| digit == b'0');
            // A backslash and what it is before, which may be another.
            let length = escape.chars().take(2).map(char::len_utf8).sum();
            let length = if is_zero { 2 + digits.len() } else { length };
            written.push_str(if is_zero { "\\000" } else { &escape[..length] });
            rest = &escape[length..];
        }
        written.push_str(rest);
        *format = written;
    }
    args
}
