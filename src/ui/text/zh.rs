//! Simplified Chinese.

use super::{Said, Text, api_status};
use crate::fault::Fault;
use crate::lesson::{Counts, Placement, ResetBy, Scope};
use crate::runtime::shell::Part;

pub(super) static TEXT: Text = Text {
    title: "TodoWrite 演练场",
    other_language: "English",
    other_language_tag: "en",
    theme: "主题",
    themes: ["跟随系统", "浅色", "深色"],
    settings: "设置",
    lesson: "课程",
    scenario: "场景",
    model: "模型",
    scripted: "脚本",
    scripted_hint: "由脚本扮演模型：不需要密钥，也不联网",
    endpoint: "真实接口",
    endpoint_hint: "用你自己的密钥连接真实模型",
    speed: "速度",
    speeds: ["慢", "正常", "即时"],
    controls: "运行控制",
    run: "运行",
    run_again: "再运行一次",
    pause: "暂停",
    pausing: "即将暂停…",
    pausing_hint: "正在进行的这一步结束后就暂停。再按一次则继续运行。",
    resume: "继续",
    retry: "重试",
    step: "单步",
    step_hint: "到下一步（F8）",
    stop: "停止",
    panes: "页面分区",
    transcript: "对话记录",
    board: "计划",
    inspector: "检查器",
    save_log: "保存日志",
    start_over: "重新开始",
    started_over: "保留着之前的一次运行。",
    part_loads: "加载中…",
    part_not_loaded: "页面的这一部分没有加载成功，运行不受影响：请检查网络，切换到别处再回来。",
    not_loaded: |scenario, why| format!("场景“{scenario}”加载失败（{why}）。当前运行没有变化：请检查网络后重新选择。"),
    bring_back: |lesson, scenario| format!("恢复“{scenario}”的运行（{lesson}）"),
    press_run: "按“运行”。",
    watch_reminder: "留意计划上方的计数器，然后在检查器里找到标为提醒的那一块。",
    prompt: "提示词",
    prompt_placeholder: "想让智能体做什么？",
    send: "发送",
    enter_sends: "Enter 发送，Shift+Enter 换行。",
    wait_for_turn: "这一回合还在进行，可以先写下一条提示词。",
    script_over: "脚本演完了。“再运行一次”从头播放，也可以另写提示词。",
    prompt_empty: "没有可运行的内容：请输入提示词，或选一条推荐的。",
    suggestions: "推荐的提示词",
    set_aside: "你刚才输入的",
    needs_endpoint: "需要真实模型",
    turn: |n| format!("第 {n} 回合"),
    round: |n| format!("第 {n} 轮"),
    go_to_round: "回到这一轮的开头",
    earlier_rounds: |n| format!("显示更早的轮次（还有 {n} 组）"),
    awaiting: "等待模型回复",
    cut: "回复在此中断，不计入历史。",
    call_ran: "已执行",
    call_failed: "出错",
    call_blocked: "被拦截",
    call_not_run: "未执行",
    call_asked: "等待你的回答",
    call_running: "执行中",
    loading: |part, size| match part {
        Part::Shell => format!("正在加载 shell（仅首次）：{size}"),
        Part::Python => format!("正在加载 Python（仅首次）：{size}"),
    },
    you_ran: "你运行了",
    you_edited: |count| format!("你修改了 {count} 个文件"),
    call_queued: "等待中",
    call_written: "正在生成",
    input: "输入",
    result: "结果",
    empty_result: "结果是空字符串。",
    hooks_ran: |n| format!("运行了 {n} 个 hook"),
    hook_answered: |answer, behind| {
        let said = if answer.is_empty() { "返回空文本".into() } else { format!("返回：{answer}") };
        let behind = if behind.is_empty() { String::new() } else { format!("，未运行：{behind}") };
        format!("{said}（有了返回，这一串 hook 到此为止{behind}）")
    },
    hook_added: |added| format!("附加到提示词：{added}"),
    hook_passed: "没有异议",
    plan_call: |rules, tool| match rules.reset_by {
        ResetBy::AnyCall => tool.into(),
        ResetBy::Update => format!("成功的 {tool}"),
    },
    counted: |idle, of, call| format!("计数器 {idle}/{of}：本轮没有执行 {call}"),
    counted_plan: |idle, call| match idle {
        0 => format!("计数器归零：本轮调用了 {call}"),
        _ => format!("计数器为 {idle}：本轮调用了 {call}"),
    },
    reminder_added_to: |placement| match placement {
        Placement::AfterResults | Placement::BeforeResults => "已加进同一条 user 消息，位于",
        Placement::OwnMessage => "已作为单独一条 user 消息加入，位于",
        Placement::InLastResult => "已加到最后一个结果的末尾，位于",
        Placement::System => "已加到下一次请求的系统提示词末尾",
    },
    turn_answered: |reason, said| match reason {
        "max_tokens" => "回复达到最大 token 数，在此截断（停止原因 max_tokens）：本回合结束。可在设置里调大。",
        "model_context_window_exceeded" => "模型的上下文已满，回复在此截断：本回合结束。",
        "refusal" => "模型拒绝回答（停止原因 refusal）：本回合结束。",
        "pause_turn" => "模型暂停了（停止原因 pause_turn）。课程的程序不会自动继续：本回合结束。",
        _ if said == Said::Calls => {
            "课程的程序只看停止原因，而它不是 tool_use：本回合结束，这些调用没有结果。真实 API 会拒绝下一个提示词。"
        }
        _ if said == Said::Nothing => "模型的回复没有任何内容：本回合结束。",
        _ => "模型没有再调用工具：本回合结束。",
    },
    turn_stopped: "本回合已被停止。",
    asked: |heading, about, allowed| {
        let answer = match allowed {
            Some(true) => "你允许了。",
            Some(false) => "你拒绝了。",
            None => "",
        };
        format!("程序询问：“{heading}: {about}”。{answer}")
    },
    columns: ["待办", "进行中", "已完成"],
    progress: "已完成项目",
    board_tabs: ["看板", "循环", "规则"],
    rules_changed: |n| format!("改了 {n} 条规则"),
    as_the_model_reads: "模型看到的样子",
    nothing_in_progress: "没有进行中的项目",
    lesson_without_plan: "这一课没有 todo_write。计划（如果有）只在模型的脑子里。",
    lesson_without_counter: "这一课没有计数器，也没有提醒。",
    counter: "提醒计数器",
    counter_now: |idle, rules, call| {
        let (of, unit) = (rules.threshold, unit(rules.counts));
        format!("已有 {idle} {unit}没有 {call}（满 {of} {unit}提醒）")
    },
    counter_rule: |rules, call| {
        let (of, unit) = (rules.threshold, unit(rules.counts));
        let again = if rules.resets { "计数器归零" } else { "此后每轮都提醒，直到调用" };
        let mut rule = format!("连续 {of} {unit}没有 {call} → 加入提醒，{again}");
        let more = [
            (rules.needs_plan, "有计划时才提醒"),
            (!rules.counts_without_plan, "有计划时才计数"),
            (rules.scope == Scope::Session, "换提示词不归零"),
        ];
        for (_, clause) in more.into_iter().filter(|(holds, _)| *holds) {
            rule.push('；');
            rule.push_str(clause);
        }
        rule
    },
    reminder_sent: |back| match back {
        true => "已加入提醒，计数器归零：",
        false => "已加入提醒，计数器继续累计：",
    },
    plan_history: "计划更新",
    earlier_updates: |n| format!("更早的 {n} 次更新请用下方步骤条查看"),
    update_rejected: |error| format!("被拒绝，计划不变：{error}"),
    nothing_changed: "列表没有变化",
    messages: "消息",
    request: "请求",
    files: "文件",
    licences: "本页各组成部分的许可证",
    terminal: "终端",
    gates: "两道闸",
    check_list: "按 API 的规则检查",
    no_messages: "还没有消息。下一次请求携带的消息会显示在这里。",
    list_of: |request, sent| {
        if sent {
            format!("第 {request} 次请求携带的消息列表，新增部分有标记。")
        } else {
            match request {
                0 => "第 1 次请求将携带的内容（目前为止）。".into(),
                _ => format!("第 {request} 次请求之后将发送的内容（目前为止）。"),
            }
        }
    },
    earlier_messages: |n| format!("显示更早的消息（还有 {n} 条）"),
    new_block: "新增",
    being_built: "正在组装",
    plain_text: "字符串",
    empty_content: "内容是空列表。",
    reason_title: "为什么有这条提醒",
    reason_rounds: |idle, listed, rules, tool| match (rules.counts, rules.reset_by) {
        (Counts::Calls, _) => format!("模型连续 {idle} 次调用都不是 {tool}，分布在这几轮："),
        (Counts::Rounds, ResetBy::Update) => format!("模型连续 {idle} 轮没有成功调用 {tool}："),
        (Counts::Rounds, ResetBy::AnyCall) if idle as usize == listed => {
            format!("模型连续 {idle} 轮没有执行 {tool}：")
        }
        _ => format!("模型连续 {idle} 轮没有执行 {tool}，最后几轮是："),
    },
    reason_place: |placement, round| match placement {
        Placement::AfterResults => format!(
            "程序把它放在携带第 {round} 轮工具结果的那条 user 消息末尾：先结果，后文本。真实 API 不接受相反的顺序。"
        ),
        Placement::BeforeResults => "程序把它放在最前面、工具结果之前。真实 API 不接受这种顺序。".into(),
        Placement::OwnMessage => {
            format!("程序把它单独放进一条 user 消息，排在第 {round} 轮的工具结果之后。真实 API 会把这两条当成一条。")
        }
        Placement::InLastResult => "程序把它接在最后一个结果的末尾，模型会当作工具自己说的话。".into(),
        Placement::System => {
            "程序把它接在系统提示词末尾，只用于这一次请求：之后的请求不再带它，历史里也看不到它。".into()
        }
    },
    reason_moved: "你把它移到了工具结果之后，真实 API 接受这个位置。程序原先把它放在结果之前。",
    reason_prevent: |rules, tool| match rules.reset_by {
        ResetBy::AnyCall => format!("这几轮里只要执行过一次 {tool}，哪怕列表不合法，就不会有这条提醒；被拦下的不算。"),
        ResetBy::Update => format!("这几轮里只要有一次 {tool} 带着合法的列表，就不会有这条提醒。"),
    },
    no_request: "还没有请求。",
    request_number: |n| format!("第 {n} 次请求"),
    scripted_request: "脚本模型在页面内回答，不经过网络。下面是真实接口会收到的请求体。",
    hidden: "已隐藏",
    as_sent: "原始文本",
    copy: "复制",
    stream_note: "课程的程序不用流式传输；页面加了 \"stream\": true，好让文字随到随显示。",
    file_new: "新建",
    file_changed: "已修改",
    file_removed: "已删除",
    file_gone: "在这一步，该文件不存在。",
    file_empty: "空文件。",
    file_binary: |size| format!("不是文本：{size} 的非 UTF-8 数据。"),
    more_lines: |n| format!("还有 {n} 行"),
    show_all: |size| format!("显示全部 {size}"),
    steps: "步骤",
    no_steps: "还没有步骤",
    first_step: "第一步",
    step_back: "后退一步",
    step_on: "前进一步",
    live: "实时",
    position: |at, of, turn, round| match round {
        0 => format!("第 {at}/{of} 步 · 第 {turn} 回合"),
        _ => format!("第 {at}/{of} 步 · 第 {turn} 回合 · 第 {round} 轮"),
    },
    step_prompt: "保存提示词",
    step_hook: |point, hook| format!("{point} hook：{hook}"),
    step_reply: |calls| match calls {
        0 => "回复，没有调用工具".into(),
        n => format!("回复，{n} 次工具调用"),
    },
    step_asked: "请求许可",
    step_called: |tool| format!("调用 {tool}"),
    step_plan: "计划整份替换",
    step_rejected: "计划更新被拒绝",
    step_returned: |tool| format!("{tool} 的结果"),
    step_counted: |idle| format!("计数器为 {idle}"),
    step_reminder: "加入提醒",
    step_ended: "回合结束",
    step_failed: "回合失败",
    step_typed: "你的命令",
    step_edited: "你的修改",
    step_rules: "你改了规则：",
    step_moved: "你把提醒移到了结果之后",
    permission_title: "允许执行吗？",
    permission_question: |tool, about| format!("模型调用 {tool}。许可 hook 因为这一处请你决定：{about}"),
    permission_words: |heading| format!("程序的原话：“{heading}”"),
    allow: "允许",
    deny: "拒绝",
    settings_title: "真实模型",
    settings_intro: "页面从这个浏览器直接访问接口，接口需要允许网页跨域请求（CORS）。",
    base_url: "接口地址",
    final_url: "请求发往",
    model_name: "模型",
    key: "API 密钥",
    key_hint: "只保存在本页内存中：不存储、不写入日志，刷新即消失。",
    max_tokens: "最大 token 数",
    lesson_default: "与课程一致：8000",
    auth: "密钥发送方式",
    no_auth: "不发送密钥",
    vendor_headers: "发送 Anthropic 专用请求头",
    vendor_headers_hint: "Anthropic 要求浏览器带上它们。若本地服务拒绝未知请求头（如 Ollama），请关闭。",
    cancel: "取消",
    use_endpoint: "使用此接口",
    back_to_scripted: "改回脚本",
    fault,
};

fn unit(counts: Counts) -> &'static str {
    match counts {
        Counts::Rounds => "轮",
        Counts::Calls => "次调用",
    }
}

fn fault(fault: &Fault, begun: bool) -> (String, String) {
    let (what, advice): (String, &str) = match fault {
        Fault::Api { status, kind, message, request_id, retry_after_ms } => {
            let id = request_id.as_ref().map(|id| format!("（请求编号 {id}）")).unwrap_or_default();
            let wait = retry_after_ms.map(|ms| format!("它要求等待 {} 秒。", ms.div_ceil(1000))).unwrap_or_default();
            let start = match status {
                200 if begun => "回复中途断开，接口报错".into(),
                200 => "接口没有给出回复，而是报错".into(),
                _ => format!("接口返回 {status}"),
            };
            let advice = api_advice(api_status(*status, kind), message);
            let kind = if kind.is_empty() { String::new() } else { format!(" {kind}") };
            let message = message.trim_end_matches(['.', '。']);
            (format!("{start}{kind}：{message}{id}。{wait}"), advice)
        }
        Fault::NotAStream { content_type, start } => (
            format!("接口有回应，但不是事件流（内容类型“{content_type}”）。开头是：{start}"),
            "请确认接口地址是 Messages API，而不是网页。",
        ),
        Fault::BadEvent { start } => (
            format!("数据流里有不符合 Messages API 的内容：{start}"),
            "没有执行任何未读完的内容。可以重试，或确认接口使用的是这个协议。",
        ),
        Fault::CutStream => {
            ("回复被截断：数据流在回复完成之前就断了。".into(), "没有执行任何未读完的内容。“重试”会重新发送同一请求。")
        }
        Fault::Unreachable { url, message } => (
            format!("{url} 没有回应。浏览器只说了：{message}"),
            "要么连不上主机，要么它不允许网页跨域请求（CORS）。请检查服务是否在运行、地址是否正确、是否允许本页的来源。",
        ),
        Fault::Settings { field, rule } => settings(field, rule),
        Fault::CutCall { tool, stop_reason } => (
            format!(
                "回复在一次 {tool} 调用中途结束（停止原因：{}）。该调用没有执行。",
                stop_reason.as_deref().unwrap_or("无")
            ),
            "请在设置里调大最大 token 数，然后重试。",
        ),
        Fault::Crashed { exception } => (
            format!("课程的程序在这里会因未捕获的异常而结束：{exception}"),
            "未完成的调用都已得到答复，可以重试，也可以发送新的提示词。",
        ),
    };
    (what, advice.to_string())
}

fn api_advice(status: u16, message: &str) -> &'static str {
    match status {
        401 if message.contains("CORS requests must set") => {
            "密钥可能没问题：缺少允许浏览器访问的请求头。请在设置里打开 Anthropic 专用请求头。"
        }
        401 if message.contains("CORS requests are not allowed") => {
            "密钥可能没问题：它所属的组织不允许浏览器请求。请换用其他组织的密钥。"
        }
        401 => "密钥被拒绝。请在设置里检查密钥，并确认它属于这个接口。",
        402 => "账户余额不足。请充值或换一个密钥。",
        403 => "该密钥没有权限。请检查权限和模型名。",
        404 => "请在设置里检查模型名和接口地址。",
        413 => "请求太大。请重新开始，缩短运行。",
        429 => "请求过于频繁。请按要求等待，然后重试。",
        400 => "接口拒绝了这个请求。可在检查器的“请求”里查看。",
        500.. => "接口自身出了问题。稍等片刻再重试。",
        _ => "请看上面的信息，然后重试。",
    }
}

fn settings(field: &str, rule: &str) -> (String, &'static str) {
    let name = match field {
        "base_url" => "接口地址",
        "key" => "密钥",
        "model" => "模型名",
        _ => "最大 token 数",
    };
    let (what, advice) = match rule {
        "empty" | "missing" => ("没有填写", "请填写。"),
        "space" => ("中间有空格", "请去掉空格。"),
        "line_break" => ("中间有换行", "请重新完整复制。"),
        "control" => ("中间有不可见的控制字符", "请重新复制或手动输入。"),
        "zero_width" => ("中间有看不见的零宽字符", "请重新复制或手动输入。"),
        "non_ascii" => ("含有密钥里不会出现的字符", "请检查全角字符或特殊字符。"),
        "other_host" => ("属于另一个主机，已清除", "请填写这个主机的密钥，或留空。"),
        "scheme" => ("不是以 http:// 或 https:// 开头", "请使用接口的网址。"),
        "userinfo" => ("里含有用户名", "请把密钥填到下面的密钥栏。"),
        "query" => ("里含有 ? 或 #", "请去掉它及其后面的内容。"),
        "port" => ("的端口不正确", "端口是不超过 65535 的数字。"),
        "colon" => ("里的冒号后面既不是 // 也不是端口", "应类似 https://api.example.com。"),
        "too_large" => ("太大", "请填小一些的数字，或留空使用课程的 8000。"),
        "not_a_number" => ("不是正整数", "请填数字，或留空使用课程的 8000。"),
        _ => ("不是有效的网址", "应类似 https://api.example.com。"),
    };
    (format!("{name}{what}。"), advice)
}
