//! Waking hours, days off, and the pace of a table.

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::local_time::{self, TimeOfDay, Zone};
use crate::tables::clock::pace;

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Hours {
    pub hours: Option<WakingHours>,
}

#[derive(Copy, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WakingHours {
    /// An IANA name, such as Europe/Berlin
    #[schemars(with = "String")]
    pub zone: Zone,
    /// Such as 08:00
    #[schemars(with = "String")]
    pub from: TimeOfDay,
    /// Such as 23:00; over midnight if it is before the beginning
    #[schemars(with = "String")]
    pub until: TimeOfDay,
}

impl From<local_time::WakingHours> for WakingHours {
    fn from(hours: local_time::WakingHours) -> WakingHours {
        WakingHours { zone: hours.zone, from: hours.from, until: hours.until }
    }
}

impl From<WakingHours> for local_time::WakingHours {
    fn from(hours: WakingHours) -> local_time::WakingHours {
        local_time::WakingHours { zone: hours.zone, from: hours.from, until: hours.until }
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DaysOffList {
    pub days_a_year: u32,
    pub days_off: Vec<DaysOff>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DaysOff {
    pub id: Uuid,
    pub first: NaiveDate,
    pub last: NaiveDate,
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

/// Time saved up, in seconds: an hour at least to begin with and for each move, never more than 30 days
#[derive(Copy, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bank {
    pub start: u32,
    /// For each move
    pub refill: u32,
    pub most: u32,
}

impl From<pace::Bank> for Bank {
    fn from(bank: pace::Bank) -> Bank {
        Bank { start: bank.start, refill: bank.refill, most: bank.most }
    }
}

impl From<Bank> for pace::Bank {
    fn from(bank: Bank) -> pace::Bank {
        pace::Bank { start: bank.start, refill: bank.refill, most: bank.most }
    }
}

/// What happens when time runs out: the rulebook's default move is made, or a bot keeps the seat until its owner returns
#[derive(Copy, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhenLate {
    #[default]
    DefaultMove,
    Bot,
}

impl From<pace::WhenLate> for WhenLate {
    fn from(when: pace::WhenLate) -> WhenLate {
        match when {
            pace::WhenLate::DefaultMove => WhenLate::DefaultMove,
            pace::WhenLate::Bot => WhenLate::Bot,
        }
    }
}

impl From<WhenLate> for pace::WhenLate {
    fn from(when: WhenLate) -> pace::WhenLate {
        match when {
            WhenLate::DefaultMove => pace::WhenLate::DefaultMove,
            WhenLate::Bot => pace::WhenLate::Bot,
        }
    }
}
