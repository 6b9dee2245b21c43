//! A solver in a child process: text in, S-expressions out, and never a wait without end.
//!
//! One thread feeds the child (a large script would otherwise block us while the child is busy), one thread cuts its
//! output into replies. The owner only ever waits on a channel, looking at its limits in between: the child's CPU time, which
//! counts as the owner's, and the clock, should the child hang.

use crate::limits::backend::{POLL, STUCK_AFTER, STUCK_TIMES};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use base::cpu::Helper;
use base::process::die_with_us;

use crate::solver::{Limits, Why};

/// A running child, killed when dropped.
pub(crate) struct Pipe {
    child: Child,
    helper: Helper,
    input: Sender<String>,
    replies: Receiver<String>,
}

impl Pipe {
    pub(crate) fn spawn(command: &mut Command) -> Result<Pipe, Why> {
        let failed = |error: std::io::Error| Why::Failed(error.to_string());
        die_with_us(command);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(failed)?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Why::Failed("no pipe to the child process".to_string()));
        };
        let (input, texts) = channel::<String>();
        // Both threads end by themselves when the child is gone or we are.
        thread::spawn(move || {
            for text in texts {
                if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (sender, replies) = channel();
        thread::spawn(move || cut_replies(stdout, &sender));
        Ok(Pipe { helper: Helper::new(child.id()), child, input, replies })
    }

    pub(crate) fn send(&self, text: String) -> Result<(), Why> {
        self.input.send(text).map_err(|_| Why::Failed("the solver process ended".to_string()))
    }

    /// The next reply, within the limits. After an error the state of the conversation is unknown: drop the pipe.
    pub(crate) fn receive(&self, limits: &Limits) -> Result<String, Why> {
        let (began, used) = (Instant::now(), self.helper.time());
        let is_over = |time: Duration| {
            self.helper.time().saturating_sub(used) >= time
                || began.elapsed() >= time.saturating_mul(STUCK_TIMES).max(STUCK_AFTER)
        };
        loop {
            match self.replies.recv_timeout(POLL) {
                Ok(reply) if reply.starts_with("(error") => return Err(Why::Failed(reply)),
                Ok(reply) => return Ok(reply),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Why::Failed("the solver process ended".to_string()));
                }
                Err(RecvTimeoutError::Timeout) if limits.is_cancelled() => return Err(Why::Cancelled),
                Err(RecvTimeoutError::Timeout) if limits.time.is_some_and(is_over) => return Err(Why::Timeout),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        self.helper.end();
        // Errors mean that it is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends each complete atom or list of the output, until the output or the receiver ends.
fn cut_replies(mut output: impl Read, replies: &Sender<String>) {
    let mut cutter = Cutter::default();
    let mut buffer = [0u8; 1 << 16];
    while let Ok(count) = output.read(&mut buffer) {
        if count == 0 {
            break;
        }
        for byte in &buffer[..count] {
            if let Some(reply) = cutter.take(*byte)
                && replies.send(reply).is_err()
            {
                return;
            }
        }
    }
}

/// Finds the ends of S-expressions in a stream of bytes.
#[derive(Default)]
struct Cutter {
    reply: Vec<u8>,
    depth: usize,
    /// The quote (`"` or `|`) that we are inside of.
    quote: Option<u8>,
}

impl Cutter {
    fn take(&mut self, byte: u8) -> Option<String> {
        if let Some(quote) = self.quote {
            self.reply.push(byte);
            if byte == quote {
                self.quote = None;
            }
            return None;
        }
        match byte {
            b'(' => self.depth += 1,
            b')' => self.depth = self.depth.saturating_sub(1),
            b'"' | b'|' => self.quote = Some(byte),
            _ => {}
        }
        let blank = byte.is_ascii_whitespace();
        if !blank || self.depth > 0 {
            self.reply.push(byte);
        }
        let ended = self.depth == 0 && (byte == b')' || blank && !self.reply.is_empty());
        ended.then(|| String::from_utf8_lossy(&std::mem::take(&mut self.reply)).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_cut_at_the_end_of_each_expression() {
        let output = "sat\n((x #x05)\n (|a (b| true))\nunsupported\n(error \"no (such\")\n()\n";
        let (sender, receiver) = channel();
        cut_replies(output.as_bytes(), &sender);
        drop(sender);
        let replies: Vec<String> = receiver.iter().collect();
        let expected = ["sat", "((x #x05)\n (|a (b| true))", "unsupported", "(error \"no (such\")", "()"];
        assert_eq!(replies, expected);
    }
}
