//! English.

use super::{Said, Text, api_status};
use crate::fault::Fault;
use crate::lesson::{Counts, Placement, ResetBy, Scope};
use crate::runtime::shell::Part;

pub(super) static TEXT: Text = Text {
    title: "TodoWrite Playground",
    other_language: "中文",
    other_language_tag: "zh-CN",
    theme: "Theme",
    themes: ["System", "Light", "Dark"],
    settings: "Settings",
    lesson: "Lesson",
    scenario: "Scenario",
    model: "Model",
    scripted: "Scripted",
    scripted_hint: "A script plays the model: no key, no network",
    endpoint: "Endpoint",
    endpoint_hint: "A real model, with your own key",
    speed: "Speed",
    speeds: ["Slow", "Normal", "Instant"],
    controls: "Run controls",
    run: "Run",
    run_again: "Run again",
    pause: "Pause",
    pausing: "Pausing…",
    pausing_hint: "The run pauses when what is under way is over. Press again to let it go on.",
    resume: "Resume",
    retry: "Retry",
    step: "Step",
    step_hint: "To the next step (F8)",
    stop: "Stop",
    panes: "Parts of the page",
    transcript: "Transcript",
    board: "Plan",
    inspector: "Inspector",
    save_log: "Save log",
    start_over: "Start over",
    started_over: "One earlier run is kept.",
    part_loads: "Loading…",
    part_not_loaded: "This part of the page did not load. Nothing is lost: check the connection, go elsewhere and come back.",
    not_loaded: |scenario, why| {
        format!(
            "The scenario “{scenario}” did not load ({why}). Nothing was changed: check the connection and choose it again."
        )
    },
    bring_back: |lesson, scenario| format!("Bring back the run “{scenario}” ({lesson})"),
    press_run: "Press Run.",
    watch_reminder: " Watch the counter above the plan, then look in the inspector for the block marked as the reminder.",
    prompt: "Prompt",
    prompt_placeholder: "What should the agent do?",
    send: "Send",
    enter_sends: "Enter sends, Shift+Enter makes a new line.",
    wait_for_turn: "A turn is under way. You can type the next prompt already.",
    script_over: "The script is over. Run again plays it from the start; or type another prompt.",
    prompt_empty: "Nothing to run: type a prompt, or take a suggested one.",
    suggestions: "Suggested prompts",
    set_aside: "what you typed",
    needs_endpoint: "needs a real model",
    turn: |n| format!("Turn {n}"),
    round: |n| format!("Round {n}"),
    go_to_round: "Go to where this round began",
    earlier_rounds: |n| format!("Show earlier rounds ({n} not shown)"),
    awaiting: "Waiting for the model",
    cut: "The reply was cut here; it is not part of the history.",
    call_ran: "ran",
    call_failed: "error",
    call_blocked: "blocked",
    call_not_run: "not run",
    call_asked: "waits for your answer",
    call_running: "running",
    loading: |part, size| match part {
        Part::Shell => format!("Loading the shell, once: {size}"),
        Part::Python => format!("Loading Python, once: {size}"),
    },
    you_ran: "You ran",
    you_edited: |count| match count {
        1 => "You changed a file".into(),
        _ => format!("You changed {count} files"),
    },
    call_queued: "waiting",
    call_written: "being written",
    input: "Input",
    result: "Result",
    empty_result: "The result is an empty string.",
    hooks_ran: |n| if n == 1 { "1 hook ran".into() } else { format!("{n} hooks ran") },
    hook_answered: |answer, behind| {
        let said = if answer.is_empty() { "answered with an empty text".into() } else { format!("answered: {answer}") };
        let behind = if behind.is_empty() { String::new() } else { format!("; not run: {behind}") };
        format!("{said} (its answer ended the chain{behind})")
    },
    hook_added: |added| format!("added to the prompt: {added}"),
    hook_passed: "no objection",
    plan_call: |rules, tool| match rules.reset_by {
        ResetBy::AnyCall => tool.into(),
        ResetBy::Update => format!("successful {tool}"),
    },
    counted: |idle, of, call| match idle > of {
        true => format!("Counter {idle}, past {of}: no {call} ran in this round"),
        false => format!("Counter {idle} of {of}: no {call} ran in this round"),
    },
    counted_plan: |idle, call| format!("Counter {idle}: {call} ran in this round"),
    reminder_added_to: |placement| match placement {
        Placement::AfterResults | Placement::BeforeResults => "was added to the same user message, at",
        Placement::OwnMessage => "was added in a user message of its own, at",
        Placement::InLastResult => "was added to the end of the last result, at",
        Placement::System => "was added to the system prompt of the next request",
    },
    turn_answered: |reason, said| match reason {
        "max_tokens" => {
            "The reply was cut off at max tokens (stop reason max_tokens): the turn is over. The settings can allow more."
        }
        "model_context_window_exceeded" => {
            "The reply was cut off because the model's context is full: the turn is over."
        }
        "refusal" => "The model refused to answer (stop reason refusal): the turn is over.",
        "pause_turn" => {
            "The model paused (stop reason pause_turn). The lesson's program doesn't go on by itself: the turn is over."
        }
        _ if said == Said::Calls => {
            "The lesson's program goes by the stop reason, and that is not tool_use: the turn is over, and the calls stay without results. The real API will refuse the next prompt."
        }
        _ if said == Said::Nothing => "The model answered with nothing at all: the turn is over.",
        _ => "The model answered without a call: the turn is over.",
    },
    turn_stopped: "The turn was stopped.",
    asked: |heading, about, allowed| {
        let answer = match allowed {
            Some(true) => " You allowed it.",
            Some(false) => " You denied it.",
            None => "",
        };
        format!("The program asked: “{heading}: {about}”.{answer}")
    },
    columns: ["To do", "In progress", "Done"],
    progress: "Items done",
    board_tabs: ["Board", "Loop", "Rules"],
    rules_changed: |n| if n == 1 { "1 rule changed".into() } else { format!("{n} rules changed") },
    as_the_model_reads: "As the model reads it",
    nothing_in_progress: "Nothing in progress",
    lesson_without_plan: "This lesson has no todo_write. The model keeps its plan in its head, if it has one.",
    lesson_without_counter: "No counter and no reminder in this lesson.",
    counter: "Reminder counter",
    counter_now: |idle, rules, call| {
        let (of, unit) = (rules.threshold, unit(rules.counts));
        match idle > of {
            true => format!("{idle} {unit} without {call}, past {of}"),
            false => format!("{idle} of {of} {unit} without {call}"),
        }
    },
    counter_rule: |rules, call| {
        let (of, unit) = (rules.threshold, unit(rules.counts));
        let again = if rules.resets { "counter back to 0" } else { "again every round until it is called" };
        let mut rule = format!("{of} {unit} without {call} → reminder, {again}");
        let more = [
            (rules.needs_plan, "only if there is a plan"),
            (!rules.counts_without_plan, "counts only while there is a plan"),
            (rules.scope == Scope::Session, "goes on over prompts"),
        ];
        for (_, clause) in more.into_iter().filter(|(holds, _)| *holds) {
            rule.push_str("; ");
            rule.push_str(clause);
        }
        rule
    },
    reminder_sent: |back| match back {
        true => "Reminder added, counter back to 0:",
        false => "Reminder added, the counter goes on:",
    },
    plan_history: "Plan updates",
    earlier_updates: |n| format!("{n} earlier updates: use the steps below"),
    update_rejected: |error| format!("refused, the plan stays: {error}"),
    nothing_changed: "the same list again",
    messages: "Messages",
    request: "Request",
    files: "Files",
    licences: "Licences of the parts of this page",
    terminal: "Terminal",
    gates: "Gates",
    check_list: "Check against the API's rules",
    no_messages: "No messages yet. They appear here as the next request will carry them.",
    list_of: |request, sent| {
        if sent {
            format!("The list that request {request} carries. What is new in it is marked.")
        } else {
            match request {
                0 => "What the first request will carry, as far as it is known.".into(),
                _ => format!("What will be sent after request {request}, as far as it is known."),
            }
        }
    },
    earlier_messages: |n| format!("Show earlier messages ({n} not shown)"),
    new_block: "new",
    being_built: "being built",
    plain_text: "string",
    empty_content: "The content is an empty list.",
    reason_title: "Why the reminder is here",
    reason_rounds: |idle, listed, rules, tool| match (rules.counts, rules.reset_by) {
        (Counts::Calls, _) => format!("The model made {idle} calls without {tool} among them, in these rounds:"),
        (Counts::Rounds, ResetBy::Update) => format!("The model made {idle} rounds without a successful {tool}:"),
        (Counts::Rounds, ResetBy::AnyCall) if idle as usize == listed => {
            format!("The model made {idle} rounds in which no {tool} ran:")
        }
        _ => format!("The model made {idle} rounds in which no {tool} ran, of which these are the last:"),
    },
    reason_place: |placement, round| {
        match placement {
        Placement::AfterResults => format!(
            "The program put it last in the user message that carries the tool results of round {round}: results first, then text. The real API refuses the other order."
        ),
        Placement::BeforeResults => {
            "The program put it first, before the tool results. The real API refuses that order.".into()
        }
        Placement::OwnMessage => format!(
            "The program put it into a user message of its own, behind the tool results of round {round}. The real API takes the two for one message."
        ),
        Placement::InLastResult => {
            "The program put it at the end of the last result, so the model reads it as something that the tool said.".into()
        }
        Placement::System => {
            "The program put it at the end of the system prompt, for this one request: later requests do not carry it, and the history never shows it.".into()
        }
    }
    },
    reason_moved: "You moved it behind the tool results, where the real API takes it. The program had put it before them.",
    reason_prevent: |rules, tool| match rules.reset_by {
        ResetBy::AnyCall => {
            format!(
                "One {tool} call that ran in any of these rounds would have prevented it, even one with an invalid list; a blocked one doesn't count."
            )
        }
        ResetBy::Update => {
            format!("One {tool} call with a valid list in any of these rounds would have prevented it.")
        }
    },
    no_request: "No request yet.",
    request_number: |n| format!("Request {n}"),
    scripted_request: "The scripted model answers inside the page: nothing is sent over the network. This is the body that a real endpoint would get.",
    hidden: "hidden",
    as_sent: "As sent",
    copy: "Copy",
    stream_note: "The lesson's program does not stream; the page adds \"stream\": true to show the text as it arrives.",
    file_new: "new",
    file_changed: "changed",
    file_removed: "removed",
    file_gone: "This file does not exist at this step.",
    file_empty: "This file is empty.",
    file_binary: |size| format!("Not text: {size} of bytes that are no UTF-8."),
    more_lines: |n| format!("{n} more lines"),
    show_all: |size| format!("Show all {size}"),
    steps: "Steps",
    no_steps: "No steps yet",
    first_step: "First step",
    step_back: "One step back",
    step_on: "One step on",
    live: "Live",
    position: |at, of, turn, round| match round {
        0 => format!("Step {at} of {of} · turn {turn}"),
        _ => format!("Step {at} of {of} · turn {turn} · round {round}"),
    },
    step_prompt: "prompt stored",
    step_hook: |point, hook| format!("{point} hook: {hook}"),
    step_reply: |calls| match calls {
        0 => "reply without a call".into(),
        1 => "reply with 1 call".into(),
        n => format!("reply with {n} calls"),
    },
    step_asked: "permission asked",
    step_called: |tool| format!("{tool} called"),
    step_plan: "plan replaced",
    step_rejected: "plan update refused",
    step_returned: |tool| format!("result of {tool}"),
    step_counted: |idle| format!("counter set to {idle}"),
    step_reminder: "reminder added",
    step_ended: "turn over",
    step_failed: "turn failed",
    step_typed: "your command",
    step_edited: "your edit",
    step_rules: "You changed the rules:",
    step_moved: "reminder moved behind the results, by you",
    permission_title: "May this run?",
    permission_question: |tool, about| {
        format!("The model calls {tool}. The permission hook lets you decide, because of this: {about}")
    },
    permission_words: |heading| format!("In the program's own words: “{heading}”"),
    allow: "Allow",
    deny: "Deny",
    settings_title: "A real model",
    settings_intro: "The page talks to the endpoint directly, from this browser. It must allow requests from web pages (CORS).",
    base_url: "Base URL",
    final_url: "Requests go to",
    model_name: "Model",
    key: "API key",
    key_hint: "Kept in this page's memory only: never stored, never logged, gone when you reload.",
    max_tokens: "Max tokens",
    lesson_default: "as the lesson: 8000",
    auth: "How the key is sent",
    no_auth: "no key",
    vendor_headers: "Send Anthropic's own headers",
    vendor_headers_hint: "Anthropic needs them from a browser. Switch them off for local servers that refuse unknown headers (Ollama).",
    cancel: "Cancel",
    use_endpoint: "Use this endpoint",
    back_to_scripted: "Back to the script",
    fault,
};

fn unit(counts: Counts) -> &'static str {
    match counts {
        Counts::Rounds => "rounds",
        Counts::Calls => "calls",
    }
}

fn fault(fault: &Fault, begun: bool) -> (String, String) {
    let (what, advice): (String, &str) = match fault {
        Fault::Api { status, kind, message, request_id, retry_after_ms } => {
            let id = request_id.as_ref().map(|id| format!(" (request id {id})")).unwrap_or_default();
            let wait =
                retry_after_ms.map(|ms| format!(" It asks to wait {} s.", ms.div_ceil(1000))).unwrap_or_default();
            let start = match status {
                200 if begun => "The reply broke off in the middle with the endpoint's error".into(),
                200 => "In place of a reply came the endpoint's error".into(),
                _ => format!("The endpoint answered {status}"),
            };
            let advice = api_advice(api_status(*status, kind), message);
            let kind = if kind.is_empty() { String::new() } else { format!(" {kind}") };
            let message = message.trim_end_matches('.');
            (format!("{start}{kind}: {message}{id}.{wait}"), advice)
        }
        Fault::NotAStream { content_type, start } => (
            format!(
                "The endpoint answered, but not with an event stream (content type “{content_type}”). It begins: {start}"
            ),
            "Check that the base URL is the one of a Messages API, not of a web page.",
        ),
        Fault::BadEvent { start } => (
            format!("The stream holds something that has no place in the Messages API: {start}"),
            "Nothing half-read was run. Retry, or check that the endpoint speaks this protocol.",
        ),
        Fault::CutStream => (
            "The reply was cut off: the stream ended before the reply was complete.".into(),
            "Nothing half-read was run. Retry sends the same request again.",
        ),
        Fault::Unreachable { url, message } => (
            format!("No answer from {url}. The browser only says: {message}"),
            "Either the host can't be reached, or it doesn't allow requests from web pages (CORS). Is the server running, is the address right, and does it allow this page's origin?",
        ),
        Fault::Settings { field, rule } => settings(field, rule),
        Fault::CutCall { tool, stop_reason } => (
            format!(
                "The reply ends in the middle of a {tool} call (stop reason: {}). The call was not run.",
                stop_reason.as_deref().unwrap_or("none")
            ),
            "Raise max tokens in the settings, then retry.",
        ),
        Fault::Crashed { exception } => (
            format!("The lesson's program would have ended here with an exception that nothing catches: {exception}"),
            "The calls that were open got an answer, so you can retry or send another prompt.",
        ),
    };
    (what, advice.to_string())
}

fn api_advice(status: u16, message: &str) -> &'static str {
    match status {
        401 if message.contains("CORS requests must set") => {
            "The key may be fine: the header that lets browsers in is missing. Switch on Anthropic's own headers in the settings."
        }
        401 if message.contains("CORS requests are not allowed") => {
            "The key may be fine: its organization doesn't allow requests from browsers. Use a key of another organization."
        }
        401 => "The key was refused. Check it in the settings, and that it belongs to this endpoint.",
        402 => "The account has no credit left. Add some, or use another key.",
        403 => "The key may not do this. Check its permissions and the model's name.",
        404 => "Check the model's name and the base URL in the settings.",
        413 => "The request is too large. Start over with a shorter run.",
        429 => "Too many requests. Wait as long as it asks, then retry.",
        400 => "The endpoint refuses this request. Look at it under Request in the inspector.",
        500.. => "The endpoint has a problem of its own. Wait a little, then retry.",
        _ => "Look at the message, then retry.",
    }
}

fn settings(field: &str, rule: &str) -> (String, &'static str) {
    let name = match field {
        "base_url" => "base URL",
        "key" => "key",
        "model" => "model",
        _ => "max tokens",
    };
    let (what, advice) = match rule {
        "empty" | "missing" => ("is missing", "Fill it in."),
        "space" => ("has a space inside", "Take the space out."),
        "line_break" => ("has a line break inside", "Copy it again, in one piece."),
        "control" => ("has an invisible control character inside", "Copy it again, or type it."),
        "zero_width" => ("has an invisible character of no width inside", "Copy it again, or type it."),
        "non_ascii" => ("has a character that no key can have", "Check for full-width or special characters."),
        "other_host" => {
            ("was typed for another host, so it was taken out", "Type the key of this host, or leave it empty.")
        }
        "scheme" => ("begins with something else than http:// or https://", "Use the API's web address."),
        "userinfo" => ("holds a user name", "Put the key into the field below instead."),
        "query" => ("holds a ? or #", "Leave out everything from there on."),
        "port" => ("has a port that is none", "A port is a number up to 65535."),
        "colon" => ("has a colon that neither // nor a port follows", "It looks like https://api.example.com."),
        "too_large" => ("is too large a number", "Type a smaller one, or leave it empty for the lesson's 8000."),
        "not_a_number" => ("is no positive whole number", "Type a number, or leave it empty for the lesson's 8000."),
        _ => ("is no address", "It looks like https://api.example.com."),
    };
    (format!("The {name} {what}."), advice)
}
