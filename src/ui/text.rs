//! Every word that a reader sees, in both languages. A text that one language lacks does not compile.
//!
//! What the lesson says to the model is not here: it is the lesson's data, and stays as the program has it.

mod en;
mod zh;

use crate::fault::Fault;
use crate::language::Language;
use crate::lesson::{Placement, ReminderRules};
use crate::runtime::shell::Part;

/// The words of a language.
pub(super) fn of(language: Language) -> &'static Text {
    match language {
        Language::En => &en::TEXT,
        Language::Zh => &zh::TEXT,
    }
}

/// The words.
pub(super) struct Text {
    /// The page's name.
    pub(super) title: &'static str,
    /// The other language, in that language.
    pub(super) other_language: &'static str,
    /// Its tag.
    pub(super) other_language_tag: &'static str,
    /// Label of the theme choice.
    pub(super) theme: &'static str,
    /// System, light, dark.
    pub(super) themes: [&'static str; 3],
    /// Opens the settings.
    pub(super) settings: &'static str,
    /// Label of the lesson choice.
    pub(super) lesson: &'static str,
    /// Label of the scenario choice.
    pub(super) scenario: &'static str,
    /// Label of the model choice.
    pub(super) model: &'static str,
    /// The scripted model.
    pub(super) scripted: &'static str,
    /// What it is.
    pub(super) scripted_hint: &'static str,
    /// A live endpoint.
    pub(super) endpoint: &'static str,
    /// What it is.
    pub(super) endpoint_hint: &'static str,
    /// Label of the scripted model's speed.
    pub(super) speed: &'static str,
    /// Slow, normal, instant.
    pub(super) speeds: [&'static str; 3],
    /// Names the run's controls.
    pub(super) controls: &'static str,
    /// Sends the prompt.
    pub(super) run: &'static str,
    /// Plays the script from its start.
    pub(super) run_again: &'static str,
    /// Holds the run.
    pub(super) pause: &'static str,
    /// It will hold.
    pub(super) pausing: &'static str,
    /// When it will, and how that is undone.
    pub(super) pausing_hint: &'static str,
    /// Lets it go on.
    pub(super) resume: &'static str,
    /// Sends the failed request again.
    pub(super) retry: &'static str,
    /// One step.
    pub(super) step: &'static str,
    /// Its key.
    pub(super) step_hint: &'static str,
    /// Ends the turn.
    pub(super) stop: &'static str,
    /// Names the tabs of a narrow screen.
    pub(super) panes: &'static str,
    /// The transcript.
    pub(super) transcript: &'static str,
    /// The board.
    pub(super) board: &'static str,
    /// The inspector.
    pub(super) inspector: &'static str,
    /// Saves the run's log.
    pub(super) save_log: &'static str,
    /// Begins the scenario again.
    pub(super) start_over: &'static str,
    /// Said when a run was left.
    pub(super) started_over: &'static str,
    /// Brings it back: the run of a lesson and a scenario.
    pub(super) bring_back: fn(&str, &str) -> String,
    pub(super) part_loads: &'static str,
    pub(super) part_not_loaded: &'static str,
    /// A scenario's title, and why its file cannot be had.
    pub(super) not_loaded: fn(&str, &str) -> String,
    /// The first thing to do.
    pub(super) press_run: &'static str,
    /// What to look at then, where the lesson has a reminder; behind the text before.
    pub(super) watch_reminder: &'static str,
    /// Label of the prompt box.
    pub(super) prompt: &'static str,
    /// Shown in the empty box.
    pub(super) prompt_placeholder: &'static str,
    /// Sends the prompt.
    pub(super) send: &'static str,
    /// Keys of the box.
    pub(super) enter_sends: &'static str,
    /// Why the prompt cannot be sent.
    pub(super) wait_for_turn: &'static str,
    /// The script is played.
    pub(super) script_over: &'static str,
    /// Why nothing can be sent.
    pub(super) prompt_empty: &'static str,
    /// Prompts to choose from.
    pub(super) suggestions: &'static str,
    /// A prompt that the reader had typed.
    pub(super) set_aside: &'static str,
    /// A prompt that the script has no answer to.
    pub(super) needs_endpoint: &'static str,
    /// A turn's heading.
    pub(super) turn: fn(u32) -> String,
    /// A round's heading.
    pub(super) round: fn(u32) -> String,
    /// Moves the cursor to a round.
    pub(super) go_to_round: &'static str,
    /// Draws more rounds.
    pub(super) earlier_rounds: fn(usize) -> String,
    /// No answer yet.
    pub(super) awaiting: &'static str,
    /// Names a reply that was cut.
    pub(super) cut: &'static str,
    /// A call that ran.
    pub(super) call_ran: &'static str,
    /// A call whose tool answered with an error.
    pub(super) call_failed: &'static str,
    /// A call that a hook blocked.
    pub(super) call_blocked: &'static str,
    /// A call that was not run.
    pub(super) call_not_run: &'static str,
    /// A call that the reader is asked about.
    pub(super) call_asked: &'static str,
    /// A call that is run now.
    pub(super) call_running: &'static str,
    /// A part that a command waits for is on its way; so much of it is here.
    pub(super) loading: fn(Part, &str) -> String,
    /// A command of the reader's own.
    pub(super) you_ran: &'static str,
    /// Files that the reader changed by hand.
    pub(super) you_edited: fn(usize) -> String,
    /// A call that waits.
    pub(super) call_queued: &'static str,
    /// A call that the model is writing.
    pub(super) call_written: &'static str,
    /// A call's input.
    pub(super) input: &'static str,
    /// A call's result.
    pub(super) result: &'static str,
    /// A result without text.
    pub(super) empty_result: &'static str,
    /// Heads the hook trail.
    pub(super) hooks_ran: fn(usize) -> String,
    /// A hook's answer, which ends the chain, and the names of the hooks behind it.
    pub(super) hook_answered: fn(&str, &str) -> String,
    /// What a hook gave the model along with the prompt.
    pub(super) hook_added: fn(&str) -> String,
    /// A hook that neither printed nor answered.
    pub(super) hook_passed: &'static str,
    /// The plan call that sets the counter back.
    pub(super) plan_call: fn(&ReminderRules, &str) -> String,
    /// A round without one, by the counter and its threshold.
    pub(super) counted: fn(u32, u32, &str) -> String,
    /// A round with one.
    pub(super) counted_plan: fn(u32, &str) -> String,
    /// Between the reminder and its place.
    pub(super) reminder_added_to: fn(Placement) -> &'static str,
    /// A turn's end, by the stop reason and how much the reply holds.
    pub(super) turn_answered: fn(&str, Said) -> &'static str,
    /// A turn's end.
    pub(super) turn_stopped: &'static str,
    /// A permission question in the transcript, and what the reader answered.
    pub(super) asked: fn(&str, &str, Option<bool>) -> String,
    /// To do, in progress, done.
    pub(super) columns: [&'static str; 3],
    /// Names the progress bar.
    pub(super) progress: &'static str,
    /// Shows the plan as text.
    pub(super) as_the_model_reads: &'static str,
    /// Titles of the board's tabs.
    pub(super) board_tabs: [&'static str; 3],
    /// How many rules of the lesson are changed; leads to them.
    pub(super) rules_changed: fn(usize) -> String,
    /// No active item.
    pub(super) nothing_in_progress: &'static str,
    /// A lesson without a plan.
    pub(super) lesson_without_plan: &'static str,
    /// A lesson without a counter.
    pub(super) lesson_without_counter: &'static str,
    /// Names the counter.
    pub(super) counter: &'static str,
    /// The counter's state.
    pub(super) counter_now: fn(u32, &ReminderRules, &str) -> String,
    /// The rule in words.
    pub(super) counter_rule: fn(&ReminderRules, &str) -> String,
    /// A reminder went out; whether the counter is back at 0.
    pub(super) reminder_sent: fn(bool) -> &'static str,
    /// Heads the plan's history.
    pub(super) plan_history: &'static str,
    /// Updates that are not shown.
    pub(super) earlier_updates: fn(usize) -> String,
    /// An update that was refused.
    pub(super) update_rejected: fn(&str) -> String,
    /// An update without a difference.
    pub(super) nothing_changed: &'static str,
    /// Tab of the message list.
    pub(super) messages: &'static str,
    /// Tab of the request.
    pub(super) request: &'static str,
    /// Tab of the files.
    pub(super) files: &'static str,
    /// The page of the licences.
    pub(super) licences: &'static str,
    /// Tab of the reader's own commands.
    pub(super) terminal: &'static str,
    /// The inspector's tab of a plan call's schema and handler.
    pub(super) gates: &'static str,
    /// Has the message list held against the API's rules.
    pub(super) check_list: &'static str,
    /// No message yet.
    pub(super) no_messages: &'static str,
    /// Says which list this is.
    pub(super) list_of: fn(u32, bool) -> String,
    /// Draws more messages.
    pub(super) earlier_messages: fn(usize) -> String,
    /// New since the request before.
    pub(super) new_block: &'static str,
    /// A message that is not complete.
    pub(super) being_built: &'static str,
    /// Content that is a string.
    pub(super) plain_text: &'static str,
    /// A message without blocks.
    pub(super) empty_content: &'static str,
    /// Heads the reminder's reason.
    pub(super) reason_title: &'static str,
    /// How far the counter had come, and how many rounds are listed.
    pub(super) reason_rounds: fn(u32, usize, &ReminderRules, &str) -> String,
    /// Where it stands, by the round whose results it is with.
    pub(super) reason_place: fn(Placement, u32) -> String,
    /// Where it stands, where the reader moved it.
    pub(super) reason_moved: &'static str,
    /// What would have prevented it.
    pub(super) reason_prevent: fn(&ReminderRules, &str) -> String,
    /// No request yet.
    pub(super) no_request: &'static str,
    /// A request's name.
    pub(super) request_number: fn(u32) -> String,
    /// Nothing is sent.
    pub(super) scripted_request: &'static str,
    /// Stands for the key.
    pub(super) hidden: &'static str,
    /// Shows the raw text.
    pub(super) as_sent: &'static str,
    /// Copies.
    pub(super) copy: &'static str,
    /// What the page adds.
    pub(super) stream_note: &'static str,
    /// A new file.
    pub(super) file_new: &'static str,
    /// A changed file.
    pub(super) file_changed: &'static str,
    /// A removed file.
    pub(super) file_removed: &'static str,
    /// A file that is not there.
    pub(super) file_gone: &'static str,
    /// An empty file.
    pub(super) file_empty: &'static str,
    /// A file that is not text.
    pub(super) file_binary: fn(&str) -> String,
    /// Lines that are not drawn.
    pub(super) more_lines: fn(usize) -> String,
    /// Draws all of a long text.
    pub(super) show_all: fn(&str) -> String,
    /// Names the scrubber.
    pub(super) steps: &'static str,
    /// No step yet.
    pub(super) no_steps: &'static str,
    /// To the first step.
    pub(super) first_step: &'static str,
    /// One step back.
    pub(super) step_back: &'static str,
    /// One step on.
    pub(super) step_on: &'static str,
    /// Follows the run.
    pub(super) live: &'static str,
    /// Where the cursor stands.
    pub(super) position: fn(usize, usize, u32, u32) -> String,
    /// A step.
    pub(super) step_prompt: &'static str,
    /// A step.
    pub(super) step_hook: fn(&str, &str) -> String,
    /// A step.
    pub(super) step_reply: fn(usize) -> String,
    /// A step.
    pub(super) step_asked: &'static str,
    /// A step.
    pub(super) step_called: fn(&str) -> String,
    /// A step.
    pub(super) step_plan: &'static str,
    /// A step.
    pub(super) step_rejected: &'static str,
    /// A step.
    pub(super) step_returned: fn(&str) -> String,
    /// A step.
    pub(super) step_counted: fn(u32) -> String,
    /// A step.
    pub(super) step_reminder: &'static str,
    /// A step.
    pub(super) step_ended: &'static str,
    /// A step.
    pub(super) step_failed: &'static str,
    /// A stop's name.
    pub(super) step_typed: &'static str,
    /// A stop's name.
    pub(super) step_edited: &'static str,
    /// A stop's name, and what heads the places that were changed.
    pub(super) step_rules: &'static str,
    pub(super) step_moved: &'static str,
    /// Heads the permission question.
    pub(super) permission_title: &'static str,
    /// The question.
    pub(super) permission_question: fn(&str, &str) -> String,
    /// What the program itself would have asked.
    pub(super) permission_words: fn(&str) -> String,
    /// Yes.
    pub(super) allow: &'static str,
    /// No.
    pub(super) deny: &'static str,
    /// Heads the settings.
    pub(super) settings_title: &'static str,
    /// What it does.
    pub(super) settings_intro: &'static str,
    /// A field.
    pub(super) base_url: &'static str,
    /// Before the URL.
    pub(super) final_url: &'static str,
    /// A field.
    pub(super) model_name: &'static str,
    /// A field.
    pub(super) key: &'static str,
    /// Where the key is kept.
    pub(super) key_hint: &'static str,
    /// A field.
    pub(super) max_tokens: &'static str,
    /// The lesson's value.
    pub(super) lesson_default: &'static str,
    /// A field.
    pub(super) auth: &'static str,
    /// No key.
    pub(super) no_auth: &'static str,
    /// A field.
    pub(super) vendor_headers: &'static str,
    /// When not to.
    pub(super) vendor_headers_hint: &'static str,
    /// Closes the settings.
    pub(super) cancel: &'static str,
    /// Uses what was typed.
    pub(super) use_endpoint: &'static str,
    /// Leaves the endpoint.
    pub(super) back_to_scripted: &'static str,
    /// What happened, and the next thing to do. The second value: whether part of a reply had come.
    pub(super) fault: fn(&Fault, bool) -> (String, String),
}

/// What the reply holds that ended a turn.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Said {
    /// Text.
    Something,
    /// No text and no call.
    Nothing,
    /// Calls, which the stop reason kept from being run.
    Calls,
}

/// The status that an API error would have had: one in the body or stream of an answer that began well has only a kind.
fn api_status(status: u16, kind: &str) -> u16 {
    match kind {
        _ if status != 200 => status,
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "billing_error" => 402,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        _ => 500,
    }
}
