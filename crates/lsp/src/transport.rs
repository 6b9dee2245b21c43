//! Messages on standard input and output. An editor is trusted, but what stands in front of a message as its length is only
//! believed up to a size that no message has.

use crossbeam_channel::bounded;
use lsp_server::{Connection, Message};
use std::io::{self, BufRead, ErrorKind, Read as _};
use std::thread::{self, JoinHandle};

/// The longest message: a few times the largest file that is read.
const MOST_BYTES: u64 = 256 << 20;
/// The longest header.
const MOST_HEADER_BYTES: u64 = 4096;

pub(crate) struct Threads {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Threads {
    pub(crate) fn join(self) -> Result<(), String> {
        for thread in [self.reader, self.writer] {
            thread
                .join()
                .map_err(|_| "a thread of the language server has ended")?
                .map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

/// The connection to whoever has started us.
pub(crate) fn stdio() -> (Connection, Threads) {
    let (to_us, receiver) = bounded::<Message>(0);
    let (sender, from_us) = bounded::<Message>(0);
    let reader = thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        while let Some(message) = read(&mut stdin)? {
            let is_exit = matches!(&message, Message::Notification(told) if told.method == "exit");
            if to_us.send(message).is_err() || is_exit {
                break;
            }
        }
        Ok(())
    });
    let writer = thread::spawn(move || {
        let mut stdout = io::stdout().lock();
        from_us.into_iter().try_for_each(|message| message.write(&mut stdout))
    });
    (Connection { sender, receiver }, Threads { reader, writer })
}

/// The next message; none at the end.
fn read(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let mut text = Vec::new();
    let mut length = None;
    loop {
        let start = text.len();
        let mut header = input.by_ref().take(MOST_HEADER_BYTES.saturating_sub(start as u64));
        if header.read_until(b'\n', &mut text)? == 0 {
            return if start == 0 { Ok(None) } else { Err(bad("a message whose header does not end")) };
        }
        let line = String::from_utf8_lossy(&text[start..]);
        if line.trim_end().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("Content-Length")
        {
            length = value.trim().parse::<u64>().ok();
        }
    }
    let length = length.ok_or_else(|| bad("a message without Content-Length"))?;
    if length > MOST_BYTES {
        return Err(bad("a message that is too long"));
    }
    input.take(length).read_to_end(&mut text)?;
    Message::read(&mut &text[..])
}

fn bad(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lengths_that_messages_have_are_believed() {
        let body = r#"{"jsonrpc":"2.0","method":"exit"}"#;
        let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        assert!(
            matches!(read(&mut message.as_bytes()), Ok(Some(Message::Notification(told))) if told.method == "exit")
        );
        assert!(matches!(read(&mut &b""[..]), Ok(None)));
        assert!(read(&mut &b"Content-Length: 999999999999\r\n\r\n{}"[..]).is_err());
        assert!(read(&mut &b"Content-Length: 100\r\n\r\n{}"[..]).is_err());
        assert!(read(&mut &vec![b'x'; 1 << 20][..]).is_err());
    }
}
