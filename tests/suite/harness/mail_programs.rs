//! Replies as mail programs write them: the same words, each in its own wrapping.

use data_encoding::BASE64_MIME;
use mail_parser::MessageParser;

use super::sink::Received;

/// A letter as its reader's mail program shows it.
#[derive(Clone, Debug)]
pub struct Letter {
    pub to: String,
    pub message_id: String,
    pub subject: String,
    pub reply_to: Option<String>,
    pub text: String,
    pub html: String,
    pub raw: String,
}

impl Letter {
    pub fn open(received: &Received) -> Letter {
        let message = MessageParser::default().parse(received.data.as_bytes()).expect("a letter");
        let reply_to = message.reply_to().and_then(|list| list.first()).and_then(|one| one.address());
        Letter {
            to: received.to.clone(),
            message_id: message.message_id().expect("a name").to_owned(),
            subject: message.subject().expect("a subject").to_owned(),
            reply_to: reply_to.map(str::to_owned),
            text: put_together(&message.body_text(0).expect("text")),
            html: message.body_html(0).expect("a page").into_owned(),
            raw: received.data.clone(),
        }
    }
}

/// Flowed text as mail programs show it (RFC 3676).
fn put_together(text: &str) -> String {
    let mut whole = String::new();
    for line in text.lines() {
        whole.push_str(line.strip_prefix(' ').unwrap_or(line));
        if line == "-- " || !line.ends_with(' ') {
            whole.push('\n');
        }
    }
    whole
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum MailProgram {
    Gmail,
    OutlookText,
    OutlookHtml,
    AppleMail,
    Plain,
}

impl MailProgram {
    pub const ALL: [MailProgram; 5] = [
        MailProgram::Gmail,
        MailProgram::OutlookText,
        MailProgram::OutlookHtml,
        MailProgram::AppleMail,
        MailProgram::Plain,
    ];

    /// A reply to a letter that says these lines above what it quotes.
    pub fn reply(self, letter: &Letter, from: &str, number: usize, lines: &str) -> String {
        let head = format!(
            "From: A Player <{from}>\nTo: Wonderpost <{}>\nSubject: Re: {}\nMessage-ID: <reply-{number}.{}@mail.example>\n\
             In-Reply-To: <{id}>\nReferences: <{id}>\nDate: Mon, 16 Nov 2026 09:02:00 +0000\nMIME-Version: 1.0\n",
            letter.reply_to.as_deref().expect("it can be answered"),
            letter.subject,
            letter.to.replace('@', "."),
            id = letter.message_id,
        );
        let body = match self {
            MailProgram::Gmail => gmail(letter, lines),
            MailProgram::OutlookText => outlook_text(letter, lines),
            MailProgram::OutlookHtml => outlook_html(letter, lines),
            MailProgram::AppleMail => apple_mail(letter, lines),
            MailProgram::Plain => plain(letter, lines),
        };
        head + &body
    }
}

fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("> {line}\n")).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// As it travels where only short lines of plain signs do.
fn quoted_printable(text: &str) -> String {
    let mut wire = String::new();
    for line in text.lines() {
        let mut width = 0;
        let last = line.len().saturating_sub(1);
        for (place, byte) in line.bytes().enumerate() {
            let plain = matches!(byte, b' '..=b'~') && byte != b'=' && !(byte == b' ' && place == last);
            let sign = if plain { char::from(byte).to_string() } else { format!("={byte:02X}") };
            if width + sign.len() > 75 {
                wire += "=\n";
                width = 0;
            }
            width += sign.len();
            wire += &sign;
        }
        wire.push('\n');
    }
    wire
}

fn alternative(boundary: &str, parts: &[(&str, &str, String)]) -> String {
    let mut body = format!("Content-Type: multipart/alternative; boundary=\"{boundary}\"\n\n");
    for (kind, encoding, text) in parts {
        body += &format!("--{boundary}\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n{text}\n");
    }
    body + &format!("--{boundary}--\n")
}

fn gmail(letter: &Letter, lines: &str) -> String {
    let whose = "On Mon, Nov 16, 2026 at 9:00 AM Wonderpost <post@house.example> wrote:";
    let text = format!("{lines}\n\n{whose}\n\n{}", quoted(&letter.text));
    let divs: String = lines.lines().map(|line| format!("<div>{}</div>", escaped(line))).collect();
    let html = format!(
        "<div dir=\"ltr\">{divs}</div><br><div class=\"gmail_quote gmail_quote_container\"><div dir=\"ltr\" class=\"gmail_attr\">\
         {}<br></div><blockquote class=\"gmail_quote\" style=\"margin:0px 0px 0px 0.8ex\">{}</blockquote></div>",
        escaped(whose),
        letter.html
    );
    alternative(
        "000000000000a1b2c3",
        &[
            ("text/plain; charset=\"UTF-8\"", "quoted-printable", quoted_printable(&text)),
            ("text/html; charset=\"UTF-8\"", "quoted-printable", quoted_printable(&html)),
        ],
    )
}

fn outlook_head(letter: &Letter) -> [String; 4] {
    [
        "From: Wonderpost <post@house.example>".to_owned(),
        "Sent: Monday, November 16, 2026 9:00 AM".to_owned(),
        format!("To: {}", letter.to),
        format!("Subject: {}", letter.subject),
    ]
}

/// Outlook quotes without any signs, below a line.
fn outlook_text(letter: &Letter, lines: &str) -> String {
    let head = outlook_head(letter).join("\n");
    let text = format!(
        "{lines}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\n{head}\n\n{}",
        letter.text
    );
    alternative(
        "_000_AM6PR01MB1234_",
        &[
            ("text/plain; charset=\"utf-8\"", "base64", BASE64_MIME.encode(text.replace('\n', "\r\n").as_bytes())),
            ("text/html; charset=\"utf-8\"", "base64", BASE64_MIME.encode(outlook_page(letter, lines).as_bytes())),
        ],
    )
}

fn outlook_html(letter: &Letter, lines: &str) -> String {
    let page = quoted_printable(&outlook_page(letter, lines));
    format!("Content-Type: text/html; charset=\"windows-1252\"\nContent-Transfer-Encoding: quoted-printable\n\n{page}")
}

fn outlook_page(letter: &Letter, lines: &str) -> String {
    let paragraphs: String = lines
        .lines()
        .map(|line| format!("<p class=\"MsoNormal\">{}<o:p></o:p></p>\n", escaped(line).replace(' ', "&nbsp;")))
        .collect();
    let head: Vec<String> = outlook_head(letter).iter().map(|line| escaped(line)).collect();
    format!(
        "<html xmlns:o=\"urn:schemas-microsoft-com:office:office\"><head><style><!-- p.MsoNormal {{ margin: 0 }} --></style></head>\n\
         <body lang=\"EN-GB\"><div class=\"WordSection1\">{paragraphs}<p class=\"MsoNormal\">&nbsp;</p>\n\
         <div style=\"border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm\"><p class=\"MsoNormal\">{}</p></div>\n{}</div></body></html>",
        head.join("<br>"),
        letter.html
    )
}

fn apple_mail(letter: &Letter, lines: &str) -> String {
    let whose = "On 16 Nov 2026, at 09:00, Wonderpost <post@house.example> wrote:";
    let text = format!(
        "{lines}\n\nSent from my iPhone\n\n> {whose}\n> \n{}",
        quoted(&letter.text).replace("> \n", ">\u{a0}\n")
    );
    let divs: String = lines.lines().map(|line| format!("<div>{}</div>", escaped(line))).collect();
    let html = format!(
        "<html><head><meta http-equiv=\"content-type\" content=\"text/html; charset=utf-8\"></head><body dir=\"auto\">\
         <div dir=\"ltr\">{divs}</div><div dir=\"ltr\"><br><blockquote type=\"cite\">{}<br><br></blockquote></div>\
         <blockquote type=\"cite\"><div dir=\"ltr\">{}</div></blockquote></body></html>",
        escaped(whose),
        letter.html
    );
    alternative(
        "Apple-Mail-1234ABCD-0000",
        &[
            ("text/plain; charset=utf-8", "quoted-printable", quoted_printable(&text)),
            ("text/html; charset=utf-8", "quoted-printable", quoted_printable(&html)),
        ],
    )
}

/// As written by hand, with lines that flow.
fn plain(letter: &Letter, lines: &str) -> String {
    let text = format!(
        "{lines}\n\n-- \nA Player, who\nends the game\n\nOn 16/11/2026 09:00, Wonderpost wrote:\n{}",
        quoted(&letter.text)
    );
    format!("Content-Type: text/plain; charset=UTF-8; format=flowed\nContent-Transfer-Encoding: 8bit\n\n{text}")
}
