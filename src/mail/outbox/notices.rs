//! What notices on devices and webhooks say: the game and who plays along, as the subject of a letter does, and what is up there. Nothing of the
//! game itself, because it shows on locked screens and in chats.

use std::collections::BTreeSet;

use chrono::TimeDelta;

use crate::app::words::and;
use crate::mail::letters::composer::Sight;
use crate::mail::letters::kind::Kind;
use crate::mail::outbox::bundle::Sender;
use crate::mail::outbox::news::{News, rank};
use crate::mail::outbox::transport::Trouble;
use crate::push::notice::{NewNotice, NoticeTo};
use crate::push::webhook;
use crate::tables::name_of;

/// For how long a notice is news to a device that is switched off.
const NEWS_FOR: TimeDelta = TimeDelta::days(1);

impl Sender {
    /// Has the devices and webhooks of a player told what they are to be told, as one notice each.
    pub(super) async fn notify(&self, lot: &[News]) -> Result<(), Trouble> {
        let mut groups: Vec<(NoticeTo, Vec<&News>)> = Vec::new();
        for news in lot {
            let devices = news.ways.notice.then_some(NoticeTo::Devices);
            let webhook = news.letter.webhook.filter(|_| news.ways.webhook).map(NoticeTo::Webhook);
            for to in devices.into_iter().chain(webhook) {
                match groups.iter_mut().find(|(there, _)| *there == to) {
                    Some((_, told)) => told.push(news),
                    None => groups.push((to, vec![news])),
                }
            }
        }
        let Some(player) = lot.iter().find_map(|news| news.letter.player_id).filter(|_| !groups.is_empty()) else {
            return Ok(());
        };
        let letters: BTreeSet<i64> = groups.iter().flat_map(|(_, told)| told).map(|news| news.letter.id).collect();
        let letters: Vec<i64> = letters.into_iter().collect();
        let notices: Vec<NewNotice> = groups.into_iter().filter_map(|(to, told)| self.notice_of(to, told)).collect();
        self.desk.tables.store.write_notices(player, &letters, &notices).await?;
        self.notices.notify_one();
        Ok(())
    }

    /// What one of them is told.
    fn notice_of(&self, to: NoticeTo, mut told: Vec<&News>) -> Option<NewNotice> {
        told.sort_by_key(|news| (rank(news.kind), news.letter.id));
        let principal = *told.first()?;
        let tables: BTreeSet<_> = told.iter().filter_map(|news| news.letter.table_id).collect();
        let news_for = match to {
            NoticeTo::Devices => NEWS_FOR,
            NoticeTo::Webhook(_) => webhook::NEWS_FOR,
        };
        let expires_at = self.desk.tables.now() + news_for;
        if tables.len() > 1 {
            let of_turns = told.iter().all(|news| is_of_turn(news.kind));
            let tables = tables.len();
            return Some(NewNotice {
                to,
                kind: Kind::Digest.name(),
                table: None,
                of_turn: false,
                is_urgent: false,
                title: match of_turns {
                    true => format!("{tables} tables wait for you"),
                    false => format!("News from {tables} tables"),
                },
                body: games(&told),
                deadline: None,
                expires_at,
            });
        }
        let of_turn = is_of_turn(principal.kind);
        let deadline = principal.sight.cached.now.deadline_of(principal.sight.seat).filter(|_| of_turn);
        Some(NewNotice {
            to,
            kind: principal.kind.name(),
            table: principal.letter.table_id,
            of_turn,
            is_urgent: principal.kind == Kind::Call,
            title: format!("{}: {}", principal.sight.cached.now.game.info().title, words(principal.kind)),
            body: company(&principal.sight),
            deadline,
            expires_at: deadline.map_or(expires_at, |deadline| deadline.min(expires_at)),
        })
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
