//! The first line of a letter about a game, which an inbox shows as its preview, and its subject.

use chrono::TimeDelta;

use crate::app::clock::in_words;
use crate::app::words::and;
use crate::mail::letters::kind::Kind;
use crate::mail::letters::recap::Recap;
use crate::mail::letters::story::Place;
use crate::tables::ReadError;
use crate::tables::clock::pace::MISSES;
use crate::tables::state::table_state::Status;
use wonderpost_rules::CallToAction;

/// What happened is told in the first line if it is no longer than this.
const LONGEST_HAPPENING: usize = 110;

/// What a letter begins with.
pub struct Headline {
    /// What it is about, for its subject: “Your turn”.
    about: String,
    /// What the others did last, where the first line tells it.
    pub happened: Option<String>,
    /// What is asked, or whom the table waits for.
    turn: String,
    /// Whether a move may be taken back, if somebody asks.
    request: Option<String>,
}

impl Headline {
    /// `writers` are those whose words to the table the letter brings.
    pub fn new(place: &Place<'_>, kind: Kind, recap: &Recap, writers: &[String]) -> Result<Headline, ReadError> {
        let now = &place.cached.now;
        let about = place.about(kind, writers);
        let plain = |turn: String| Headline { about: about.clone(), happened: None, turn, request: None };
        if let Some(reason) = &now.closing_reason {
            return Ok(plain(format!("The host has closed this table: {reason}")));
        }
        if now.status() == Status::Over {
            return Ok(plain(format!("The game is over: {}", place.result())));
        }
        let turn = place.question_in_time(kind).unwrap_or_else(|| place.waits_for());
        let happened = match kind {
            Kind::Turn | Kind::Sequel => match place.aftermath()? {
                Some(aftermath) => Some(aftermath),
                None => place.last_of_others(recap),
            },
            Kind::Started => Some("The game has begun.".to_owned()),
            Kind::TimeRanOut => Some(place.how_time_ran_out()),
            Kind::Talk if !writers.is_empty() => Some(format!("{} wrote to the table.", and(writers))),
            Kind::Talk
            | Kind::Call
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
            | Kind::Host => None,
        };
        Ok(Headline { about, happened, turn, request: place.request() })
    }

    /// All of it.
    pub fn words(&self) -> String {
        let parts = [self.request.as_deref(), self.happened.as_deref(), Some(&self.turn)];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// “Your turn: Red Queen with Alice”.
    pub fn subject(&self, table: &str) -> String {
        format!("{}: {table}", self.about)
    }
}

/// “2 hours left”.
fn left(time: TimeDelta) -> String {
    let words = in_words(time);
    match words.strip_prefix("in ") {
        Some("an hour") => "An hour left".to_owned(),
        Some("a minute") | None => "Hardly any time left".to_owned(),
        Some(time) => format!("{time} left"),
    }
}

impl Place<'_> {
    /// What a letter is about, for its subject.
    fn about(&self, kind: Kind, writers: &[String]) -> String {
        let now = &self.cached.now;
        if now.closing_reason.is_some() {
            return "Closed".to_owned();
        }
        if now.status() == Status::Over {
            let winners = now.winners();
            return match winners.contains(self.seat) {
                true => "You won".to_owned(),
                false if winners.is_empty() => "Over".to_owned(),
                false => format!("{} won", and(&self.names(winners.iter()))),
            };
        }
        let turn = if self.my_turn() { "Your turn" } else { "News" };
        match kind {
            Kind::Reminder => self.until().map_or_else(|| "Still your turn".to_owned(), |until| left(until - self.now)),
            Kind::Call if self.my_turn() => "Help wanted".to_owned(),
            Kind::TimeRanOut => "Time ran out".to_owned(),
            Kind::TakeBack => "May it be taken back?".to_owned(),
            Kind::Talk if !writers.is_empty() => format!("{} wrote", and(writers)),
            Kind::Started if !self.my_turn() => "It has begun".to_owned(),
            Kind::Started
            | Kind::Talk
            | Kind::Call
            | Kind::Turn
            | Kind::Sequel
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
            | Kind::Host => turn.to_owned(),
        }
    }

    /// How the game ended, for its reader: a win that is shared is theirs, too.
    pub fn result(&self) -> String {
        let winners = self.cached.now.winners();
        let others = self.names(winners.iter().filter(|seat| *seat != self.seat));
        match (winners.contains(self.seat), others.as_slice()) {
            (true, []) => "you won!".to_owned(),
            (true, others) => format!("you won, together with {}!", and(others)),
            (false, []) => "nobody won.".to_owned(),
            (false, others) => format!("{} won.", and(others)),
        }
    }

    fn waits_for(&self) -> String {
        match self.names(self.cached.now.awaiting().iter()).as_slice() {
            [] => "One moment.".to_owned(),
            names => format!("{} to move.", and(names)),
        }
    }

    /// What the reader is asked for, and how long they have; `None` if they are not.
    fn question_in_time(&self, kind: Kind) -> Option<String> {
        let question = self.my_turn().then(|| self.cached.now.position.call_to_action(self.seat))?;
        let ends = self.until().map(|until| in_words(until - self.now));
        let still = if kind == Kind::Reminder { " still" } else { "" };
        let turn = match &ends {
            Some(ends) => format!("It is{still} your turn: your time ends {ends}."),
            None => format!("It is{still} your turn."),
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

    /// What somebody else did last, if it can be told in short.
    fn last_of_others(&self, recap: &Recap) -> Option<String> {
        // A question that says what it is about needs no other beginning.
        if !self.my_turn() || self.cached.now.position.call_to_action(self.seat) != CallToAction::Turn(None) {
            return None;
        }
        let last = recap.lines.iter().rfind(|line| !line.starts_with("You "))?;
        (last.chars().count() <= LONGEST_HAPPENING && !last.contains('\n')).then(|| last.clone())
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
    fn aftermath(&self) -> Result<Option<String>, ReadError> {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_of_reminders_say_how_long_there_is() {
        assert_eq!(left(TimeDelta::hours(2)), "2 hours left");
        assert_eq!(left(TimeDelta::hours(1)), "An hour left");
        assert_eq!(left(TimeDelta::minutes(30)), "30 minutes left");
        assert_eq!(left(TimeDelta::days(3)), "3 days left");
        assert_eq!(left(TimeDelta::seconds(20)), "Hardly any time left");
    }
}
