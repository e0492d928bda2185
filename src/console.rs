//! What a lesson's program would have printed in a run: a fold over the run's stops. Pure; the colours are escape
//! sequences, as the program sends them.

mod spans;

use crate::agent::{Ending, Event, Outcome, Question, Session, Step};
use crate::fault::Fault;
use crate::lesson::{AnswerForm, ConsoleRules, HookRule};
use crate::message::{Block, Fields, Json, ToolCall};
use crate::plan::fill;
use crate::python::{Value, strip};
use crate::timeline::Timeline;

pub use spans::spans;

/// How much of an output a line about a call shows, in characters.
const OUTPUT_SHOWN: usize = 200;

/// What was printed up to the first `stops` stops of a run. With `terminal` it is what a terminal would show: also what
/// the reader typed, and the last line of the exception that ends the program (which the page's run outlives).
pub fn console(timeline: &Timeline, stops: usize, terminal: bool) -> String {
    let start = &timeline.start().lesson.console;
    let mut out = format!("{}{}", start.banner, start.prompt);
    let (mut before, mut failed) = (None, false);
    for stop in timeline.stops().iter().take(stops) {
        let rules = &stop.after.lesson.console;
        if before != Some(stop.event) {
            before = Some(stop.event);
            match timeline.log().get(stop.event).map(|logged| &logged.event) {
                Some(Event::PromptSubmitted { text }) => {
                    if failed {
                        out.push_str(&rules.prompt);
                    }
                    echo(&mut out, terminal, text);
                }
                Some(Event::PermissionAnswered { allowed, .. }) => {
                    echo(&mut out, terminal, if *allowed { "y" } else { "n" })
                }
                _ => {}
            }
        }
        match &stop.step {
            Step::Request { .. } => failed = false,
            Step::HookRan { hook, printed: Some(line), .. } => out.push_str(&hook_line(&stop.after, hook, line)),
            Step::Asked { call, question } => out.push_str(&asked(rules, call, question)),
            Step::PlanReplaced { after, .. } => {
                if let (Some(form), Some(plan)) = (&rules.plan, &stop.after.lesson.plan) {
                    out.push_str(&fill(form, &[("{plan}", &after.render(plan))]));
                }
            }
            Step::ToolReturned { call, output, outcome: Outcome::Ran, .. } => {
                if let Some(form) = &rules.call {
                    let shown: String = output.chars().take(OUTPUT_SHOWN).collect();
                    out.push_str(&fill(form, &[("{tool}", &call.name), ("{output}", &shown)]));
                }
            }
            Step::TurnEnded { ending, .. } => {
                match ending {
                    Ending::Answered => out.push_str(&answer(rules.answer, &stop.after)),
                    Ending::Stopped => echo(&mut out, terminal, "^C"),
                }
                out.push_str(&rules.prompt);
            }
            Step::Failed { fault, .. } => {
                failed = true;
                if let Some(line) = exception(fault) {
                    echo(&mut out, terminal, &line);
                }
            }
            _ => {}
        }
    }
    out
}

fn echo(out: &mut String, terminal: bool, line: &str) {
    if terminal {
        out.push_str(line);
        out.push('\n');
    }
}

fn hook_line(session: &Session, hook: &str, line: &str) -> String {
    let hook = session.lesson.hooks.iter().find(|other| other.name == hook);
    match hook.map(|hook| &hook.rule) {
        Some(HookRule::Permission(_)) => fill(&session.lesson.console.blocked, &[("{line}", line)]),
        Some(HookRule::Print { colour: Some(colour), .. }) => format!("{}\n", colour.paint(line)),
        _ => format!("{line}\n"),
    }
}

fn asked(rules: &ConsoleRules, call: &ToolCall, question: &Question) -> String {
    let input = Value::from(&call.input).repr();
    fill(&rules.question, &[("{heading}", &question.heading), ("{tool}", &call.name), ("{input}", &input)])
}

/// The last message as the program prints it, and the empty line behind it.
fn answer(form: AnswerForm, session: &Session) -> String {
    let message = session.transcript.last();
    let blocks = message.iter().flat_map(|message| message.blocks());
    let texts: Vec<String> = match form {
        AnswerForm::TextBlocks => blocks.filter_map(text).collect(),
        AnswerForm::AnyText => blocks.filter_map(any_text).collect(),
        AnswerForm::Trimmed => {
            let texts: Vec<String> = blocks.filter_map(any_text).filter(|text| !text.is_empty()).collect();
            let whole = strip(&texts.join("\n")).to_string();
            if whole.is_empty() { Vec::new() } else { vec![whole] }
        }
    };
    texts.into_iter().map(|text| text + "\n").collect::<String>() + "\n"
}

fn text(block: &Block) -> Option<String> {
    match block {
        Block::Text { text, .. } => Some(text.clone()),
        _ => None,
    }
}

fn any_text(block: &Block) -> Option<String> {
    match block {
        Block::Other(fields) => fields.get("text").map(|text| Value::from(text).str()),
        block => text(block),
    }
}

/// The last line of the traceback; none for what a program that does not stream cannot meet.
fn exception(fault: &Fault) -> Option<String> {
    match fault {
        Fault::Crashed { exception } => Some(exception.clone()),
        Fault::Unreachable { .. } => Some("anthropic.APIConnectionError: Connection error.".into()),
        Fault::Api { status, kind, message, .. } => {
            let class = match status {
                400 => "BadRequestError",
                401 => "AuthenticationError",
                403 => "PermissionDeniedError",
                404 => "NotFoundError",
                409 => "ConflictError",
                413 => "RequestTooLargeError",
                422 => "UnprocessableEntityError",
                429 => "RateLimitError",
                503 => "ServiceUnavailableError",
                529 => "OverloadedError",
                500.. => "InternalServerError",
                _ => "APIStatusError",
            };
            let error = object([("type", kind.as_str().into()), ("message", message.as_str().into())]);
            let body = object([("type", "error".into()), ("error", error)]);
            Some(format!("anthropic.{class}: Error code: {status} - {}", Value::from(&body).repr()))
        }
        _ => None,
    }
}

fn object<const N: usize>(fields: [(&str, Json); N]) -> Json {
    Json::Object(fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect::<Fields>())
}
