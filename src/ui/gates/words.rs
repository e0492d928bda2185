//! The words of the two gates.

use crate::agent::Outcome;
use crate::gates::Row;
use crate::language::Language;
use serde_json::json;

pub(super) struct Words {
    pub(super) intro: &'static str,
    pub(super) which: &'static str,
    /// A call in the list: its round, its id, how it came to its result.
    pub(super) call: fn(u32, &str, Outcome) -> String,
    pub(super) no_call: fn(&str) -> String,
    pub(super) no_plan: &'static str,
    pub(super) write: &'static str,
    pub(super) back: &'static str,
    pub(super) typed: fn(&str) -> String,
    pub(super) no_json: fn(&str) -> String,
    pub(super) not_run: &'static str,
    pub(super) samples: &'static str,
    /// Inputs to try, with their names: for an argument and the field that holds an item's content.
    pub(super) sample: fn(&str, &str) -> Vec<(&'static str, String)>,
    pub(super) asked: &'static str,
    pub(super) schema: &'static str,
    pub(super) handler: &'static str,
    pub(super) valid: &'static str,
    pub(super) invalid: &'static str,
    pub(super) enforced: fn(&str) -> String,
    pub(super) replaced: &'static str,
    pub(super) kept: &'static str,
    pub(super) model_reads: &'static str,
    pub(super) passes: &'static str,
    pub(super) refuses: &'static str,
    pub(super) silent: &'static str,
    pub(super) blind: &'static str,
    /// What a row asks, and why the gates differ in it.
    pub(super) row: fn(Row) -> (&'static str, &'static str),
    pub(super) unknown: fn(&str) -> String,
    pub(super) item_by_item: &'static str,
    pub(super) item: &'static str,
    pub(super) more: fn(usize) -> String,
}

pub(super) fn of(language: Language) -> &'static Words {
    match language {
        Language::En => &EN,
        Language::Zh => &ZH,
    }
}

/// The inputs to try, in the order of their names.
fn samples(names: [&'static str; 6], argument: &str, content: &str) -> Vec<(&'static str, String)> {
    let item = |text: &str, status: &str| json!({content: text, "status": status});
    let text = json!([item("a", "pending")]).to_string();
    let inputs = [
        json!({argument: text}),
        json!({argument: vec![item("a", "pending"); 21]}),
        json!({argument: [item("   ", "pending")]}),
        json!({argument: [item("a", "PENDING")]}),
        json!({argument: [{content: "a"}]}),
        json!({argument: [item("a", "in_progress"), item("b", "in_progress")]}),
    ];
    let pretty = inputs.iter().map(|input| serde_json::to_string_pretty(input).unwrap_or_default());
    names.into_iter().zip(pretty).collect()
}

static EN: Words = Words {
    intro: "A plan call meets two gates. The schema is what the model is told; the handler is what runs. Neither knows of the other.",
    which: "Plan call",
    call: |round, id, outcome| {
        let how = match outcome {
            Outcome::Ran => "",
            Outcome::Blocked => ", blocked",
            Outcome::NotRun => ", not run",
        };
        format!("Round {round}: {id}{how}")
    },
    no_call: |tool| format!("No {tool} call up to here. Write one to see what the gates say."),
    no_plan: "This lesson has no plan tool, so there are no gates.",
    write: "Write my own",
    back: "Back to the run's calls",
    typed: |tool| format!("Input of {tool}, as JSON"),
    no_json: |why| format!("This is no JSON: {why}"),
    not_run: "This call was never run. The gates say what they would have said.",
    samples: "Inputs to try",
    sample: |argument, content| {
        let names = [
            "A list as a string",
            "21 items",
            "Only spaces",
            "Status in capitals",
            "Status missing",
            "Two in progress",
        ];
        samples(names, argument, content)
    },
    asked: "What is asked",
    schema: "Schema",
    handler: "Handler",
    valid: "Valid",
    invalid: "Not valid",
    enforced: |tool| {
        format!(
            "Sent with every request as the input_schema of {tool}. The lesson's program never checks it. Whether the provider holds the model to it is the provider's affair: some do, some only show it to the model."
        )
    },
    replaced: "Accepted: the plan is replaced",
    kept: "Refused: the plan stays as it was",
    model_reads: "The model reads:",
    passes: "passes",
    refuses: "refuses",
    silent: "doesn't ask",
    blind: "can't see it",
    row: |row| match row {
        Row::Shape => (
            "List and objects",
            "The schema wants an array of objects and takes any further argument, unless additionalProperties says no. The handler binds Python arguments, so one name too many is an exception; and some lessons read a string as a list, which the schema calls a wrong type.",
        ),
        Row::Length => (
            "Length",
            "maxItems in the schema, a comparison in the handler. They are two numbers in two places: a lesson may have one without the other.",
        ),
        Row::Content => (
            "Content not empty",
            "minLength counts characters, and a space is one. The handler makes text of whatever comes, trims it, and refuses what is then empty. So blanks pass the schema and not the handler; a number is the other way round.",
        ),
        Row::Status => (
            "Status",
            "enum compares letter by letter, and required wants the field. The handler writes the status in small letters first, and takes a missing one for pending.",
        ),
        Row::OneInProgress => (
            "One in progress",
            "This is a rule about items together. No keyword of this schema can say “at most one item with this status”, so only the handler knows it.",
        ),
    },
    unknown: |names| {
        format!("Not judged here: {names}. This page reads the keywords that tools' schemas commonly use.")
    },
    item_by_item: "Item by item, each on its own",
    item: "Item",
    more: |count| format!("and {count} more"),
};

static ZH: Words = Words {
    intro: "一次计划调用要过两道闸：schema 是告诉模型的，处理函数是真正运行的。两者互不知情。",
    which: "计划调用",
    call: |round, id, outcome| {
        let how = match outcome {
            Outcome::Ran => "",
            Outcome::Blocked => "，被拦下",
            Outcome::NotRun => "，未运行",
        };
        format!("第 {round} 轮：{id}{how}")
    },
    no_call: |tool| format!("到这里还没有 {tool} 调用。可以自己写一个，看两道闸怎么说。"),
    no_plan: "这一课没有计划工具，也就没有闸。",
    write: "自己写一个",
    back: "回到本次运行的调用",
    typed: |tool| format!("{tool} 的输入（JSON）"),
    no_json: |why| format!("这不是 JSON：{why}"),
    not_run: "这次调用没有真正运行。下面是两道闸本来会说的话。",
    samples: "可以试的输入",
    sample: |argument, content| {
        let names = ["列表写成字符串", "21 项", "只有空格", "状态用大写", "缺少状态", "两项进行中"];
        samples(names, argument, content)
    },
    asked: "检查什么",
    schema: "Schema",
    handler: "处理函数",
    valid: "有效",
    invalid: "无效",
    enforced: |tool| {
        format!(
            "作为 {tool} 的 input_schema 随每次请求发出。这一课的程序从不检查它。服务商是否用它约束模型，由服务商决定：有的会，有的只是给模型看。"
        )
    },
    replaced: "接受：计划被替换",
    kept: "拒绝：计划保持原样",
    model_reads: "模型读到：",
    passes: "通过",
    refuses: "拒绝",
    silent: "不检查",
    blind: "看不到",
    row: |row| match row {
        Row::Shape => (
            "列表与对象类型",
            "Schema 要求对象的数组；多出的参数照收，除非 additionalProperties 禁止。处理函数绑定的是 Python 参数，多一个名字就是异常；有的课还会把字符串读成列表，而 schema 认为类型不对。",
        ),
        Row::Length => ("长度", "Schema 里是 maxItems，处理函数里是一次比较。两个数字写在两处：一课可以只有其中一个。"),
        Row::Content => (
            "内容非空",
            "minLength 数字符，空格也算一个。处理函数先把任何值变成文本、去掉首尾空白，再拒绝空的。所以纯空格能过 schema，过不了处理函数；数字则正好相反。",
        ),
        Row::Status => ("状态", "enum 逐字比较，required 要求有这个字段。处理函数先转成小写，缺少时当作 pending。"),
        Row::OneInProgress => (
            "只有一项进行中",
            "这是关于各项之间的规则。这份 schema 没有关键字能表达“最多一项是这个状态”，所以只有处理函数知道它。",
        ),
    },
    unknown: |names| format!("这里未判断：{names}。本页只读工具 schema 常用的关键字。"),
    item_by_item: "逐项来看，每项单独判断",
    item: "项",
    more: |count| format!("另有 {count} 个"),
};
