//! A player's own feeds: which tables they have, and when time runs out. Whose move it is, with whom and until when; nothing of any game.

use std::collections::HashMap;

use actix_web::{HttpRequest, HttpResponse, web};
use chrono::{DateTime, Utc};

use crate::app::words::and;
use crate::db::retry_transient;
use crate::db::tables::lists::TableRow;
use crate::http::AppState;
use crate::http::pages::desk::LISTED_TABLES;
use crate::http::pages::feeds::atom::{Entry, Feed};
use crate::http::pages::feeds::calendar::{Event, write_calendar};
use crate::http::pages::feeds::{ATOM, CALENDAR, FOR_ITS_READER, answer};
use crate::http::pages::home::game_title;
use crate::http::problem::Problem;
use crate::local_time::Zone;
use crate::tables::state::table_state::Status;
use crate::tables::{PlayerId, TableId, awaited_in_list, names_in_list};

/// Whose feeds these are, and all that they tell.
struct Reader {
    /// What the feed is known by, whatever its address.
    id: String,
    own_name: String,
    zone: Zone,
    rows: Vec<TableRow>,
    /// Since when the player is awaited, where a letter was written about it.
    since: HashMap<TableId, DateTime<Utc>>,
}

impl Reader {
    /// A secret that is none leads nowhere.
    async fn of(app: &AppState, token: &str) -> Result<Reader, Problem> {
        let player: PlayerId = app.players.player_of_feeds(token).await?.ok_or(Problem::NoPage)?;
        let store = &app.tables.store;
        Ok(Reader {
            id: format!("urn:uuid:{}", player.0.hyphenated()),
            own_name: app.players.profile(player).await?.name.unwrap_or_default(),
            zone: app.players.zone(player).await?,
            rows: retry_transient(|| store.tables_of_player(player, LISTED_TABLES)).await?,
            since: retry_transient(|| store.turns_since(player)).await?.into_iter().collect(),
        })
    }

    /// “Red Queen with Alice and Bill”.
    fn title(&self, app: &AppState, row: &TableRow) -> String {
        let names = names_in_list(row).into_iter().map(|(_, name)| name);
        let others: Vec<String> = names.filter(|name| *name != self.own_name).collect();
        let game = game_title(app, &row.game);
        if others.is_empty() { game } else { format!("{game} with {}", and(&others)) }
    }

    /// Since when the table is as it is, as its player knows.
    fn since(&self, row: &TableRow) -> DateTime<Utc> {
        match self.since.get(&row.id).filter(|_| row.waits_for_me) {
            Some(since) => *since,
            None if row.waits_for_me => row.opened_at,
            None => row.moved_at,
        }
    }

    fn entry(&self, app: &AppState, row: &TableRow) -> Entry {
        let title = self.title(app, row);
        let updated = self.since(row);
        let until = row.deadline.map(|deadline| format!(" Time runs out on {}.", self.zone.moment(deadline)));
        let until = until.unwrap_or_default();
        let urn = Entry::urn(row.id);
        // Each turn is an entry of its own, so that readers show it as new.
        let (id, title, summary) = match row.status {
            Status::Playing if row.waits_for_me => (
                format!("{urn}#turn-{}", updated.timestamp()),
                format!("Your move: {title}"),
                format!("It is your move.{until}"),
            ),
            Status::Playing => {
                let awaited = awaited_in_list(row);
                let whose =
                    if awaited.is_empty() { "One moment".to_owned() } else { format!("{} to move", and(&awaited)) };
                (urn, title, format!("{whose}.{until}"))
            }
            Status::Open => (urn, title, "The table waits for players.".to_owned()),
            Status::Over | Status::Gone => {
                (format!("{urn}#over"), format!("Over: {title}"), "The game is over.".to_owned())
            }
        };
        Entry { id, title, updated, summary, link: app.link(&format!("/t/{}", row.id)) }
    }

    fn event(&self, app: &AppState, row: &TableRow) -> Option<Event> {
        let at = row.deadline.filter(|_| row.status == Status::Playing && row.waits_for_me)?;
        let url = app.link(&format!("/t/{}", row.id));
        Some(Event {
            uid: format!("deadline-{}@wonderpost", row.id),
            at,
            changed: row.moved_at,
            summary: format!("Your move: {}", self.title(app, row)),
            description: format!("Your time runs out.\n{url}"),
            url,
        })
    }
}

/// `GET /feeds/mine/{token}/tables.atom`
pub async fn my_tables(
    app: web::Data<AppState>,
    token: web::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let reader = Reader::of(&app, &token).await?;
    let entries = reader.rows.iter().map(|row| reader.entry(&app, row)).collect();
    let feed = Feed::private("Wonderpost: my tables", reader.id.clone(), app.link("/"), entries);
    Ok(answer(&request, ATOM, FOR_ITS_READER, feed.write()?))
}

/// `GET /feeds/mine/{token}/deadlines.ics`
pub async fn my_deadlines(
    app: web::Data<AppState>,
    token: web::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let reader = Reader::of(&app, &token).await?;
    let events: Vec<Event> = reader.rows.iter().filter_map(|row| reader.event(&app, row)).collect();
    Ok(answer(&request, CALENDAR, FOR_ITS_READER, write_calendar("Wonderpost: my deadlines", &events)))
}
