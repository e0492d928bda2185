//! What the program would have printed: on a terminal with what the reader typed, up to any moment of a run.
//! `tests/reference.rs` holds it to what the real programs printed.

mod support;

use playground::agent::{Event, Step};
use playground::console::{console, spans};
use playground::fault::Fault;
use playground::lesson::Colour;
use serde_json::json;
use support::{Play, lesson, session};

/// The text without its colours, up to the first stop of a kind, or to the end.
fn shown(play: &Play, until: impl Fn(&Step) -> bool, terminal: bool) -> String {
    let stops = play.timeline.stops();
    let end = stops.iter().position(|stop| until(&stop.step)).map_or(stops.len(), |place| place + 1);
    spans(&console(&play.timeline, end, terminal)).into_iter().map(|(_, part)| part).collect()
}

fn never(_: &Step) -> bool {
    false
}

const BANNER: &str =
    "s05: TodoWrite - plan before execution\nEnter a question, press Enter to send. Type q to quit.\n\n";

#[test]
fn before_the_first_prompt_there_is_the_banner_and_the_sign_that_waits_for_one() {
    let play = Play::new(session(lesson("s05")));
    assert_eq!(shown(&play, never, true), format!("{BANNER}s05 >> "));
    assert_eq!(console(&play.timeline, 0, true), format!("{BANNER}\u{1}\u{1b}[36m\u{2}s05 >> \u{1}\u{1b}[0m\u{2}"));
}

#[test]
fn a_terminal_shows_what_was_typed_and_a_pipe_does_not() {
    let mut play = Play::begun(lesson("s05"));
    play.calls(&[("bash", json!({"command": "rm a.txt"})), ("read_file", json!({"path": "/x"}))]);
    play.answers(true);
    play.answers(false);
    play.says("Done.");
    let (typed, piped) = (shown(&play, never, true), shown(&play, never, false));
    let context = "[HOOK] UserPromptSubmit: working in /workspace\n";
    let asked = |heading: &str, call: &str| format!("\n[permission] {heading}\n   Tool: {call}\n   Allow? [y/N] ");
    let command = asked("Potentially destructive command", "bash({'command': 'rm a.txt'})");
    let path = asked("Access outside workspace", "read_file({'path': '/x'})");
    let log = "[HOOK] bash(['rm a.txt'])\n";
    let end = "[HOOK] Stop: session used 2 tool calls\nDone.\n\ns05 >> ";
    assert_eq!(typed, format!("{BANNER}s05 >> Go\n{context}{command}y\n{log}{path}n\n{end}"));
    assert_eq!(piped, format!("{BANNER}s05 >> {context}{command}{log}{path}{end}"));
    // At an earlier moment there is only what was printed by then.
    let until_asked = shown(&play, |step| matches!(step, Step::Asked { .. }), true);
    assert_eq!(until_asked, format!("{BANNER}s05 >> Go\n{context}{command}"));
}

#[test]
fn a_turn_that_is_stopped_or_fails_says_so_and_the_next_prompt_has_its_sign() {
    let mut play = Play::begun(lesson("s05"));
    play.event(Event::ModelFailed {
        request: 1,
        fault: Fault::Unreachable { url: String::new(), message: String::new() },
    });
    play.prompt("Again");
    play.cancel();
    play.prompt("Once more");
    play.calls(&[("read_file", json!({"path": 5}))]);
    play.event(Event::Retried);
    play.says("Done.");
    let context = "[HOOK] UserPromptSubmit: working in /workspace\n";
    assert_eq!(
        shown(&play, never, true),
        format!(
            "{BANNER}s05 >> Go\n{context}anthropic.APIConnectionError: Connection error.\n\
             s05 >> Again\n{context}^C\n\
             s05 >> Once more\n{context}TypeError: unsupported operand type(s) for /: 'PosixPath' and 'int'\n\
             [HOOK] Stop: session used 1 tool calls\nDone.\n\ns05 >> "
        )
    );
}

#[test]
fn a_line_about_a_call_has_the_first_200_characters_of_its_output() {
    for (id, line_end) in [("s03-todo", ":\n"), ("s03-plan", ": ")] {
        let mut play = Play::begun(lesson(id));
        play.calls(&[
            ("write_file", json!({"path": "b.txt", "content": "é".repeat(201)})),
            ("read_file", json!({"path": "b.txt"})),
        ]);
        play.says("{tool}");
        let text = shown(&play, never, false);
        assert!(text.contains(&format!("> read_file{line_end}{}\n{{tool}}\n\n", "é".repeat(200))), "{text}");
    }
}

#[test]
fn a_colour_goes_from_its_sequence_to_the_next_and_nothing_else_that_is_printed_has_power() {
    let (grey, red) = (Some(Colour::Grey), Some(Colour::Red));
    for (text, expected) in [
        ("", &[][..]),
        ("plain\n\ttext", &[(None, "plain\n\ttext")]),
        ("a\u{1b}[90mb\nc\u{1b}[0md", &[(None, "a"), (grey, "b\nc"), (None, "d")]),
        ("\u{1b}[31mopen", &[(red, "open")]),
        ("\u{1b}[1;31mbold\u{1b}[mplain", &[(red, "bold"), (None, "plain")]),
        ("\u{1b}[35munknown", &[(None, "unknown")]),
        ("\u{1}\u{1b}[31m\u{2}>\u{1}\u{1b}[0m\u{2}", &[(red, ">")]),
        ("\u{1b}[2Jgone\u{1b}]0;title\u{7}", &[(None, "␛[2Jgone␛]0;title␇")]),
        ("a\rb\u{8}\u{7f} \u{1b}[", &[(None, "a␍b␈␡ ␛[")]),
    ] {
        let parts = spans(text);
        let parts: Vec<_> = parts.iter().map(|(colour, part)| (*colour, part.as_str())).collect();
        assert_eq!(parts, expected, "{text:?}");
    }
}
