//! The words of the rules panel, but for the rules' own names, which are data.

use crate::language::Language;

pub(super) struct Words {
    pub(super) intro: &'static str,
    pub(super) pending: &'static str,
    pub(super) past: &'static str,
    pub(super) reset_all: &'static str,
    pub(super) compare: &'static str,
    pub(super) reset: &'static str,
    pub(super) is_changed: &'static str,
    /// Before the lesson's own value.
    pub(super) was: &'static str,
    pub(super) nothing: &'static str,
    pub(super) changed: fn(usize) -> String,
    /// In the order of `Group::ALL`.
    pub(super) groups: [&'static str; 7],
    pub(super) none_here: &'static str,
    pub(super) no_count: &'static str,
    pub(super) no_json: &'static str,
    pub(super) cannot: fn(&str) -> String,
    pub(super) hooks_hint: &'static str,
    pub(super) hook_new: &'static str,
    pub(super) what_it_does: &'static str,
    pub(super) up: &'static str,
    pub(super) down: &'static str,
    pub(super) remove: &'static str,
    pub(super) add_hook: &'static str,
    pub(super) choose: &'static str,
    /// A blocked tool, Stop feedback, context with the prompt, a printed line.
    pub(super) new_hooks: [&'static str; 4],
}

pub(super) fn of(language: Language) -> &'static Words {
    match language {
        Language::En => &EN,
        Language::Zh => &ZH,
    }
}

static EN: Words = Words {
    intro: "What this lesson does, rule by rule. Change one: it holds from the next round on, and Start over keeps it.",
    pending: "from the next round on",
    past: "You are looking at an earlier step. These are the rules at the run's end, for what comes next.",
    reset_all: "Reset all",
    compare: "Compare…",
    reset: "Reset",
    is_changed: "changed",
    was: "The lesson has",
    nothing: "none",
    changed: |n| format!("{n} changed"),
    groups: ["Counter and reminder", "Plan", "Hooks", "Tools", "System prompt", "Loop", "What tools answer"],
    none_here: "This lesson has none.",
    no_count: "Type a whole number, 1 or more.",
    no_json: "This is not JSON yet. Check quotes, commas and brackets.",
    cannot: |why| format!("This can't stand here: {why}."),
    hooks_hint: "They run in this order at their point of the loop; the first that answers ends the chain.",
    hook_new: "added",
    what_it_does: "What it does",
    up: "Earlier",
    down: "Later",
    remove: "Remove",
    add_hook: "Add a hook:",
    choose: "choose…",
    new_hooks: [
        "block a tool",
        "answer at Stop, so that the loop goes on",
        "give the model a text with the prompt",
        "print a line after each call",
    ],
};

static ZH: Words = Words {
    intro: "这一课的规则，逐条列出。改一条：从下一轮起生效，“重新开始”也会保留。",
    pending: "从下一轮起生效",
    past: "你正在看较早的一步。这里是运行末尾的规则，用于接下来的轮次。",
    reset_all: "全部还原",
    compare: "对比…",
    reset: "还原",
    is_changed: "已改",
    was: "课程原值",
    nothing: "无",
    changed: |n| format!("改了 {n} 条"),
    groups: ["计数器与提醒", "计划", "hook", "工具", "系统提示词", "循环", "工具的回答"],
    none_here: "这一课没有。",
    no_count: "请输入正整数。",
    no_json: "还不是 JSON。请检查引号、逗号和括号。",
    cannot: |why| format!("这里不能这样写：{why}。"),
    hooks_hint: "它们在循环的各自位置按此顺序运行；第一个有返回的结束这一串。",
    hook_new: "新增",
    what_it_does: "它做什么",
    up: "上移",
    down: "下移",
    remove: "删除",
    add_hook: "添加 hook：",
    choose: "请选择…",
    new_hooks: ["阻止一个工具", "在 Stop 返回文本，让循环继续", "随提示词附上一段文本", "每次调用后打印一行"],
};
