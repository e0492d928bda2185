//! The words of the checker and of strict mode.

use crate::language::Language;
use crate::wire::checker::Rule;

pub(in crate::ui) struct Words {
    pub(super) all_hold: &'static str,
    pub(super) broken: fn(usize) -> String,
    pub(super) advised: &'static str,
    pub(super) more: fn(usize) -> String,
    pub(super) refused: &'static str,
    pub(super) discouraged: &'static str,
    /// A rule, and what it means here.
    pub(super) rule: fn(Rule) -> (&'static str, &'static str),
    pub(super) moved: &'static str,
    pub(super) asks: &'static str,
    pub(super) asks_what: &'static str,
    pub(super) was_refused: &'static str,
    pub(super) was_refused_what: &'static str,
    pub(super) stop: &'static str,
    pub(super) as_it_is: &'static str,
    pub(super) move_and_send: &'static str,
    pub(super) move_and_retry: &'static str,
    /// In the settings.
    pub(in crate::ui) strict: &'static str,
    pub(in crate::ui) strict_hint: &'static str,
}

pub(in crate::ui) fn of(language: Language) -> &'static Words {
    match language {
        Language::En => &EN,
        Language::Zh => &ZH,
    }
}

static EN: Words = Words {
    all_hold: "The API's rules: all hold.",
    broken: |count| match count {
        1 => "The API's rules: one is broken, the request would be refused.".into(),
        _ => format!("The API's rules: broken in {count} places, the request would be refused."),
    },
    advised: "Accepted, but the API's documentation advises against it:",
    more: |count| format!("and {count} more"),
    refused: "Refused.",
    discouraged: "Accepted, but discouraged.",
    rule: |rule| match rule {
        Rule::Answered => {
            ("Each call needs a result in the next user message.", "This call has none there, so the API answers 400.")
        }
        Rule::ResultOfCall => ("A result answers a call of the message right before.", "There is no such call in it."),
        Rule::AnsweredOnce => ("A call has one result.", "This is a second one."),
        Rule::ResultsFirst => (
            "In a user message the results come first, text after all of them.",
            "With other content in front, the API takes the calls before for unanswered and answers 400. Behind the results it would be accepted.",
        ),
        Rule::NoTextBehindResults => (
            "No text right behind results.",
            "It can teach the model to expect a user's words there, and to end its turn with an empty answer.",
        ),
        Rule::TextNotEmpty => {
            ("A text block is not empty.", "The model sent it so, and the lesson sends it back as it came.")
        }
        Rule::ContentNotEmpty => (
            "Only a last message of the model may be empty.",
            "An empty reply ended a turn, and a new prompt follows it.",
        ),
        Rule::CallsLast => ("Behind the first call of a reply come only calls.", "This block stands behind one."),
        Rule::ToolsDefined => ("A request with calls or results tells of tools.", "This one has none on offer."),
        Rule::ToolName => {
            ("A tool's name has 1 to 64 letters, digits, _ or -.", "Another name is refused, on offer or called.")
        }
        Rule::CallId => {
            ("A call's id has only letters, digits, _ or -.", "Some servers make ids that the API doesn't take.")
        }
        Rule::CallIdOnce => ("No two calls have one id.", "An earlier call has this id, too."),
        Rule::BodySize => ("A request has at most 32 MB.", "The API answers 413."),
    },
    moved: "moved by you",
    asks: "The API would refuse this request",
    asks_what: "Nothing was sent. The message list breaks a rule of the API:",
    was_refused: "The refused list can be repaired",
    was_refused_what: "A changed rule shapes new messages only. In this list stand reminders in front of results:",
    stop: "Stop the turn",
    as_it_is: "Send as it is",
    move_and_send: "Move the reminder behind the results and send",
    move_and_retry: "Move the reminder behind the results and retry",
    strict: "The scripted model is strict: it answers 400 where the real API would",
    strict_hint: "This takes effect at once. Off, it answers whatever it is sent. A live endpoint is not asked at all before you agree.",
};

static ZH: Words = Words {
    all_hold: "API 的规则：全部满足。",
    broken: |count| format!("API 的规则：有 {count} 处违反，这个请求会被拒绝。"),
    advised: "会被接受，但 API 文档不建议：",
    more: |count| format!("另有 {count} 处"),
    refused: "会被拒绝。",
    discouraged: "会被接受，但不建议。",
    rule: |rule| match rule {
        Rule::Answered => ("每个调用都要在下一条用户消息里有结果。", "这个调用没有，API 会回答 400。"),
        Rule::ResultOfCall => ("结果必须对应紧邻的上一条消息里的调用。", "那里没有这个调用。"),
        Rule::AnsweredOnce => ("一个调用只有一个结果。", "这是第二个。"),
        Rule::ResultsFirst => (
            "用户消息里结果在前，文本在所有结果之后。",
            "前面有别的内容时，API 会认为之前的调用没有结果，回答 400。放到结果之后就会被接受。",
        ),
        Rule::NoTextBehindResults => {
            ("结果之后不要紧跟文本。", "这会让模型习惯在那里等用户说话，从而以空回答结束回合。")
        }
        Rule::TextNotEmpty => ("文本块不能为空。", "模型就是这样发来的，这一课原样发回。"),
        Rule::ContentNotEmpty => ("只有模型的最后一条消息可以为空。", "一个空回复结束了回合，后面又有新的提示词。"),
        Rule::CallsLast => ("回复里第一个调用之后只能是调用。", "这个块在调用之后。"),
        Rule::ToolsDefined => ("带调用或结果的请求必须定义工具。", "这个请求没有提供工具。"),
        Rule::ToolName => {
            ("工具名由 1 到 64 个字母、数字、_ 或 - 组成。", "别的名字会被拒绝，无论是提供的还是被调用的。")
        }
        Rule::CallId => ("调用的 id 只能有字母、数字、_ 或 -。", "有些服务器生成的 id，API 不接受。"),
        Rule::CallIdOnce => ("调用的 id 不能重复。", "前面已有调用用了这个 id。"),
        Rule::BodySize => ("请求最大 32 MB。", "API 会回答 413。"),
    },
    moved: "由你移动",
    asks: "API 会拒绝这个请求",
    asks_what: "什么都没有发出。消息列表违反了 API 的规则：",
    was_refused: "被拒绝的列表可以修复",
    was_refused_what: "修改规则只影响新的消息。这个列表里还有提醒排在结果前面：",
    stop: "停止本回合",
    as_it_is: "原样发送",
    move_and_send: "把提醒移到结果之后再发送",
    move_and_retry: "把提醒移到结果之后再重试",
    strict: "脚本模型使用严格模式：真实 API 会拒绝的，它也回答 400",
    strict_hint: "立即生效。关闭时，它对任何请求都照常回答。对真实接口，则先问你再发送。",
};
