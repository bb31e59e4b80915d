//! How a player wants their letters: when, which, and when not.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::app::words::and;
use crate::local_time::{QuietHours, TimeOfDay, Weekdays, Zone};
use crate::mail::letters::kind::Kind;

/// The most reminders that one turn brings.
pub const MOST_REMINDERS: usize = 3;

/// When letters about games go out.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    AtOnce,
    /// After a short while, unless the player comes by themselves.
    #[default]
    Held,
    /// All together at the player's hour.
    Digest,
    /// One letter, and then none until the player has visited.
    UntilVisit,
}

impl When {
    pub const ALL: [When; 4] = [When::AtOnce, When::Held, When::Digest, When::UntilVisit];

    pub const fn name(self) -> &'static str {
        match self {
            When::AtOnce => "at-once",
            When::Held => "held",
            When::Digest => "digest",
            When::UntilVisit => "until-visit",
        }
    }

    pub const fn words(self) -> &'static str {
        match self {
            When::AtOnce => "At once",
            When::Held => "After a short while, unless I have already looked; several in one",
            When::Digest => "One letter with everything, at a time I choose",
            When::UntilVisit => "One letter, then none until I look or answer",
        }
    }
}

/// How long before time runs out a reminder comes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Before {
    /// When a quarter of the time is left.
    Quarter,
    ThreeDays,
    Day,
    EightHours,
    TwoHours,
    HalfAnHour,
}

impl Before {
    pub const ALL: [Before; 6] =
        [Before::Quarter, Before::ThreeDays, Before::Day, Before::EightHours, Before::TwoHours, Before::HalfAnHour];

    pub const fn name(self) -> &'static str {
        match self {
            Before::Quarter => "quarter",
            Before::ThreeDays => "three-days",
            Before::Day => "day",
            Before::EightHours => "eight-hours",
            Before::TwoHours => "two-hours",
            Before::HalfAnHour => "half-an-hour",
        }
    }

    pub const fn words(self) -> &'static str {
        match self {
            Before::Quarter => "when a quarter of the time is left",
            Before::ThreeDays => "three days before",
            Before::Day => "a day before",
            Before::EightHours => "eight hours before",
            Before::TwoHours => "two hours before",
            Before::HalfAnHour => "half an hour before",
        }
    }

    /// How long before the end of so much time.
    pub fn time(self, whole: TimeDelta) -> TimeDelta {
        match self {
            Before::Quarter => whole / 4,
            Before::ThreeDays => TimeDelta::days(3),
            Before::Day => TimeDelta::days(1),
            Before::EightHours => TimeDelta::hours(8),
            Before::TwoHours => TimeDelta::hours(2),
            Before::HalfAnHour => TimeDelta::minutes(30),
        }
    }
}

/// When a digest comes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigestHour {
    pub at: TimeOfDay,
    pub days: Weekdays,
}

/// Stored as JSON with the player. What is missing or unknown is as if it had never been touched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MailPreferences {
    pub zone: Zone,
    pub when: When,
    pub digest: DigestHour,
    pub quiet: Option<QuietHours>,
    pub reminders: Vec<Before>,
    /// Reminders come in quiet hours, too.
    pub remind_in_quiet_hours: bool,
    /// Letters come though the player has looked at the table meanwhile.
    pub though_i_looked: bool,
    /// Letters about a table are not one conversation: each stands by itself.
    pub apart: bool,
    /// All letters about a table have one subject: some mail programs make conversations of subjects.
    pub one_subject: bool,
    /// The kinds of letters that the player does without.
    pub off: Vec<Kind>,
    /// What the player is told by notices on their devices, as far as they have turned those on.
    pub notices: Vec<Kind>,
    /// What the player is told by webhooks, as far as they have any.
    pub webhooks: Vec<Kind>,
}

impl Default for MailPreferences {
    fn default() -> MailPreferences {
        MailPreferences {
            zone: Zone::default(),
            when: When::default(),
            digest: DigestHour { at: TimeOfDay::new(18, 30), days: Weekdays::EVERY },
            quiet: None,
            reminders: vec![Before::Quarter],
            remind_in_quiet_hours: false,
            though_i_looked: false,
            apart: false,
            one_subject: false,
            off: Vec::new(),
            notices: vec![Kind::Turn, Kind::Call, Kind::Reminder],
            webhooks: vec![Kind::Turn, Kind::Call, Kind::Reminder, Kind::TimeRanOut, Kind::Over],
        }
    }
}

/// What a player wants otherwise at one table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TableMailPreferences {
    pub when: Option<When>,
    /// No letters about this table at all.
    pub off: bool,
    /// None before this.
    pub later: Option<DateTime<Utc>>,
    /// Other reminders.
    pub reminders: Option<Vec<Before>>,
    /// Other kinds of letters that the player does without.
    pub without: Option<Vec<Kind>>,
}

impl TableMailPreferences {
    pub fn read(json: &str) -> TableMailPreferences {
        serde_json::from_str(json).unwrap_or_default()
    }

    pub fn write(&self) -> String {
        serde_json::to_string(self).expect("wishes are plain data")
    }

    pub fn refuse(&mut self, kinds: &[Kind]) {
        if let Some(without) = &mut self.without {
            add(without, kinds);
        }
        if kinds.contains(&Kind::Reminder) {
            self.reminders = None;
        }
    }

    pub fn want_again(&mut self, kinds: &[Kind]) {
        if let Some(without) = &mut self.without {
            without.retain(|kind| !kinds.contains(kind));
        }
    }
}

/// Adds kinds that are not there.
fn add(there: &mut Vec<Kind>, kinds: &[Kind]) {
    let new: Vec<Kind> = kinds.iter().copied().filter(|kind| !there.contains(kind)).collect();
    there.extend(new);
}

impl MailPreferences {
    /// What the player wants at a table.
    pub fn at(&self, table: &TableMailPreferences) -> MailPreferences {
        let mut wishes = self.clone();
        wishes.when = table.when.unwrap_or(self.when);
        if let Some(reminders) = &table.reminders {
            wishes.reminders.clone_from(reminders);
            // Who chooses some here wants them, whatever is usual.
            wishes.want_again(&[Kind::Reminder]);
        }
        if let Some(without) = &table.without {
            wishes.off.clone_from(without);
        }
        if table.off {
            wishes.refuse(&Kind::CHOICES);
            wishes.notices.clear();
            wishes.webhooks.clear();
        }
        wishes
    }

    /// Reads what is stored.
    pub fn read(json: &str) -> MailPreferences {
        serde_json::from_str(json).unwrap_or_default()
    }

    pub fn write(&self) -> String {
        serde_json::to_string(self).expect("wishes are plain data")
    }

    /// What is wrong with these wishes, in a sentence.
    pub fn check(&self) -> Result<(), String> {
        if self.when == When::Digest && self.digest.days.is_empty() {
            return Err("On which days shall the letter come? Choose one at least.".to_owned());
        }
        if self.quiet.is_some_and(|quiet| quiet.from == quiet.until) {
            return Err("Quiet hours that end when they begin would last all day. Choose two times.".to_owned());
        }
        if self.reminders.len() > MOST_REMINDERS {
            return Err(format!("Choose at most {MOST_REMINDERS} reminders for a turn."));
        }
        Ok(())
    }

    /// Whether the player wants letters of this kind.
    pub fn wants(&self, kind: Kind) -> bool {
        !self.off.contains(&kind)
    }

    /// Whether the player wants to be told of this by notices.
    pub fn wants_notice(&self, kind: Kind) -> bool {
        self.notices.contains(&kind)
    }

    /// Whether the player wants to be told of this by webhooks.
    pub fn wants_by_webhook(&self, kind: Kind) -> bool {
        self.webhooks.contains(&kind)
    }

    pub fn refuse(&mut self, kinds: &[Kind]) {
        add(&mut self.off, kinds);
    }

    pub fn want_again(&mut self, kinds: &[Kind]) {
        self.off.retain(|kind| !kinds.contains(kind));
    }

    /// What will happen, in sentences.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = vec![self.sentence_of_turns()];
        if self.wants(Kind::Reminder) && !self.reminders.is_empty() {
            let times: Vec<String> = self.reminders.iter().map(|before| before.words().to_owned()).collect();
            sentences.push(format!("While a table waits for you, you are reminded {}.", and(&times)));
        } else {
            sentences.push("You are never reminded before your time runs out.".to_owned());
        }
        if let Some(quiet) = self.quiet {
            let pierced = if self.remind_in_quiet_hours { ", reminders excepted" } else { "" };
            let zone = self.zone.words();
            sentences.push(format!("Between {} and {} {zone} nothing comes{pierced}.", quiet.from, quiet.until));
        }
        sentences
    }

    fn sentence_of_turns(&self) -> String {
        if !self.wants(Kind::Turn) {
            return "No letter comes when it is your turn.".to_owned();
        }
        let looked =
            if self.though_i_looked { "even if you have already looked" } else { "unless you have already looked" };
        match self.when {
            When::AtOnce => format!("You get a letter as soon as it is your turn, {looked}."),
            When::Held => {
                let calls = if self.wants(Kind::Call) { " A call for help comes at once." } else { "" };
                format!(
                    "You get a letter a little while after it becomes your turn, {looked}; several come as one.{calls}"
                )
            }
            When::Digest => format!(
                "{} at {} {} you get one letter with all tables that wait for you, if there is anything new.",
                self.digest.days.words(),
                self.digest.at,
                self.zone.words()
            ),
            When::UntilVisit => {
                "When it is your turn you get one letter, and then no more until you look at a table or answer."
                    .to_owned()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_never_set_is_the_default() {
        assert_eq!(MailPreferences::read("{}"), MailPreferences::default());
        assert_eq!(MailPreferences::read(r#"{"zone":"Wonderland/Hole"}"#), MailPreferences::default());
        let wishes = MailPreferences {
            zone: "Europe/Berlin".parse().unwrap(),
            when: When::Digest,
            off: vec![Kind::Talk],
            ..MailPreferences::default()
        };
        assert_eq!(MailPreferences::read(&wishes.write()), wishes);
        assert_eq!(TableMailPreferences::read("{}"), TableMailPreferences::default());
    }

    #[test]
    fn at_a_table_what_was_wished_there_goes_before_what_is_usual() {
        let usual =
            MailPreferences { when: When::Digest, off: vec![Kind::Talk, Kind::Reminder], ..MailPreferences::default() };
        assert_eq!(usual.at(&TableMailPreferences::default()), usual);
        let when = TableMailPreferences { when: Some(When::AtOnce), ..TableMailPreferences::default() };
        assert_eq!(usual.at(&when), MailPreferences { when: When::AtOnce, ..usual.clone() });
        let reminders =
            TableMailPreferences { reminders: Some(vec![Before::TwoHours]), ..TableMailPreferences::default() };
        let here = usual.at(&reminders);
        assert!(here.reminders == [Before::TwoHours] && here.wants(Kind::Reminder) && !here.wants(Kind::Talk));
        let without = TableMailPreferences { without: Some(vec![Kind::Over]), ..reminders };
        let here = usual.at(&without);
        assert!(here.wants(Kind::Talk) && here.wants(Kind::Reminder) && !here.wants(Kind::Over));
        let off = TableMailPreferences { off: true, ..without };
        assert!(Kind::CHOICES.iter().all(|kind| !usual.at(&off).wants(*kind)));
    }

    #[test]
    fn what_was_off_before_there_were_calls_stays_off_and_calls_come() {
        let wishes = MailPreferences::read(r#"{"when":"held","off":["talk","started","over"]}"#);
        assert_eq!(wishes.off, [Kind::Talk, Kind::Started, Kind::Over]);
        assert!(wishes.wants(Kind::Call) && wishes.wants(Kind::Sequel));
        assert!(wishes.sentences()[0].ends_with("A call for help comes at once."), "{:?}", wishes.sentences());
    }

    #[test]
    fn what_will_happen_is_said_in_a_sentence() {
        let mut wishes = MailPreferences {
            zone: "Europe/Berlin".parse().unwrap(),
            when: When::Digest,
            digest: DigestHour { at: TimeOfDay::new(18, 30), days: Weekdays::from_numbers(1..=5) },
            quiet: Some(QuietHours { from: TimeOfDay::new(22, 0), until: TimeOfDay::new(7, 0) }),
            ..MailPreferences::default()
        };
        assert_eq!(
            wishes.sentences(),
            [
                "On weekdays at 18:30 Berlin time you get one letter with all tables that wait for you, if there is anything new.",
                "While a table waits for you, you are reminded when a quarter of the time is left.",
                "Between 22:00 and 07:00 Berlin time nothing comes.",
            ]
        );
        wishes.refuse(&[Kind::Turn, Kind::Reminder]);
        assert_eq!(wishes.sentences()[0], "No letter comes when it is your turn.");
        wishes.want_again(&[Kind::Turn]);
        assert!(wishes.wants(Kind::Turn) && !wishes.wants(Kind::Reminder));
    }
}
