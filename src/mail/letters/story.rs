//! What a letter about a game tells: exactly what its reader's seat sees.

use chrono::{DateTime, Utc};

use crate::app::clock::in_words;
use crate::app::words::and;
use crate::db::tables::talk::TalkRow;
use crate::local_time::{Until, Zone};
use crate::mail::letters::choices::{MoveGroup, groups};
use crate::mail::letters::kind::Kind;
use crate::mail::letters::picture::{Drawn, draw_aside, name_in_drawing};
use crate::percent::percent_encoded;
use crate::tables::clock::pace::MISSES;
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, FORMER_PLAYER, Holder, LoggedMove, ReadError, Tables, name_of, with_names};
use wonderpost_rules::{CallToAction, Seat, Viewer};

/// How many log lines a letter about one table tells.
const MOST_LOG_LINES: usize = 30;

/// How many log lines a letter about several tables tells of each.
const MOST_LOG_LINES_OF_MANY: usize = 4;

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
    /// From where on the reader is told what was written to the table.
    pub talk_from: Option<i64>,
    /// What the reader wrote down for themselves.
    pub note: Option<&'a str>,
    /// After how many moves the letter was written that the reader answered, if this answers them.
    pub answered_after: Option<u32>,
    pub now: DateTime<Utc>,
}

/// A letter about a game.
pub struct Story {
    pub brief: Brief,
    /// The board in words; nothing in a short letter.
    pub board: String,
    pub picture: Option<Drawn>,
    /// Once all is over: the boards as the others saw them.
    pub revealed: Vec<(String, String)>,
    /// Who has how many points.
    pub scores: Vec<String>,
    pub groups: Vec<MoveGroup>,
    pub over: bool,
    /// What the reader wrote down for themselves.
    pub note: Option<String>,
    pub history: String,
    pub rules: String,
}

/// A game in short.
pub struct Brief {
    pub title: &'static str,
    /// The names of the others.
    pub others: Vec<String>,
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
}

impl Brief {
    /// What letters about the table are called.
    pub fn subject(&self) -> String {
        subject(self.title, &self.others)
    }

    /// A letter that makes a move, for mail programs to open.
    pub fn mailto(&self, line: &str) -> Option<String> {
        let address = self.reply_to.as_deref()?;
        Some(format!(
            "mailto:{address}?subject={}&body={}",
            percent_encoded(self.subject().as_bytes()),
            percent_encoded(line.as_bytes())
        ))
    }
}

/// “Red Queen with Alice and the Hatter”: the same in all letters about a table, so that they stay together.
fn subject(title: &str, others: &[String]) -> String {
    if others.is_empty() { title.to_owned() } else { format!("{title} with {}", and(others)) }
}

impl Place<'_> {
    fn name(&self, seat: Seat) -> String {
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

    /// What letters about the table are called.
    pub fn subject(&self) -> String {
        subject(self.cached.now.game.info().title, &self.others())
    }

    /// Whether the reader is asked for a move.
    fn my_turn(&self) -> bool {
        let now = &self.cached.now;
        now.awaiting().contains(self.seat) && now.bot_at(self.seat).is_none()
    }

    fn until(&self) -> Option<DateTime<Utc>> {
        self.cached.now.deadline_of(self.seat).filter(|_| self.my_turn())
    }

    /// What the reader is asked for; `None` if they are not.
    fn question(&self, kind: Kind) -> Option<String> {
        let question = self.my_turn().then(|| self.cached.now.position.call_to_action(self.seat))?;
        let ends = self.until().filter(|_| kind == Kind::Reminder).map(|until| in_words(until - self.now));
        let turn = match (kind, &ends) {
            (Kind::Reminder, Some(ends)) => format!("It is still your turn: your time ends {ends}."),
            (Kind::Reminder, None) => "It is still your turn.".to_owned(),
            _ => "It is your turn.".to_owned(),
        };
        Some(match question {
            CallToAction::Turn(None) => turn,
            CallToAction::Turn(Some(first)) => format!("{} {turn}", self.with_names(&first)),
            CallToAction::Call(words) => {
                let ends = ends.map(|ends| format!(" Your time ends {ends}."));
                self.with_names(&words) + &ends.unwrap_or_default()
            }
        })
    }

    /// What happened when the reader's time ran out, and what comes next if it goes on like this.
    fn how_time_ran_out(&self) -> String {
        let now = &self.cached.now;
        if now.times.kept.contains(self.seat) {
            let way = if self.reply_to.is_some() { "Answer with “back”, or open" } else { "Open" };
            return format!("Your time ran out, and a bot keeps your seat. {way} the table, to take it again.");
        }
        match now.clocks[self.seat.index()].misses {
            0 | 1 => "Your time ran out, and the house moved for you.".to_owned(),
            misses @ ..MISSES => format!(
                "Your time ran out {misses} times in a row, and the house moved for you. After {MISSES} times the others may end the \
                 game without you."
            ),
            _ => "Your time ran out too often: the others may end the game without you until you move yourself."
                .to_owned(),
        }
    }

    /// What came of something that the reader had a part in, since they last moved.
    fn sequel(&self) -> Result<Option<String>, ReadError> {
        Ok(self.cached.aftermath(self.seat)?.map(|words| self.with_names(&words)))
    }

    /// What somebody asks the reader about a move that they would like to take back.
    fn request(&self) -> Option<String> {
        let now = &self.cached.now;
        let asked = now.take_back.filter(|_| now.consent_awaited().contains(self.seat))?;
        let way =
            if self.reply_to.is_some() { "Answer “yes” or “no”, or say so at" } else { "Say yes or no at" };
        Some(format!("{} would like to take back the last move. {way} the table.", self.name(asked.seat)))
    }

    fn headline(&self, kind: Kind) -> Result<String, ReadError> {
        let now = &self.cached.now;
        if let Some(reason) = &now.closing_reason {
            return Ok(format!("The host has closed this table: {reason}"));
        }
        if now.status() == Status::Over {
            let winners = now.winners();
            return Ok(match self.names(winners.iter()).as_slice() {
                [] => "The game is over, and nobody has won.".to_owned(),
                [_] if winners.contains(self.seat) => "The game is over: you have won!".to_owned(),
                names => format!("The game is over: {} won.", and(names)),
            });
        }
        let turn = match self.question(kind) {
            Some(question) => question,
            None => match self.names(now.awaiting().iter()).as_slice() {
                [] => "One moment.".to_owned(),
                names => format!("{} to move.", and(names)),
            },
        };
        let words = match kind {
            Kind::Turn | Kind::Sequel => match self.sequel()? {
                Some(sequel) => format!("{sequel} {turn}"),
                None => turn,
            },
            Kind::Started => format!("The game has begun. {turn}"),
            Kind::TimeRanOut => format!("{} {turn}", self.how_time_ran_out()),
            Kind::Talk => format!("Somebody wrote to the table. {turn}"),
            Kind::Call
            | Kind::Reminder
            | Kind::Over
            | Kind::Digest
            | Kind::SignIn
            | Kind::Address
            | Kind::AddressChanged
            | Kind::Invitation
            | Kind::Answer
            | Kind::GoOn
            | Kind::Confirm
            | Kind::Identity
            | Kind::TakeBack
            | Kind::Host => turn,
        };
        Ok(match self.request() {
            Some(request) => format!("{request} {words}"),
            None => words,
        })
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

    fn changed(&self, log: &[LoggedMove], first: u32) -> Vec<String> {
        log.iter()
            .filter(|entry| entry.number >= first)
            .flat_map(|entry| entry.lines.iter())
            .map(|line| self.with_names(line))
            .collect()
    }

    /// What was written to the table, as far as the reader is told.
    async fn talk(&self, tables: &Tables) -> Result<Vec<String>, ReadError> {
        let reader = self.holders.iter().find(|holder| holder.seat == self.seat).and_then(|holder| holder.player);
        let (Some(first), Some(reader)) = (self.talk_from, reader) else { return Ok(Vec::new()) };
        let rows = tables.store.talk_from(self.cached.id, reader, first, MOST_TALK).await?;
        let name = |row: &TalkRow| row.name.clone().unwrap_or_else(|| FORMER_PLAYER.to_owned());
        Ok(rows.iter().map(|row| format!("{}: {}", name(row), row.words)).collect())
    }

    fn brief_from(&self, kind: Kind, log: &[LoggedMove], most: usize, talk: Vec<String>) -> Result<Brief, ReadError> {
        let now = &self.cached.now;
        let (first, since) = self.since(log);
        let mut changed = self.changed(log, first);
        let more_changed = changed.len() > most;
        changed.drain(..changed.len().saturating_sub(most));
        Ok(Brief {
            title: now.game.info().title,
            others: self.others(),
            headline: self.headline(kind)?,
            changed,
            since,
            more_changed,
            talk,
            until: self.until().map(|until| Until::new(self.zone, until, self.now)),
            afterwards: now.opened.pace.afterwards(),
            url: format!("{}/t/{}", self.house, self.cached.id),
            my_turn: self.my_turn(),
            reply_to: self.reply_to.clone(),
        })
    }

    /// The game in short, for a letter about several, or one that answers.
    pub async fn brief(&self, tables: &Tables, kind: Kind) -> Result<Brief, ReadError> {
        let most = if self.answered_after.is_some() { MOST_LOG_LINES } else { MOST_LOG_LINES_OF_MANY };
        let leaf = tables.table_now(self.cached, Viewer::Seat(self.seat)).await?;
        self.brief_from(kind, &leaf.log, most, self.talk(tables).await?)
    }

    /// The board as a picture.
    pub async fn picture(&self) -> Option<Drawn> {
        let picture = self.cached.now.position.picture(Viewer::Seat(self.seat));
        let in_drawing = |seat| name_in_drawing(seat, &self.name(seat));
        draw_aside(picture.fill_marks(in_drawing, |seat| self.name(seat))).await
    }

    pub async fn story(&self, tables: &Tables, kind: Kind) -> Result<Story, ReadError> {
        let leaf = tables.table_now(self.cached, Viewer::Seat(self.seat)).await?;
        let now = &self.cached.now;
        let text = |seat: Seat| self.with_names(&now.position.text(Viewer::Seat(seat)));
        let over = now.status() == Status::Over;
        // Where nothing is asked, what came of something is told in short.
        let short = kind == Kind::Sequel && !over && !self.my_turn();
        let others = now.seated.iter().filter(|seat| over && *seat != self.seat);
        let scores = now.seated.iter().zip(now.position.scores());
        Ok(Story {
            brief: self.brief_from(kind, &leaf.log, MOST_LOG_LINES, self.talk(tables).await?)?,
            board: if short { String::new() } else { text(self.seat) },
            picture: if short { None } else { self.picture().await },
            revealed: others.map(|seat| (self.name(seat), text(seat))).collect(),
            scores: scores.filter_map(|(seat, score)| Some(format!("{} {}", self.name(seat), score?))).collect(),
            groups: if self.my_turn() { groups(now.position.legal_moves(self.seat)) } else { Vec::new() },
            over,
            note: self.note.map(str::to_owned),
            history: format!("{}/t/{}/at/{}", self.house, self.cached.id, now.moves_for(Viewer::Seat(self.seat))),
            rules: format!("{}/games/{}", self.house, now.game.info().slug),
        })
    }
}
