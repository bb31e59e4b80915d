//! What a letter about a game tells: exactly what its reader's seat sees.

use chrono::{DateTime, Utc};

use crate::app::words::and;
use crate::db::tables::talk::TalkRow;
use crate::local_time::{Until, Zone};
use crate::mail::PICTURE_ID;
use crate::mail::letters::choices::Choices;
use crate::mail::letters::headline::Headline;
use crate::mail::letters::kind::Kind;
use crate::mail::letters::picture::{Drawn, draw_aside, name_in_drawing};
use crate::mail::letters::recap::{LogLine, Recap};
use crate::mail::letters::souvenir::Souvenir;
use crate::mail::preferences::MailPreferences;
use crate::percent::percent_encoded;
use crate::tables::history::course::Course;
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, FORMER_PLAYER, Holder, LoggedMove, ReadError, Tables, name_of, with_names};
use wonderpost_rules::{Seat, Viewer};

/// How many messages of the table's talk a letter brings.
const MOST_TALK: i64 = 20;

/// A table, and the seat from which it is looked at.
pub struct Place<'a> {
    pub cached: &'a CachedTable,
    pub holders: &'a [Holder],
    pub seat: Seat,
    /// Where the reader lives.
    pub zone: Zone,
    /// The address of the house.
    pub house: &'a str,
    /// Where a move can be sent to.
    pub reply_to: Option<String>,
    /// A name of the table, where the reader has another with the same game and people.
    pub nickname: Option<String>,
    /// From where on the reader is told what was written to the table.
    pub talk_from: Option<i64>,
    /// What the reader wrote down for themselves.
    pub note: Option<&'a str>,
    /// After how many moves the letter was written that the reader answered, if this answers them.
    pub answered_after: Option<u32>,
    /// Whether the board is drawn.
    pub draws: bool,
    pub now: DateTime<Utc>,
}

/// A letter about a game.
pub struct Story {
    pub brief: Brief,
    /// Once all is over.
    pub souvenir: Option<Souvenir>,
    /// What the reader wrote down for themselves.
    pub note: Option<String>,
    pub history: String,
    pub rules: String,
}

/// A game in short.
pub struct Brief {
    /// “Red Queen with Alice”, the same in all letters about the table.
    pub name: String,
    /// The subject of a letter that tells this.
    pub subject: String,
    /// The names of the others.
    pub others: Vec<String>,
    /// The first line: what happened, and what is asked.
    pub headline: String,
    /// What happened since the reader last acted, and what to call that.
    pub changed: Vec<String>,
    pub since: &'static str,
    /// More happened than is told.
    pub more_changed: bool,
    /// What was written to the table.
    pub talk: Vec<String>,
    pub until: Option<Until>,
    /// What happens then.
    pub afterwards: String,
    pub url: String,
    pub my_turn: bool,
    pub reply_to: Option<String>,
    /// What the reader is asked for, in a sentence or two.
    pub question: String,
    pub choices: Choices,
    /// The board in words; nothing in a short letter.
    pub board: String,
    pub picture: Option<Drawn>,
    /// What the page of the letter calls the picture.
    pub picture_id: String,
}

impl Brief {
    /// The subject of a letter to somebody who wishes letters so: who wants one conversation in a program that goes by subjects gets
    /// the same subject always.
    pub fn subject_for(&self, wishes: &MailPreferences) -> String {
        if wishes.one_subject { self.name.clone() } else { self.subject.clone() }
    }

    /// Takes the picture out, with the name that the page has for it.
    pub fn take_picture(&mut self) -> Vec<(String, Drawn)> {
        let id = &self.picture_id;
        self.picture.take().map(|picture| (id.clone(), picture)).into_iter().collect()
    }

    /// Leaves out all that shows the table.
    pub fn leave_out_table(&mut self) {
        self.board.clear();
        self.picture = None;
        self.choices = Choices::default();
        self.changed.clear();
    }

    /// A letter that makes a move, for mail programs to open.
    pub fn mailto(&self, line: &str) -> Option<String> {
        let address = self.reply_to.as_deref()?;
        Some(format!(
            "mailto:{address}?subject={}&body={}",
            percent_encoded(self.name.as_bytes()),
            percent_encoded(line.as_bytes())
        ))
    }
}

/// What was written to a table, and by whom.
#[derive(Default)]
pub struct Talk {
    pub lines: Vec<String>,
    /// The names of the writers, each once.
    pub writers: Vec<String>,
}

impl Place<'_> {
    pub fn name(&self, seat: Seat) -> String {
        name_of(self.holders, seat)
    }

    pub fn with_names(&self, text: &str) -> String {
        with_names(text, self.holders)
    }

    pub fn names(&self, seats: impl Iterator<Item = Seat>) -> Vec<String> {
        seats.map(|seat| self.name(seat)).collect()
    }

    fn others(&self) -> Vec<String> {
        self.names(self.cached.now.seated.iter().filter(|seat| *seat != self.seat))
    }

    /// “Red Queen with Alice and the Hatter”, and a name of the table where there is another like that.
    pub fn table_name(&self) -> String {
        let (title, others) = (self.cached.now.game.info().title, self.others());
        let name = if others.is_empty() { title.to_owned() } else { format!("{title} with {}", and(&others)) };
        match &self.nickname {
            Some(nickname) => format!("{name} ({nickname})"),
            None => name,
        }
    }

    /// The page of the table.
    pub fn url(&self) -> String {
        format!("{}/t/{}", self.house, self.cached.id)
    }

    /// Whether the reader is asked for a move.
    pub fn my_turn(&self) -> bool {
        let now = &self.cached.now;
        now.status() == Status::Playing && now.awaiting().contains(self.seat) && now.bot_at(self.seat).is_none()
    }

    pub fn until(&self) -> Option<DateTime<Utc>> {
        self.cached.now.deadline_of(self.seat).filter(|_| self.my_turn())
    }

    /// From which move on the reader is told what happened, and what to call that: since they last acted, with what that last act
    /// itself came to, or since the letter that they answered.
    fn since(&self, log: &[LoggedMove]) -> (u32, &'static str) {
        if let Some(moves) = self.answered_after {
            return (moves + 1, "Since the letter that you answered");
        }
        let now = &self.cached.now;
        match now.numbering(Viewer::Seat(self.seat)).shown(now.clocks[self.seat.index()].last_move) {
            0 => (0, "So far"),
            last => {
                // A turn of several moves is one act.
                let others = log.iter().rev().find(|entry| entry.number <= last && entry.seat != Some(self.seat));
                (others.map_or(0, |entry| entry.number + 1), "Since you last moved")
            }
        }
    }

    /// What happened from a move on, in a few lines.
    fn recap(&self, log: &[LoggedMove], first: u32) -> Recap {
        let who = |seat: Seat| if seat == self.seat { "You".to_owned() } else { self.name(seat) };
        let entries = log.iter().filter(|entry| entry.number >= first);
        let lines = entries.flat_map(|entry| entry.lines.iter().map(move |line| (entry.seat, line)));
        let lines = lines.map(|(seat, line)| LogLine { who: seat.map(who), line: self.with_names(line) });
        Recap::new(&lines.collect::<Vec<_>>())
    }

    /// What was written to the table, as far as the reader is told.
    async fn talk(&self, tables: &Tables) -> Result<Talk, ReadError> {
        let reader = self.holders.iter().find(|holder| holder.seat == self.seat).and_then(|holder| holder.player);
        let (Some(first), Some(reader)) = (self.talk_from, reader) else { return Ok(Talk::default()) };
        let rows = tables.store.talk_from(self.cached.id, reader, first, MOST_TALK).await?;
        let name = |row: &TalkRow| row.name.clone().unwrap_or_else(|| FORMER_PLAYER.to_owned());
        let mut talk = Talk::default();
        for row in &rows {
            let name = name(row);
            talk.lines.push(format!("{name}: {}", row.words));
            if !talk.writers.contains(&name) {
                talk.writers.push(name);
            }
        }
        Ok(talk)
    }

    /// The game in short: for a letter about it, a part of one about several, or one that answers.
    pub async fn brief(&self, tables: &Tables, kind: Kind) -> Result<Brief, ReadError> {
        let leaf = tables.table_now(self.cached, Viewer::Seat(self.seat)).await?;
        let talk = self.talk(tables).await?;
        self.brief_from(kind, &leaf.log, talk).await
    }

    /// The same from the log of the last moves, and what was written to the table.
    pub async fn brief_from(&self, kind: Kind, log: &[LoggedMove], talk: Talk) -> Result<Brief, ReadError> {
        let now = &self.cached.now;
        let (first, since) = self.since(log);
        let mut recap = self.recap(log, first);
        let headline = Headline::new(self, kind, &recap, &talk.writers)?;
        // What the first line has told is not told again.
        if recap.lines.len() == 1 && headline.happened.as_ref() == recap.lines.first() {
            recap.lines.clear();
        }
        // Where nothing is asked, what came of something is told in short.
        let short = kind == Kind::Sequel && !self.my_turn() && now.status() != Status::Over;
        let my_turn = self.my_turn();
        let offers = if my_turn { now.position.offers(self.seat) } else { Vec::new() };
        let board = || self.with_names(&now.position.table_in_words(Viewer::Seat(self.seat)));
        Ok(Brief {
            name: self.table_name(),
            subject: headline.subject(&self.table_name()),
            others: self.others(),
            headline: headline.words(),
            changed: recap.lines,
            since,
            more_changed: recap.more,
            talk: talk.lines,
            until: self.until().map(|until| Until::new(self.zone, until, self.now)),
            afterwards: now.opened.pace.afterwards(),
            url: self.url(),
            my_turn,
            reply_to: self.reply_to.clone(),
            question: if my_turn { self.with_names(&now.position.question(self.seat)) } else { String::new() },
            choices: Choices::new(offers, |words| self.with_names(words)),
            board: if short { String::new() } else { board() },
            picture: if short || !self.draws { None } else { self.picture().await },
            picture_id: PICTURE_ID.to_owned(),
        })
    }

    /// The board as a picture.
    async fn picture(&self) -> Option<Drawn> {
        let picture = self.cached.now.position.picture(Viewer::Seat(self.seat));
        let in_drawing = |seat| name_in_drawing(seat, &self.name(seat));
        draw_aside(picture.fill_marks(in_drawing, |seat| self.name(seat))).await
    }

    pub async fn story(&self, tables: &Tables, kind: Kind) -> Result<Story, ReadError> {
        let brief = self.brief(tables, kind).await?;
        let over = self.cached.now.status() == Status::Over;
        let course = if over { Some(tables.course(self.cached, Viewer::Seat(self.seat)).await?) } else { None };
        Ok(self.story_from(brief, course.as_ref()).await)
    }

    /// The same from the game in short, and its course if it is over.
    pub async fn story_from(&self, brief: Brief, course: Option<&Course>) -> Story {
        let now = &self.cached.now;
        Story {
            brief,
            souvenir: match course {
                Some(course) => Some(self.souvenir(course).await),
                None => None,
            },
            note: self.note.map(str::to_owned),
            history: format!("{}/t/{}/at/{}", self.house, self.cached.id, now.moves_for(Viewer::Seat(self.seat))),
            rules: format!("{}/games/{}", self.house, now.game.info().slug),
        }
    }
}
