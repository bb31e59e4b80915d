//! The words of letters: made when a letter is sent, from what is true then, as its reader may know it.

use askama::Template;
use chrono::{DateTime, Utc};

use super::carrier::Trouble;
use super::letter::{InvitationDetails, Kind, SignInDetails};
use crate::players::sign_in::GOOD_FOR;
use crate::rules::{Seat, Viewer};
use crate::store::letters::ClaimedLetter;
use crate::tables::folded::Status;
use crate::tables::{Holder, Kept, PlayerId, ReadError, TableId, Tables};

/// So many lines of what happened a letter tells.
const MOST_LINES: usize = 12;

/// So many legal moves a letter lists.
const MOST_MOVES: usize = 40;

pub struct Words {
    pub subject: String,
    pub text: String,
    pub html: String,
}

pub enum Writing {
    Words(Words),
    /// What there was to tell is no longer so, or known already.
    Nothing,
}

impl From<ReadError> for Trouble {
    fn from(error: ReadError) -> Trouble {
        match error {
            ReadError::Store(error) => Trouble::Store(error),
            ReadError::NoTable | ReadError::NoMove | ReadError::Unfoldable(_) => Trouble::Lasting(error.to_string()),
        }
    }
}

fn unreadable<T: std::fmt::Display>(error: T) -> Trouble {
    Trouble::Lasting(error.to_string())
}

/// Both forms of a letter.
fn words(subject: String, text: &impl Template, html: &impl Template) -> Result<Writing, Trouble> {
    let text = text.render().map_err(unreadable)?;
    let html = html.render().map_err(unreadable)?;
    Ok(Writing::Words(Words { subject, text, html }))
}

pub async fn write(tables: &Tables, place: &str, kind: Kind, letter: &ClaimedLetter) -> Result<Writing, Trouble> {
    match kind {
        Kind::SignIn | Kind::Address => write_sign_in(tables, place, kind, letter),
        Kind::AddressChanged => {
            let subject = "Your address at Wonderpost has changed".to_owned();
            words(subject, &AddressChangedText { place }, &AddressChangedPage { place })
        }
        Kind::Invitation => write_invitation(tables, place, letter).await,
        Kind::Started | Kind::Turn | Kind::Over => write_about_table(tables, place, kind, letter).await,
    }
}

#[derive(Template)]
#[template(path = "letters/sign_in.txt")]
struct SignInText<'a> {
    url: &'a str,
    code: &'a str,
    minutes: i64,
    changes_address: bool,
}

#[derive(Template)]
#[template(path = "letters/sign_in.html")]
struct SignInPage<'a> {
    place: &'a str,
    url: &'a str,
    code: &'a str,
    minutes: i64,
    changes_address: bool,
}

#[derive(Template)]
#[template(path = "letters/address_changed.txt")]
struct AddressChangedText<'a> {
    place: &'a str,
}

#[derive(Template)]
#[template(path = "letters/address_changed.html")]
struct AddressChangedPage<'a> {
    place: &'a str,
}

fn write_sign_in(tables: &Tables, place: &str, kind: Kind, letter: &ClaimedLetter) -> Result<Writing, Trouble> {
    if tables.now() > letter.written_at + GOOD_FOR {
        return Ok(Writing::Nothing);
    }
    let SignInDetails { token, code } = serde_json::from_str(&letter.details).map_err(unreadable)?;
    let url = format!("{place}/sign-in/{token}");
    let code = format!("{} {}", code.get(..3).unwrap_or_default(), code.get(3..).unwrap_or_default());
    let minutes = GOOD_FOR.num_minutes();
    let changes_address = kind == Kind::Address;
    // The code is not in the subject: it would show on a locked screen.
    let subject = if changes_address { "Your new address at Wonderpost" } else { "Sign in to Wonderpost" };
    words(
        subject.to_owned(),
        &SignInText { url: &url, code: &code, minutes, changes_address },
        &SignInPage { place, url: &url, code: &code, minutes, changes_address },
    )
}

/// A table as a letter tells of it.
struct About {
    title: &'static str,
    url: String,
    /// Those who sit there, in order of seats.
    names: Vec<String>,
}

#[derive(Template)]
#[template(path = "letters/invitation.txt")]
struct InvitationText<'a> {
    from: &'a str,
    about: &'a About,
    blurb: &'static str,
    minutes: u16,
}

#[derive(Template)]
#[template(path = "letters/invitation.html")]
struct InvitationPage<'a> {
    place: &'a str,
    from: &'a str,
    about: &'a About,
    blurb: &'static str,
    minutes: u16,
}

async fn write_invitation(tables: &Tables, place: &str, letter: &ClaimedLetter) -> Result<Writing, Trouble> {
    let Some(id) = letter.table_id else { return Ok(Writing::Nothing) };
    let InvitationDetails { token } = serde_json::from_str(&letter.details).map_err(unreadable)?;
    let Some(invitation) = tables.store.invitation_words(&token).await? else { return Ok(Writing::Nothing) };
    let kept = tables.read(TableId(id)).await?;
    if invitation.answered || kept.now.status() != Status::Open {
        return Ok(Writing::Nothing);
    }
    let info = kept.now.game.info();
    let names = tables.holders(kept.id).await?.into_iter().map(|holder| holder.name).collect();
    let about = About { title: info.title, url: format!("{place}/i/{token}"), names };
    let from = invitation.from.as_deref().unwrap_or("Somebody");
    let (blurb, minutes) = (info.blurb, info.minutes);
    words(
        format!("{from} invites you to {}", info.title),
        &InvitationText { from, about: &about, blurb, minutes },
        &InvitationPage { place, from, about: &about, blurb, minutes },
    )
}

#[derive(Template)]
#[template(path = "letters/table.txt")]
struct TableText<'a> {
    story: &'a Story,
}

#[derive(Template)]
#[template(path = "letters/table.html")]
struct TablePage<'a> {
    place: &'a str,
    story: &'a Story,
}

/// What a letter about a game tells.
struct Story {
    about: About,
    headline: String,
    /// What happened since the reader last looked.
    lines: Vec<String>,
    /// The board in words, as the reader's seat sees it.
    board: String,
    moves: Vec<String>,
    more_moves: usize,
    until: Option<String>,
    /// What the link is for.
    link: &'static str,
}

async fn write_about_table(
    tables: &Tables,
    place: &str,
    kind: Kind,
    letter: &ClaimedLetter,
) -> Result<Writing, Trouble> {
    let (Some(id), Some(player)) = (letter.table_id, letter.player_id) else { return Ok(Writing::Nothing) };
    let kept = tables.read(TableId(id)).await?;
    // Who sits where is asked anew: a guest may have become somebody since.
    let holders = tables.holders(kept.id).await?;
    let seat = holders.iter().find(|holder| holder.player == Some(PlayerId(player))).map(|holder| holder.seat);
    let Some(seat) = seat.filter(|seat| is_news(kind, &kept, *seat, letter)) else { return Ok(Writing::Nothing) };
    let story = tell(tables, place, kind, &kept, &holders, seat, letter).await?;
    let subject = match kind {
        Kind::Turn => format!("Your turn: {}", story.about.title),
        Kind::Over => format!("Over: {}", story.about.title),
        _ => format!("It begins: {}", story.about.title),
    };
    words(subject, &TableText { story: &story }, &TablePage { place, story: &story })
}

/// Whether the letter still tells something new.
fn is_news(kind: Kind, kept: &Kept, seat: Seat, letter: &ClaimedLetter) -> bool {
    let looked = letter.looked_at.is_some_and(|at| at > letter.written_at);
    match kind {
        Kind::Turn => {
            let asked_again = kept.now.clocks[seat.index()].since.is_some_and(|since| since > letter.written_at);
            kept.now.awaiting().contains(seat) && !kept.now.resigned.contains(seat) && !asked_again && !looked
        }
        Kind::Started => kept.now.status() == Status::Playing && !looked,
        Kind::Over => kept.now.status() == Status::Over && !looked,
        Kind::SignIn | Kind::Address | Kind::AddressChanged | Kind::Invitation => true,
    }
}

async fn tell(
    tables: &Tables,
    place: &str,
    kind: Kind,
    kept: &Kept,
    holders: &[Holder],
    seat: Seat,
    letter: &ClaimedLetter,
) -> Result<Story, Trouble> {
    let viewer = Viewer::Seat(seat);
    let name = |seat: Seat| {
        holders.iter().find(|holder| holder.seat == seat).map_or(format!("Seat {seat}"), |holder| holder.name.clone())
    };
    let leaf = tables.leaf(kept, kept.now.moves, viewer).await?;
    let known = u32::try_from(letter.looked_move.unwrap_or(0)).unwrap_or(0);
    let mut lines: Vec<String> = leaf
        .log
        .iter()
        .filter(|entry| entry.number > known)
        .flat_map(|entry| entry.lines.iter())
        .map(|line| Seat::fill_marks(line, name))
        .collect();
    lines.drain(..lines.len().saturating_sub(MOST_LINES));
    let mut moves = if kind == Kind::Turn { kept.now.position.legal_moves(seat) } else { Vec::new() };
    moves.sort_unstable();
    let more_moves = moves.len().saturating_sub(MOST_MOVES);
    moves.truncate(MOST_MOVES);
    let winners: Vec<String> = kept.now.winners().iter().map(name).collect();
    let awaited: Vec<String> = kept.now.awaiting().iter().map(name).collect();
    Ok(Story {
        about: About {
            title: kept.now.game.info().title,
            url: format!("{place}/t/{}", kept.id),
            names: holders.iter().map(|holder| holder.name.clone()).collect(),
        },
        headline: match kind {
            Kind::Turn => "It is your turn.".to_owned(),
            Kind::Over if winners.is_empty() => "The game is over, and nobody has won.".to_owned(),
            Kind::Over if kept.now.winners().contains(seat) && winners.len() == 1 => "You have won!".to_owned(),
            Kind::Over => format!("The game is over: {} won.", and(&winners)),
            _ if awaited.is_empty() => "The game has begun.".to_owned(),
            _ => format!("The game has begun. {} to move.", and(&awaited)),
        },
        lines,
        board: Seat::fill_marks(&leaf.now.position.text(viewer), name),
        moves,
        more_moves,
        until: kept.now.deadline_of(seat).filter(|_| kind == Kind::Turn).map(moment),
        link: match kind {
            Kind::Turn => "Make your move",
            Kind::Over => "Leaf through the game",
            _ => "Look at the table",
        },
    })
}

fn moment(at: DateTime<Utc>) -> String {
    at.format("%-d %B %Y, %H:%M UTC").to_string()
}

/// “Alice, the Hatter and the Dormouse”.
fn and(names: &[String]) -> String {
    match names {
        [] => "nobody".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
