//! The words of letters that answer a reply, or ask whether it was the player's own.

mod commands;

use askama::Template;

use crate::app::words::and;
use crate::db::mail::outbox::ClaimedLetter;
use crate::local_time::Zone;
use crate::mail::inbox::answer::{Answer, AnswerDetails};
use crate::mail::inbox::leading_text;
use crate::mail::letters::answer::commands::{days_in_words, later_in_words};
use crate::mail::letters::composer::{LetterComposer, Words, unreadable};
use crate::mail::letters::kind::Kind;
use crate::mail::letters::story::{Brief, Place};
use crate::mail::outbox::transport::Trouble;
use crate::mail::preferences::MailPreferences;
use crate::tables::state::record::{By, TableFact};
use crate::tables::state::table_state::Status;
use wonderpost_rules::Viewer;

/// What an answer tells.
struct Telling {
    headline: String,
    sentences: Vec<String>,
    title: &'static str,
    url: String,
    /// What to do on a page: where, and the words of the link.
    page: Option<(String, &'static str)>,
    /// Lines of the reply.
    lines: Vec<String>,
    /// How to play, as HTML of our own, and the same as text.
    rules: Option<(&'static str, String)>,
    /// The table: what happened since the letter that was answered, how long there is, the board and the moves.
    brief: Brief,
    /// Whether to say what can be written.
    explains: bool,
}

#[derive(Template)]
#[template(path = "letters/answer.txt")]
struct AnswerText<'a> {
    place: &'a str,
    telling: &'a Telling,
}

#[derive(Template)]
#[template(path = "letters/answer.html")]
struct AnswerPage<'a> {
    place: &'a str,
    telling: &'a Telling,
}

impl LetterComposer {
    /// An answer; `None` if its reader no longer sits at the table.
    pub async fn write_answer(&self, letter: &ClaimedLetter) -> Result<Option<Words>, Trouble> {
        let AnswerDetails { answer, answered, since } = serde_json::from_str(&letter.details).map_err(unreadable)?;
        if let Answer::Invitation { outcome, .. } = answer {
            return self.write_about_invitation(letter, outcome, answered).await;
        }
        let (Some(id), Some(player)) = (letter.table_id, letter.player_id) else { return Ok(None) };
        let Some(sight) = self.look(id, player).await? else { return Ok(None) };
        let wishes = letter.wishes.as_deref().map(MailPreferences::read).unwrap_or_default();
        let mut place = self.place(&sight, wishes.zone).await?;
        place.answered_after = match answer {
            Answer::MovedOn { since } => since,
            _ if was_made(&answer) => since,
            _ => None,
        };
        place.nickname = self.nickname(&sight, player).await?;
        let brief = place.brief(&self.tables, Kind::Answer).await?;
        let played = if was_made(&answer) { self.played(&place).await? } else { Vec::new() };
        let words = words_of_answer(&place, brief, &answer, &played, &wishes)?;
        // What somebody else may have written is not answered but asked about, in a thread of its own.
        if matches!(answer, Answer::Confirm { .. }) {
            return Ok(Some(words));
        }
        let is_question = matches!(answer, Answer::Propose(_));
        let reply_to = if is_question { self.reply_to_letter(letter).await? } else { place.reply_to };
        Ok(Some(Words { answered: Some(answered), reply_to, ..words }))
    }

    /// The moves that the reader made since the letter that they answered, as they can be written.
    async fn played(&self, place: &Place<'_>) -> Result<Vec<String>, Trouble> {
        let Some(since) = place.answered_after else { return Ok(Vec::new()) };
        let numbering = place.cached.now.numbering(Viewer::Seat(place.seat));
        let since = i32::try_from(numbering.recorded_until(since)).unwrap_or(i32::MAX);
        let said = self.tables.store.said_since(place.cached.id, place.seat, since).await?;
        let line = |(_, body): (i32, String)| match serde_json::from_str(&body) {
            Ok(TableFact::Said { line, by: By::Holder, .. }) => Some(line),
            Ok(TableFact::Undone { .. }) => Some("undo".to_owned()),
            _ => None,
        };
        Ok(said.into_iter().filter_map(line).collect())
    }
}

/// The words of an answer about a table, with the moves that were made.
pub fn words_of_answer(
    place: &Place<'_>,
    mut brief: Brief,
    answer: &Answer,
    played: &[String],
    wishes: &MailPreferences,
) -> Result<Words, Trouble> {
    // Who is behind is told what happened, and who moved what came of it; the others know.
    if was_made(answer) {
        brief.since = "What came of it";
    } else if !is_behind(answer) {
        brief.changed.clear();
    }
    let now = &place.cached.now;
    let (title, house) = (now.game.info().title, place.house);
    let subject = match answer {
        Answer::Confirm { .. } => format!("Was that you? {title}"),
        _ => format!("Re: {}", brief.subject_for(wishes)),
    };
    let mut telling = Telling {
        headline: String::new(),
        sentences: Vec::new(),
        title,
        url: place.url(),
        page: None,
        lines: Vec::new(),
        rules: None,
        brief,
        explains: true,
    };
    telling.tell(answer, house, now.game.how_to_play());
    telling.tell_wishes(answer, place.zone);
    telling.tell_played(played);
    if *answer == Answer::Help
        && let Some(example) = now.position.legal_moves(place.seat).first().filter(|_| place.my_turn())
    {
        telling.sentences.push(format!("It is your turn: you could answer with “{example}”, for example."));
    }
    if !matches!(answer, Answer::Confirm { .. }) {
        let turn = turn_in_words(place, answer);
        let turn = turn.filter(|turn| !telling.sentences.iter().any(|sentence| sentence.contains(turn)));
        telling.sentences.extend(turn);
        telling.explains &= now.status() != Status::Over || *answer == Answer::Help;
    }
    let page = AnswerPage { place: house, telling: &telling };
    let words = Words::new(subject, &AnswerText { place: house, telling: &telling }, &page)?;
    Ok(Words { pictures: telling.brief.take_picture(), ..words })
}

/// Whether moves were made.
fn was_made(answer: &Answer) -> bool {
    matches!(answer, Answer::GoOn | Answer::Partly { .. })
}

/// Whether what was answered is not how the table stands any more.
fn is_behind(answer: &Answer) -> bool {
    matches!(answer, Answer::MovedOn { .. } | Answer::WentBack)
}

/// Whose turn it is, where there is something to say about it.
fn turn_in_words(place: &Place<'_>, answer: &Answer) -> Option<String> {
    let now = &place.cached.now;
    let my_turn = now.awaiting().contains(place.seat);
    match now.status() {
        Status::Over if matches!(answer, Answer::Rematch { .. }) => None,
        Status::Over => Some("The game is over.".to_owned()),
        Status::Playing if my_turn && is_behind(answer) => {
            Some("It is your turn: answer this letter instead.".to_owned())
        }
        Status::Playing if my_turn && *answer == Answer::Back => {
            Some("It is your turn: answer this letter with your move.".to_owned())
        }
        Status::Playing if !my_turn => {
            let awaited = and(&place.names(now.awaiting().iter()));
            Some(format!("It is not your turn: the table waits for {awaited}."))
        }
        Status::Playing | Status::Open | Status::Gone => None,
    }
}

impl Telling {
    fn tell(&mut self, answer: &Answer, place: &str, how_to_play: &'static str) {
        match answer {
            Answer::Unread { line, reason } => {
                self.headline = "Your letter was not understood.".to_owned();
                self.lines.extend(line.clone());
                self.sentences.push(format!("{reason} Nothing was changed."));
            }
            Answer::Refused { line, reason } => {
                self.headline = "That could not be done.".to_owned();
                self.lines.extend(line.clone());
                self.sentences.push(format!("{reason} Nothing was changed."));
            }
            Answer::MovedOn { .. } => {
                self.headline = "Somebody moved first.".to_owned();
                let sentence = "You answered an old letter, so nothing was done. This is how things stand now.";
                self.sentences.push(sentence.to_owned());
            }
            Answer::WentBack => {
                self.headline = "The database went back in time.".to_owned();
                let sentence = "Some of the last moves are lost, so nothing was done. This is the table as it is now.";
                self.sentences.push(sentence.to_owned());
            }
            Answer::Partly { made, refused, dropped } => {
                self.tell_partly(*made, refused.as_ref(), dropped);
            }
            Answer::GoOn => {
                self.headline = "It is still your turn.".to_owned();
                self.explains = false;
            }
            Answer::Back => {
                self.headline = "Welcome back: the seat is yours.".to_owned();
                self.explains = false;
            }
            Answer::Rematch { table } => {
                self.headline = "Here's to another game: you have a seat.".to_owned();
                self.sentences
                    .push("It begins as soon as everybody has joined, and we'll write when it does.".to_owned());
                self.page = Some((format!("{place}/t/{table}"), "To the new table"));
                self.brief.leave_out_table();
                self.explains = false;
            }
            Answer::Help => {
                self.headline = "How to play by letter".to_owned();
                self.rules = Some((how_to_play, plain(how_to_play)));
            }
            Answer::Propose(proposal) => self.propose(proposal),
            // These are told with the reader's own clock, or in a letter of their own.
            Answer::Later { .. } | Answer::DaysOff { .. } | Answer::Letters { .. } | Answer::Invitation { .. } => {}
            Answer::Confirm { token, lines } => {
                self.ask_whose(format!("{place}/held/{token}"), lines);
            }
        }
    }

    /// “You played: draw, end.” comes first.
    fn tell_played(&mut self, lines: &[String]) {
        if !lines.is_empty() {
            self.headline = format!("You played: {}. {}", lines.join(", "), self.headline);
        }
    }

    /// Tells of letters and days off.
    fn tell_wishes(&mut self, answer: &Answer, zone: Zone) {
        match answer {
            Answer::Later { until } => self.tell_letters(later_in_words(zone, *until)),
            Answer::DaysOff { first, last } => self.tell_letters(format!(
                "{} Your clocks stand meanwhile at all your tables; your settings show how many days are left this year.",
                days_in_words(*first, *last)
            )),
            Answer::Letters { wanted: true } => self.tell_letters("Letters about this table come again.".to_owned()),
            Answer::Letters { wanted: false } => self.tell_letters(
                "No more letters about this table. Your clock runs on. Answer “start” to get them again.".to_owned(),
            ),
            Answer::Unread { .. }
            | Answer::Refused { .. }
            | Answer::MovedOn { .. }
            | Answer::WentBack
            | Answer::Partly { .. }
            | Answer::GoOn
            | Answer::Back
            | Answer::Rematch { .. }
            | Answer::Propose(_)
            | Answer::Invitation { .. }
            | Answer::Help
            | Answer::Confirm { .. } => {}
        }
    }

    fn tell_partly(&mut self, made: usize, refused: Option<&(String, String)>, dropped: &[String]) {
        self.headline = "Some of that was done.".to_owned();
        self.sentences.push(match made {
            1 => "Your first line was made.".to_owned(),
            made => format!("Your first {made} lines were made."),
        });
        if let Some((line, reason)) = refused {
            self.lines.push(line.clone());
            self.sentences.push(format!("Then this was refused: {reason}"));
        }
        if !dropped.is_empty() {
            self.lines.extend(dropped.iter().cloned());
            self.sentences.push("The rest was left out, because it was no longer your turn.".to_owned());
        }
    }

    /// Asks whether a reply was the player's own. Somebody else may read along: nothing of the table is shown.
    fn ask_whose(&mut self, page: String, lines: &str) {
        self.headline = "Was that you?".to_owned();
        self.sentences.push(
            "A reply came to the address that is yours alone, and we cannot tell that it was you who wrote it. It is held \
             until you say so. If it wasn't you, just ignore this letter: nothing will happen."
                .to_owned(),
        );
        self.lines.extend(lines.lines().map(str::to_owned));
        self.page = Some((page, "Look at it, and say that it was you"));
        self.brief.leave_out_table();
        self.explains = false;
    }
}

/// HTML of our own as text.
pub fn plain(html: &str) -> String {
    let text = leading_text(html);
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n\n")
}
