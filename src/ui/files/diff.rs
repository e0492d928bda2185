//! What changed in a file, line by line, with three lines around each change.

use super::words::Words;
use similar::{ChangeTag, TextDiff};
use yew::prelude::*;

/// The largest file that is compared, in bytes, and in lines: comparing takes time that grows with both.
const MOST_BYTES: usize = 500_000;
const MOST_LINES: usize = 10_000;
/// Lines around a change.
const AROUND: usize = 3;

pub(super) fn diff(before: Option<&[u8]>, now: Option<&[u8]>, words: &Words) -> Html {
    let text = |bytes: Option<&[u8]>| std::str::from_utf8(bytes.unwrap_or_default()).ok().map(str::to_string);
    let fits = |text: &String| text.len() <= MOST_BYTES && text.lines().count() <= MOST_LINES;
    let (Some(before), Some(now)) = (text(before).filter(fits), text(now).filter(fits)) else {
        return html! { <p class="hint">{ words.no_diff }</p> };
    };
    if before == now {
        return html! { <p class="hint">{ words.same }</p> };
    }
    let diff = TextDiff::from_lines(&before, &now);
    let line = |number: Option<usize>| number.map(|number| (number + 1).to_string()).unwrap_or_default();
    html! {
        <div class="diff" role="table" tabindex="0" aria-label={words.diff}>
            { for diff.grouped_ops(AROUND).iter().enumerate().map(|(i, group)| html! {
                <div class="hunk" role="rowgroup" key={i}>
                    { for group.iter().flat_map(|op| diff.iter_changes(op)).map(|change| {
                        let (class, sign, said) = match change.tag() {
                            ChangeTag::Delete => ("minus", "-", Some(words.taken_out)),
                            ChangeTag::Insert => ("plus", "+", Some(words.added)),
                            ChangeTag::Equal => ("", " ", None),
                        };
                        html! {
                            <div {class} role="row">
                                <span class="number" role="cell">{ line(change.old_index()) }</span>
                                <span class="number" role="cell">{ line(change.new_index()) }</span>
                                <span class="sign" role="cell" aria-label={said}>{ sign }</span>
                                <code role="cell">{ change.value().trim_end_matches(['\n', '\r']).to_string() }</code>
                            </div>
                        }
                    }) }
                </div>
            }) }
        </div>
    }
}
