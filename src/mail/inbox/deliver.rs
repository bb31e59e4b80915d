//! One message from a mail server's pipe, answered with an exit code of `sysexits.h`.

use std::io::Read;
use std::process::ExitCode;

use crate::mail::inbox::intake::{Intake, LARGEST, NotTaken, Way};

/// The message is no good.
const DATA_ERROR: u8 = 65;
/// There is nobody of that name.
const NO_USER: u8 = 67;
/// Not now: the mail server keeps the message and tries again.
pub const LATER: u8 = 75;

/// Reads a message; no more of it than is needed to see that it is too large.
pub fn read_message(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut raw = Vec::new();
    from.take(LARGEST as u64 + 1).read_to_end(&mut raw)?;
    // Some pipes put a line of their own before the message.
    if raw.starts_with(b"From ") {
        let end = raw.iter().position(|byte| *byte == b'\n').map_or(raw.len(), |end| end + 1);
        raw.drain(..end);
    }
    Ok(raw)
}

/// Takes a message, and gives the exit code.
pub async fn deliver(intake: &Intake, sender: Option<&str>, recipient: &str, raw: &[u8]) -> ExitCode {
    let null_sender = sender.is_some_and(|sender| matches!(sender.trim(), "" | "<>" | "MAILER-DAEMON"));
    match intake.take(Way::Deliver, null_sender, recipient, raw).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(match error {
                NotTaken::NoRecipient(_) => NO_USER,
                NotTaken::TooLarge | NotTaken::Empty => DATA_ERROR,
                NotTaken::Store(_) => LATER,
            })
        }
    }
}
