//! What notices on devices say: the game and who plays along, as the subject of a letter does, and what is up there. Nothing of the game itself,
//! because it shows on locked screens.

use std::collections::BTreeSet;

use chrono::TimeDelta;

use crate::app::words::and;
use crate::mail::letters::composer::Sight;
use crate::mail::letters::kind::Kind;
use crate::mail::outbox::bundle::Sender;
use crate::mail::outbox::news::{News, rank};
use crate::mail::outbox::transport::Trouble;
use crate::push::notice::NewNotice;
use crate::tables::name_of;

/// For how long a notice is news to a device that is switched off.
const NEWS_FOR: TimeDelta = TimeDelta::days(1);

impl Sender {
    /// Has the devices of a player told what is to be told by notices, as one notice.
    pub(super) async fn notify(&self, lot: &[News]) -> Result<(), Trouble> {
        let mut told: Vec<&News> = lot.iter().filter(|news| news.ways.notice).collect();
        told.sort_by_key(|news| (rank(news.kind), news.letter.id));
        let Some((principal, player)) = told.first().and_then(|news| Some((*news, news.letter.player_id?))) else {
            return Ok(());
        };
        let tables: BTreeSet<_> = told.iter().filter_map(|news| news.letter.table_id).collect();
        let expires_at = self.desk.tables.now() + NEWS_FOR;
        let notice = match tables.len() {
            ..=1 => {
                let of_turn = is_of_turn(principal.kind);
                let deadline = principal.sight.cached.now.deadline_of(principal.sight.seat).filter(|_| of_turn);
                NewNotice {
                    table: principal.letter.table_id,
                    of_turn,
                    is_urgent: principal.kind == Kind::Call,
                    title: format!("{}: {}", principal.sight.cached.now.game.info().title, words(principal.kind)),
                    body: company(&principal.sight),
                    expires_at: deadline.map_or(expires_at, |deadline| deadline.min(expires_at)),
                }
            }
            tables => NewNotice {
                table: None,
                of_turn: false,
                is_urgent: false,
                title: match told.iter().all(|news| is_of_turn(news.kind)) {
                    true => format!("{tables} tables wait for you"),
                    false => format!("News from {tables} tables"),
                },
                body: games(&told),
                expires_at,
            },
        };
        let letters: Vec<i64> = told.iter().map(|news| news.letter.id).collect();
        self.desk.tables.store.write_notices(player, &letters, &notice).await?;
        self.notices.notify_one();
        Ok(())
    }
}

/// Whether it says that the reader is to move.
const fn is_of_turn(kind: Kind) -> bool {
    matches!(kind, Kind::Turn | Kind::Call | Kind::Reminder)
}

/// “With Alice and the Hatter”.
fn company(sight: &Sight) -> String {
    let others = sight.cached.now.seated.iter().filter(|seat| *seat != sight.seat);
    let names: Vec<String> = others.map(|seat| name_of(&sight.holders, seat)).collect();
    if names.is_empty() { String::new() } else { format!("With {}", and(&names)) }
}

/// The games of several tables, each once.
fn games(told: &[&News]) -> String {
    let titles: BTreeSet<&str> = told.iter().map(|news| news.sight.cached.now.game.info().title).collect();
    and(&titles.into_iter().map(str::to_owned).collect::<Vec<_>>())
}

/// What is up at a table.
const fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::Turn => "your move",
        Kind::Call => "you are called for help",
        Kind::Reminder => "still your move",
        Kind::TimeRanOut => "your time ran out",
        Kind::TakeBack => "somebody would like to take back a move",
        Kind::Talk => "somebody wrote to the table",
        Kind::Started => "the game has begun",
        Kind::Over => "the game is over",
        Kind::Sequel
        | Kind::SignIn
        | Kind::Address
        | Kind::AddressChanged
        | Kind::Invitation
        | Kind::Digest
        | Kind::Answer
        | Kind::GoOn
        | Kind::Confirm
        | Kind::Identity
        | Kind::Host => "there is news",
    }
}
