//! The words of the terminal, which load with it.

use crate::language::Language;

pub(super) struct Words {
    /// Names the choice of what is shown.
    pub(super) views: &'static str,
    /// What the program printed; the reader's commands.
    pub(super) titles: [&'static str; 2],
    pub(super) printed: &'static str,
    pub(super) show_earlier: &'static str,
    pub(super) intro: &'static str,
    pub(super) output: &'static str,
    pub(super) command: &'static str,
    pub(super) run: &'static str,
    pub(super) runs: &'static str,
    pub(super) stop: &'static str,
    pub(super) waits: &'static str,
    pub(super) earlier: &'static str,
}

pub(super) fn of(language: Language) -> &'static Words {
    match language {
        Language::En => &EN,
        Language::Zh => &ZH,
    }
}

static EN: Words = Words {
    views: "What to show",
    titles: ["Program's output", "Your commands"],
    printed: "What the lesson's program would have printed in a terminal up to this moment. Your own commands are not part of it.",
    show_earlier: "Show earlier lines",
    intro: "Your own commands, in the model's shell and on its files. The run keeps them as yours; the model is not told of them. As in the lesson, each starts in the working directory. Shift+Enter makes a new line.",
    output: "Your commands and their output",
    command: "Command",
    run: "Run command",
    runs: "A command is running…",
    stop: "Stop command",
    waits: "A request is under way. Your command can run when it has been answered, or after Pause.",
    earlier: "You are looking at an earlier moment; a command runs on the files as they are now.",
};

static ZH: Words = Words {
    views: "显示什么",
    titles: ["程序的输出", "你的命令"],
    printed: "到这一刻为止，课程的程序会在终端里打印的内容。你自己的命令不在其中。",
    show_earlier: "显示更早的行",
    intro: "在模型所用的 shell 和文件上运行你自己的命令。运行记录会标明它们是你的；模型不会知道。与课程一样，每条命令都从工作目录开始。Shift+Enter 换行。",
    output: "你的命令和输出",
    command: "命令",
    run: "运行命令",
    runs: "命令正在运行…",
    stop: "停止命令",
    waits: "请求正在进行。等它答复或暂停之后才能运行命令。",
    earlier: "你正在看过去的某一刻；命令会在现在的文件上运行。",
};
