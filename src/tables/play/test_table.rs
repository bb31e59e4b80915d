//! A table for tests, without a database.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

use crate::tables::clock::pace::Pace;
use crate::tables::history::recent_events::RecentEvents;
use crate::tables::state::record::{Chain, Opened, Record, TableFact};
use crate::tables::state::table_state::TableState;
use crate::tables::{CachedTable, TableId};
use wonderpost_games::catalogue;
use wonderpost_rules::seed::{Secret, Seed};
use wonderpost_rules::{Fact, Game, Position, Seat, SeatSet};

fn opened(game: &dyn Game, options: &Value, seats: u8) -> Opened {
    Opened {
        game: game.info().slug.to_owned(),
        seats,
        options: options.clone(),
        promise: String::new(),
        deal: String::new(),
        day: None,
        pace: Default::default(),
        private: false,
        by_lot: false,
        preset_answers: false,
        played_on: None,
    }
}

/// A table that has begun, with this position.
pub fn table(game: &dyn Game, options: &Value, seats: u8, position: Box<dyn Position>) -> CachedTable {
    let opened = opened(game, options, seats);
    let id = TableId(Uuid::nil());
    let mut chain = Chain { table: id, seq: 0, head: [0; 32], at: Utc::now(), records: Vec::new() };
    let first = chain.add(0, None, Fact::new(&TableFact::Opened(opened)));
    let mut now = TableState::begin(&catalogue(), first).unwrap();
    now.seated = Seat::all(seats).collect::<SeatSet>();
    now.position = position;
    cached(id, now, Some(Seed::of_number(1)), None)
}

/// A table at which all sit, dealt from the secret of this number, and its events.
pub fn dealt(game: &dyn Game, seats: u8, pace: Pace, number: u8, at: DateTime<Utc>) -> (CachedTable, Vec<Record>) {
    let secret = Secret::new([number; 32]);
    let promise = secret.promise().to_string();
    let opened = Opened { promise, pace, ..opened(game, &game.default_options(), seats) };
    let id = TableId(Uuid::nil());
    let mut chain = Chain { table: id, seq: 0, head: [0; 32], at, records: Vec::new() };
    let mut now = TableState::begin(&catalogue(), chain.add(0, None, Fact::new(&TableFact::Opened(opened)))).unwrap();
    for seat in Seat::all(seats) {
        let sat = TableFact::Sat { seat, cut: Some("jam".to_owned()), bot: None };
        now.record(&mut chain, 0, Some(seat), &sat).unwrap();
    }
    let seed = now.seed(&secret);
    let deal = now.position.set_up(&mut seed.chance(0)).unwrap();
    for draw in deal.draws {
        now.record(&mut chain, 0, None, &TableFact::Drew(draw)).unwrap();
    }
    let first = chain.records.len();
    for fact in deal.facts {
        chain.add(0, None, fact);
    }
    now.adopt(&chain.records[first..], &deal.awaiting, deal.position);
    (cached(id, now, Some(seed), Some(secret)), chain.records)
}

fn cached(id: TableId, now: TableState, seed: Option<Seed>, secret: Option<Secret>) -> CachedTable {
    let window = RecentEvents::new(now.clone(), Vec::new());
    CachedTable {
        id,
        now,
        holders: Vec::new(),
        opened_by: None,
        link_token: None,
        seed,
        secret,
        window,
        views: Arc::default(),
    }
}
