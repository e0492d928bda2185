//! `yes`: bashkit's own stops after 10,000 lines, and what counts them then counts wrongly.

use bashkit::{Command, CommandContext, CommandStatus, Error, async_trait};

/// Where nobody ends it. Commands that take what they need from a pipe end it long before.
const MAX_BYTES: usize = 64_000_000;

/// Bytes for each write.
const CHUNK: usize = 4096;

/// Writes a line again and again.
pub(super) struct Yes;

#[async_trait]
impl Command for Yes {
    async fn execute(&self, ctx: CommandContext<'_>) -> bashkit::Result<CommandStatus> {
        let args = ctx.args.strip_prefix(&["--".to_string()]).unwrap_or(ctx.args);
        let line = if args.is_empty() { "y\n".to_string() } else { args.join(" ") + "\n" };
        let chunk = line.repeat((CHUNK / line.len()).max(1));
        for _ in 0..=MAX_BYTES / chunk.len() {
            ctx.stdout.write_all(chunk.as_bytes()).await?;
        }
        // Not an exit status: the rest of the script would go on with a part of what it was promised.
        Err(Error::Execution(format!("yes: stopped after {MAX_BYTES} bytes: nothing here ends it")))
    }
}
