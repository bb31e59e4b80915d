//! A line below a letter that has nothing to do with its game.

use crate::mail::letters::composer::{LetterComposer, Words};
use crate::mail::letters::styles::inlined;
use crate::mail::outbox::transport::Trouble;
use crate::mail::unsubscribe::Reader;

/// What is offered to somebody whose mail program says that they are away.
const DAYS_OFF: &str =
    "Your mail program says that you are away. If you are, take some days off, and your clocks stand";

impl LetterComposer {
    /// Offers days off in the first letter to somebody whose mail program has said that they are away.
    pub async fn offer_days_off(&self, reader: Reader, words: Words) -> Result<Words, Trouble> {
        let Reader::Player(player) = reader else { return Ok(words) };
        let absence = self.tables.store.absence_of(player).await?;
        if absence.is_none_or(|absence| absence.told) {
            return Ok(words);
        }
        let way = if words.reply_to.is_some() { ": answer with “vacation 3 days”, or see" } else { ": see" };
        Ok(with_postscript(words, &format!("{DAYS_OFF}{way}"), &format!("{}/me", self.place)))
    }
}

/// A letter with a sentence above its foot that ends in a link.
fn with_postscript(words: Words, sentence: &str, url: &str) -> Words {
    let text = match words.text.rsplit_once("\n-- \n") {
        Some((letter, foot)) => format!("{letter}\nP.S. {sentence}\n{url}\n\n-- \n{foot}"),
        None => format!("{}\n\nP.S. {sentence}\n{url}\n", words.text.trim_end()),
    };
    let page = format!("<p>P.S. {sentence} <a href=\"{url}\" target=\"_blank\" rel=\"noopener\">{url}</a>.</p>\n");
    let page = inlined(&page);
    let html = match words.html.rsplit_once("</main>") {
        Some((letter, foot)) => format!("{letter}{page}</main>{foot}"),
        None => words.html.clone() + &page,
    };
    Words { text, html, ..words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_postscript_stands_above_the_foot() {
        let words = |text: &str, html: &str| Words {
            subject: String::new(),
            text: text.into(),
            html: html.into(),
            reply_to: None,
            unsubscribe: None,
            answered: None,
            pictures: Vec::new(),
        };
        let letter =
            with_postscript(words("Hello\n\n-- \nUs\n", "<main></main><footer>Us</footer>"), "Look", "https://a");
        assert_eq!(letter.text, "Hello\n\nP.S. Look\nhttps://a\n\n-- \nUs\n");
        assert!(
            letter.html.contains("P.S. Look <a href=\"https://a\"")
                && letter.html.ends_with("</p>\n</main><footer>Us</footer>")
        );
        assert!(with_postscript(words("Hello", "Hello"), "Look", "https://a").text.ends_with("P.S. Look\nhttps://a\n"));
    }
}
