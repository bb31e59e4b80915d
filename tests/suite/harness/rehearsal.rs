//! Games that are played beforehand, to find a deal that leads where a test wants to go.

use wonderpost::tables::{Credentials, TableId, Tables};
use wonderpost_rules::seed::{Cut, Secret, Seed};
use wonderpost_rules::{Position, Seat};

use super::table;

/// A game that is played beforehand, to see what a deal leads to.
pub struct Rehearsal {
    pub position: Box<dyn Position>,
    seed: Seed,
    drawn: u64,
    pub said: Vec<(Seat, String)>,
}

impl Rehearsal {
    pub fn say(&mut self, seat: Seat, line: &str) {
        let decided = self.position.decide_line(seat, line, &mut self.seed.chance(self.drawn)).expect("a legal move");
        self.drawn += decided.draws.len() as u64;
        self.position = decided.position;
        self.said.push((seat, line.to_owned()));
    }

    /// Says the first move of a seat that begins like this, if there is one.
    pub fn say_like(&mut self, seat: Seat, beginning: &str) -> Option<String> {
        if !self.position.awaiting().contains(seat) {
            return None;
        }
        let moves = self.position.legal_moves(seat);
        let line = moves.into_iter().find(|line| line.starts_with(beginning))?;
        self.say(seat, &line);
        Some(line)
    }

    pub fn copy(&self) -> Rehearsal {
        Rehearsal {
            position: self.position.clone(),
            seed: self.seed.clone(),
            drawn: self.drawn,
            said: self.said.clone(),
        }
    }
}

/// A word for the last seat of a table with which the game is as wanted.
pub async fn search<T>(tables: &Tables, id: TableId, wanted: impl Fn(Rehearsal) -> Option<T>) -> (String, T) {
    let kept = tables.load_fresh(id).await.expect("a table");
    let secret = tables.store.secret_of_table(id).await.expect("it").expect("a secret");
    let secret = Secret::from_slice(&secret).expect("32 bytes");
    let opened = &kept.now.opened;
    let last = Seat::new(opened.seats).expect("a seat");
    let found = (0..20_000).find_map(|number| {
        let word = format!("word {number}");
        let mut cuts = kept.now.cuts.clone();
        cuts.push(Cut { seat: last, word: word.clone() });
        let seed = secret.seed(&opened.deal, &cuts);
        let begun = kept.now.game.begin(&opened.options, opened.seats).expect("a table");
        let dealt = begun.set_up(&mut seed.chance(0)).expect("a deal");
        let drawn = dealt.draws.len() as u64;
        let rehearsal = Rehearsal { position: dealt.position, seed, drawn, said: vec![] };
        Some((word, wanted(rehearsal)?))
    });
    found.expect("some deal leads there")
}

/// A table that has begun, with these players in order of seats and a game as wanted.
pub async fn begin_wanted<T>(
    tables: &Tables,
    game: &str,
    players: &[&Credentials],
    wanted: impl Fn(Rehearsal) -> Option<T>,
) -> (TableId, T) {
    let (last, others) = players.split_last().expect("somebody");
    let table = table::open(tables, game, serde_json::json!({}), players).await;
    for caller in others {
        tables.sit(caller.player, table, "treacle").await.expect("a seat");
    }
    let (word, found) = search(tables, table, wanted).await;
    tables.sit(last.player, table, &word).await.expect("a seat");
    (table, found)
}
