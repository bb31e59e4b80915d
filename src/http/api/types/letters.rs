//! When letters come.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::one_of;
use crate::local_time::{self, TimeOfDay, Weekdays, Zone};
use crate::mail::letters::kind::Kind;
use crate::mail::preferences::{Before, DigestHour, MOST_REMINDERS, MailPreferences, TableMailPreferences, When};

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Letters {
    pub wishes: LetterWishes,
    /// What the wishes come to, a sentence each
    pub in_words: Vec<String>,
}

/// What a PUT leaves out is as if it had never been touched
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LetterWishes {
    /// Where I live, also for waking hours and days off: an IANA name, such as Europe/Berlin. Null leaves it as it is
    #[schemars(with = "Option<String>")]
    pub zone: Option<Zone>,
    #[schemars(schema_with = "when")]
    pub when: When,
    pub digest: Digest,
    pub quiet: Option<QuietHours>,
    /// How long before time runs out
    #[schemars(schema_with = "reminders")]
    pub reminders: Vec<Before>,
    pub remind_in_quiet_hours: bool,
    /// Letters come though I have looked at the table meanwhile
    pub though_i_looked: bool,
    /// Each letter stands by itself, instead of one conversation for each table
    pub apart: bool,
    /// All letters about a table have one subject, for mail programs that make conversations of subjects
    pub one_subject: bool,
    /// The kinds of letters that I do without
    #[schemars(schema_with = "kinds")]
    pub off: Vec<Kind>,
    /// What notices tell me on the devices where I have turned them on
    #[schemars(schema_with = "kinds")]
    pub notices: Vec<Kind>,
    /// What webhooks tell, where I have set some up
    #[schemars(schema_with = "kinds")]
    pub webhooks: Vec<Kind>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Digest {
    /// Such as 18:30
    #[schemars(with = "String")]
    pub at: TimeOfDay,
    /// Days of the week, Monday being 1
    #[schemars(with = "Vec<u8>")]
    pub days: Weekdays,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuietHours {
    /// Such as 22:00
    #[schemars(with = "String")]
    pub from: TimeOfDay,
    /// Such as 07:00
    #[schemars(with = "String")]
    pub until: TimeOfDay,
}

/// What I want otherwise at one table; what a PUT leaves out is as at all tables
#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TableWishes {
    /// null: as at all tables
    #[schemars(schema_with = "when_or_null")]
    pub when: Option<When>,
    /// No letters about this table at all
    pub off: bool,
    /// How long before time runs out; null: as at all tables
    #[schemars(schema_with = "reminders_or_null")]
    pub reminders: Option<Vec<Before>>,
    /// The kinds of letters that I do without here; null: as at all tables
    #[schemars(schema_with = "kinds_or_null")]
    pub without: Option<Vec<Kind>>,
}

fn when(_: &mut SchemaGenerator) -> Schema {
    one_of(When::ALL.map(When::name))
}

fn reminders(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "array", "items": one_of(Before::ALL.map(Before::name)), "maxItems": MOST_REMINDERS})
}

fn kinds(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "array", "items": {"type": "string"}})
}

fn when_or_null(generator: &mut SchemaGenerator) -> Schema {
    or_null(when(generator))
}

fn reminders_or_null(generator: &mut SchemaGenerator) -> Schema {
    or_null(reminders(generator))
}

fn kinds_or_null(generator: &mut SchemaGenerator) -> Schema {
    or_null(kinds(generator))
}

fn or_null(schema: Schema) -> Schema {
    json_schema!({"anyOf": [schema, {"type": "null"}]})
}

impl Default for LetterWishes {
    fn default() -> LetterWishes {
        let wishes = LetterWishes::from(MailPreferences::default());
        LetterWishes { zone: None, ..wishes }
    }
}

impl From<MailPreferences> for LetterWishes {
    fn from(wishes: MailPreferences) -> LetterWishes {
        LetterWishes {
            zone: Some(wishes.zone),
            when: wishes.when,
            digest: Digest { at: wishes.digest.at, days: wishes.digest.days },
            quiet: wishes.quiet.map(|quiet| QuietHours { from: quiet.from, until: quiet.until }),
            reminders: wishes.reminders,
            remind_in_quiet_hours: wishes.remind_in_quiet_hours,
            though_i_looked: wishes.though_i_looked,
            apart: wishes.apart,
            one_subject: wishes.one_subject,
            off: wishes.off,
            notices: wishes.notices,
            webhooks: wishes.webhooks,
        }
    }
}

impl LetterWishes {
    /// The wishes of somebody who lives there, if they do not say otherwise.
    pub fn of_somebody_in(self, zone: Zone) -> MailPreferences {
        let wishes = self;
        MailPreferences {
            zone: wishes.zone.unwrap_or(zone),
            when: wishes.when,
            digest: DigestHour { at: wishes.digest.at, days: wishes.digest.days },
            quiet: wishes.quiet.map(|quiet| local_time::QuietHours { from: quiet.from, until: quiet.until }),
            reminders: wishes.reminders,
            remind_in_quiet_hours: wishes.remind_in_quiet_hours,
            though_i_looked: wishes.though_i_looked,
            apart: wishes.apart,
            one_subject: wishes.one_subject,
            off: wishes.off,
            notices: wishes.notices,
            webhooks: wishes.webhooks,
        }
    }
}

impl From<TableMailPreferences> for TableWishes {
    fn from(wishes: TableMailPreferences) -> TableWishes {
        TableWishes { when: wishes.when, off: wishes.off, reminders: wishes.reminders, without: wishes.without }
    }
}

impl From<TableWishes> for TableMailPreferences {
    fn from(wishes: TableWishes) -> TableMailPreferences {
        TableMailPreferences {
            when: wishes.when,
            off: wishes.off,
            later: None,
            reminders: wishes.reminders,
            without: wishes.without,
        }
    }
}
