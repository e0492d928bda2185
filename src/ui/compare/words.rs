//! The words of the comparison, and which pairs are one press away.

use super::side::{Kind, Side};
use crate::compare::Aspect;
use crate::language::Language;

pub(super) struct Words {
    pub(super) title: &'static str,
    pub(super) close: &'static str,
    pub(super) intro: &'static str,
    pub(super) pairs: &'static str,
    pub(super) against: fn(&str, &str) -> String,
    pub(super) left: &'static str,
    pub(super) right: &'static str,
    pub(super) allow: &'static str,
    pub(super) playing: &'static str,
    pub(super) same: &'static str,
    pub(super) round: fn(usize) -> String,
    pub(super) round_of: &'static str,
    pub(super) parting: fn(Aspect) -> String,
    pub(super) back: &'static str,
    pub(super) on: &'static str,
    pub(super) mine: &'static str,
    pub(super) append: &'static str,
    pub(super) index_0: &'static str,
    pub(super) resets: &'static str,
    pub(super) repeats: &'static str,
    pub(super) off: &'static str,
    pub(super) no_message: &'static str,
    pub(super) over: &'static str,
    pub(super) earlier: fn(usize) -> String,
    pub(super) same_messages: fn(usize) -> String,
    pub(super) parts_here: &'static str,
    pub(super) no_counter: &'static str,
    pub(super) counter: fn(u32, u32) -> String,
    pub(super) no_plan: &'static str,
}

pub(super) fn of(language: Language) -> &'static Words {
    match language {
        Language::En => &EN,
        Language::Zh => &ZH,
    }
}

/// The pairs that are one press away, by the places of their sides.
pub(super) fn pairs(sides: &[Side]) -> Vec<(usize, usize)> {
    let place = |kind| sides.iter().position(|side| side.kind == kind);
    let pair = |left, right| Some((place(left)?, place(right)?));
    let pairs = [
        pair(Kind::Before, Kind::Own),
        pair(Kind::Own, Kind::Mine),
        pair(Kind::Placement(true), Kind::Placement(false)),
        pair(Kind::Resets(true), Kind::Resets(false)),
        pair(Kind::Own, Kind::Off),
    ];
    pairs.into_iter().flatten().collect()
}

/// The pair to begin with: the reader's changes, where there are any, else the first.
pub(super) fn first_pair(sides: &[Side]) -> [usize; 2] {
    let pairs = pairs(sides);
    let mine = pairs.iter().find(|(_, right)| sides[*right].kind == Kind::Mine);
    mine.or(pairs.first()).map_or([0, sides.len().min(2) - 1], |&(left, right)| [left, right])
}

static EN: Words = Words {
    title: "Compare",
    close: "Close",
    intro: "The scripted model plays this scenario twice, from the start, under two sets of rules. Your own run stays as it is.",
    pairs: "Pairs",
    against: |left, right| format!("{left} ↔ {right}"),
    left: "Left",
    right: "Right",
    allow: "Questions about permission are answered with Allow",
    playing: "Both runs are being played…",
    same: "The two runs do not part: every request, plan and counter is the same.",
    round: |n| format!("Round {n}"),
    round_of: "Round",
    parting: |aspect| match aspect {
        Aspect::System => "the system prompts of the requests differ.".into(),
        Aspect::Tools => "the requests tell the model of different tools.".into(),
        Aspect::Messages { place } => format!("the message lists part at messages[{place}]."),
        Aspect::Plan => "the plans differ at the round's end.".into(),
        Aspect::Counter => "the counters differ at the round's end.".into(),
        Aspect::Length => "one of the runs is already over.".into(),
    },
    back: "One round back",
    on: "One round on",
    mine: "with the changed rules",
    append: "reminder behind the results",
    index_0: "reminder at index 0",
    resets: "back to 0 with the reminder",
    repeats: "reminder repeats every idle round",
    off: "no reminder",
    no_message: "no such message",
    over: "This run is over; this is how it ended.",
    earlier: |n| format!("{n} earlier messages are not shown."),
    same_messages: |n| format!("{n} messages are the same"),
    parts_here: "Here the lists part",
    no_counter: "no counter",
    counter: |idle, of| format!("counter {idle}/{of}"),
    no_plan: "no plan",
};

static ZH: Words = Words {
    title: "对比",
    close: "关闭",
    intro: "脚本模型按两套规则把这个场景从头各演一遍。你自己的运行不受影响。",
    pairs: "成对选择",
    against: |left, right| format!("{left} ↔ {right}"),
    left: "左边",
    right: "右边",
    allow: "许可问题一律回答“允许”",
    playing: "正在演出两次运行…",
    same: "两次运行没有分歧：每个请求、计划和计数器都相同。",
    round: |n| format!("第 {n} 轮"),
    round_of: "轮次",
    parting: |aspect| match aspect {
        Aspect::System => "请求的系统提示词不同。".into(),
        Aspect::Tools => "请求告诉模型的工具不同。".into(),
        Aspect::Messages { place } => format!("消息列表从 messages[{place}] 起不同。"),
        Aspect::Plan => "本轮结束时计划不同。".into(),
        Aspect::Counter => "本轮结束时计数器不同。".into(),
        Aspect::Length => "其中一次运行已经结束。".into(),
    },
    back: "上一轮",
    on: "下一轮",
    mine: "按改动后的规则",
    append: "提醒放在结果之后",
    index_0: "提醒放在下标 0",
    resets: "提醒时计数器归零",
    repeats: "每个空闲轮都提醒",
    off: "不提醒",
    no_message: "没有这条消息",
    over: "这次运行已经结束，这是它结束时的样子。",
    earlier: |n| format!("前面 {n} 条消息未显示。"),
    same_messages: |n| format!("{n} 条消息相同"),
    parts_here: "从这里开始不同",
    no_counter: "没有计数器",
    counter: |idle, of| format!("计数器 {idle}/{of}"),
    no_plan: "没有计划",
};
