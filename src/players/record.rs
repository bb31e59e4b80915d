//! How somebody plays: games, ratings, pace and opponents, from finished games alone.

use std::collections::HashMap;

use uuid::Uuid;

use crate::db::players::results::{FoundPlayer, OpponentRow, PlayedRow};
use crate::db::retry_transient;
use crate::players::service::{Players, Result};
use crate::players::settings::PageShown;
use crate::players::{PlayerName, PlayerSettings};
use crate::tables::PlayerId;
use crate::tables::results::Rating;
use crate::tables::results::outcome::MISSED;

/// How many decisions the pace looks back.
const LAST: usize = 100;

/// In how many games they are looked for.
const GAMES: i64 = 100;

/// From how few decisions nothing is concluded.
const FEW: usize = 5;

/// How many opponents are listed.
const OPPONENTS: i64 = 20;

/// What a player's page shows.
pub struct PlayerRecord {
    pub id: PlayerId,
    pub name: String,
    pub played: Vec<PlayedRow>,
    /// By game.
    pub ratings: HashMap<String, Rating>,
    pub pace: Option<PaceFacts>,
    pub opponents: Vec<OpponentRow>,
}

/// How fast somebody moves: facts, and no verdict.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PaceFacts {
    /// The middle one of the times that moves took, of those hours in which the clock ran.
    pub median_seconds: i32,
    pub missed: usize,
    /// Of how many decisions.
    pub of: usize,
}

impl PaceFacts {
    /// The pace of somebody from their decisions, the latest game first; nothing if there are few.
    pub fn new<'a>(games: impl IntoIterator<Item = &'a [i32]>) -> Option<PaceFacts> {
        let answers: Vec<i32> = games.into_iter().flat_map(|game| game.iter().rev()).take(LAST).copied().collect();
        let missed = answers.iter().filter(|answer| **answer == MISSED).count();
        let mut made: Vec<i32> = answers.iter().filter(|answer| **answer != MISSED).copied().collect();
        if answers.len() < FEW {
            return None;
        }
        made.sort_unstable();
        let median_seconds = made.get(made.len() / 2).copied()?;
        Some(PaceFacts { median_seconds, missed, of: answers.len() })
    }

    /// In a sentence or two.
    pub fn words(self) -> String {
        let PaceFacts { median_seconds, missed, of } = self;
        let within = match median_seconds {
            0..60 => "within a minute".to_owned(),
            60..7_200 => format!("within {} minutes", median_seconds / 60 + 1),
            7_200..172_800 => format!("within {} hours", median_seconds / 3_600 + 1),
            _ => format!("within {} days", median_seconds / 86_400 + 1),
        };
        let missed = match missed {
            0 => format!("Missed none of the last {of} moves."),
            missed => format!("Missed {missed} of the last {of} moves."),
        };
        format!("Moves {within} more often than not. {missed}")
    }
}

/// Whether somebody may see a player's page.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum MaySee {
    Yes,
    /// They know the player, who keeps the page to themselves.
    Kept,
    /// As if there were no such player.
    No,
}

impl Players {
    /// The player whom an address names, by id or by name.
    pub async fn find(&self, who: &str) -> Result<Option<FoundPlayer>> {
        let id = who.parse::<Uuid>().ok().map(PlayerId);
        let key = PlayerName::search_key(who);
        Ok(retry_transient(|| self.store().find_player(id, &key)).await?)
    }

    /// Whether somebody may see a player's page.
    pub async fn may_see_page(&self, viewer: Option<PlayerId>, player: &FoundPlayer) -> Result<MaySee> {
        let shown = PlayerSettings::read(&player.settings).page_shown;
        if viewer == Some(player.id) || shown == PageShown::Everybody {
            return Ok(MaySee::Yes);
        }
        let Some(viewer) = viewer else { return Ok(MaySee::No) };
        let met = retry_transient(|| self.store().have_met(viewer, player.id)).await?;
        Ok(match (met, shown) {
            (false, _) => MaySee::No,
            (true, PageShown::Nobody) => MaySee::Kept,
            (true, PageShown::Tablemates | PageShown::Everybody) => MaySee::Yes,
        })
    }

    /// All that finished games say of a player.
    pub async fn record(&self, player: FoundPlayer) -> Result<PlayerRecord> {
        let FoundPlayer { id, name, .. } = player;
        let ratings = retry_transient(|| self.store().ratings_of(id)).await?;
        let rating = |row: crate::db::players::results::RatingRow| {
            (row.game, Rating { mean: row.mean, deviation: row.deviation, games: row.games })
        };
        let asked = [id];
        let answers = retry_transient(|| self.store().last_answers(&asked, GAMES)).await?;
        Ok(PlayerRecord {
            id,
            name,
            played: retry_transient(|| self.store().games_played(id)).await?,
            ratings: ratings.into_iter().map(rating).collect(),
            pace: PaceFacts::new(answers.iter().map(|row| row.answers.as_slice())),
            opponents: retry_transient(|| self.store().opponents_of(id, OPPONENTS)).await?,
        })
    }

    /// The pace of those who wait at an open table, for whoever thinks of joining them. Who shows their page to nobody keeps this, too.
    pub async fn paces(&self, players: &[PlayerId]) -> Result<HashMap<PlayerId, PaceFacts>> {
        let settings = retry_transient(|| self.store().settings_of(players)).await?;
        let shown =
            settings.iter().filter(|(_, settings)| PlayerSettings::read(settings).page_shown != PageShown::Nobody);
        let shown: Vec<PlayerId> = shown.map(|(player, _)| *player).collect();
        let rows = retry_transient(|| self.store().last_answers(&shown, GAMES)).await?;
        let of = |player: PlayerId| rows.iter().filter(move |row| row.player_id == player);
        let pace = |player: PlayerId| PaceFacts::new(of(player).map(|row| row.answers.as_slice()));
        Ok(shown.iter().filter_map(|player| Some((*player, pace(*player)?))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_looks_at_the_last_hundred_decisions() {
        assert_eq!(PaceFacts::new([&[10, 20, 30][..]]), None, "three moves say nothing");
        let pace = PaceFacts::new([&[MISSED, 100, 300][..], &[200, MISSED, 50][..]]).unwrap();
        assert_eq!(pace, PaceFacts { median_seconds: 200, missed: 2, of: 6 });
        let long = vec![7; 99];
        let pace = PaceFacts::new([&long[..], &[MISSED, MISSED, 9][..]]).unwrap();
        assert_eq!((pace.missed, pace.of), (0, 100), "what was missed before does not count any more");
        assert_eq!(pace.words(), "Moves within a minute more often than not. Missed none of the last 100 moves.");
    }
}
