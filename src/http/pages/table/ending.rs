//! The end of a game as a moment of its own: who has won, and with what.

use crate::http::AppState;
use crate::http::problem::Problem;
use crate::tables::history::course::{Course, told};
use crate::tables::history::course_plot;
use crate::tables::state::record::Ending;
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{CachedTable, Holder, LoggedMove, name_of, with_names};
use wonderpost_rules::{Picture, Seat, SeatSet};

/// The panel above the board once a game is over.
pub struct EndingPanel {
    pub title: String,
    /// How it came to an end, where that is not plain.
    pub words: String,
    /// The best first; empty where a game keeps no points.
    pub scores: Vec<ScoreLine>,
    /// How the points went, drawn.
    pub plot: Option<Picture>,
    pub decided: Option<Decided>,
    /// The address to pass on, if everybody may look at the table.
    pub share: Option<String>,
}

/// What decided the game, and where to see it.
pub struct Decided {
    pub words: String,
    pub url: String,
}

pub struct ScoreLine {
    pub name: String,
    pub points: i64,
    pub won: bool,
}

impl EndingPanel {
    /// `None` while the game goes on, and for games for one, whose boards say it themselves.
    pub async fn new(
        app: &AppState,
        cached: &CachedTable,
        log: &[LoggedMove],
        holders: &[Holder],
        mine: Option<Seat>,
    ) -> Result<Option<EndingPanel>, Problem> {
        let now = &cached.now;
        if now.status() != Status::Over || now.opened.seats == 1 {
            return Ok(None);
        }
        let course = app.tables.public_course(cached).await?;
        let names: Vec<String> = Seat::all(now.opened.seats).map(|seat| name_for(holders, seat, mine)).collect();
        let path = format!("/t/{}", cached.id);
        Ok(Some(EndingPanel {
            title: title(now.winners(), holders, mine),
            words: how(now),
            scores: scores(now, holders, mine),
            plot: course_plot::plot(&course, &names),
            decided: decided(&path, now, &course, log, &names, holders),
            share: (!now.opened.private).then(|| app.link(&path)),
        }))
    }
}

fn scores(now: &TableState, holders: &[Holder], mine: Option<Seat>) -> Vec<ScoreLine> {
    let (winners, points) = (now.winners(), now.position.scores());
    let line = |seat: Seat| {
        let points = points.get(seat.index()).copied().flatten()?;
        Some(ScoreLine { name: name_for(holders, seat, mine), points, won: winners.contains(seat) })
    };
    let mut scores: Vec<ScoreLine> = Seat::all(now.opened.seats).filter_map(line).collect();
    scores.sort_by_key(|line| (!line.won, -line.points));
    scores
}

/// The move with which the winners took the lead for good; else the greatest; else the last, if the game was played to its end.
fn decided(
    path: &str,
    now: &TableState,
    course: &Course,
    log: &[LoggedMove],
    names: &[String],
    holders: &[Holder],
) -> Option<Decided> {
    let told = |lines: &[String]| told(lines, |line| with_names(line, holders));
    let named = |seat: Seat| names.get(seat.index()).cloned().unwrap_or_default();
    let (number, words) = if let Some(played) = course.turning_point(now.winners()) {
        let winners: Vec<String> = now.winners().iter().map(named).collect();
        let who = crate::app::words::and(&winners);
        (played.number, format!("{who} took the lead for good with move {}. {}", played.number, told(&played.lines)))
    } else if let Some((played, seat, gain)) = course.greatest(1).first().filter(|_| course.moves.len() > 1) {
        let points = if *gain == 1 { "point" } else { "points" };
        let words = format!("The greatest move was number {}, {gain} {points} for {}.", played.number, named(*seat));
        (played.number, format!("{words} {}", told(&played.lines)))
    } else {
        let last = log.iter().max_by_key(|entry| entry.number).filter(|_| now.ended.is_none())?;
        (last.number, told(&last.lines))
    };
    let words = words.trim_end().to_owned();
    (!words.is_empty()).then(|| Decided { words, url: format!("{path}/at/{number}?as=all") })
}

fn name_for(holders: &[Holder], seat: Seat, mine: Option<Seat>) -> String {
    if mine == Some(seat) { "You".to_owned() } else { name_of(holders, seat) }
}

fn title(winners: SeatSet, holders: &[Holder], mine: Option<Seat>) -> String {
    let mut names: Vec<String> = Vec::new();
    let i_won = mine.is_some_and(|seat| winners.contains(seat));
    if i_won {
        names.push("You".to_owned());
    }
    names.extend(winners.iter().filter(|seat| mine != Some(*seat)).map(|seat| name_of(holders, seat)));
    match names.as_slice() {
        [] => "Nobody wins".to_owned(),
        [_] if i_won => "You win!".to_owned(),
        [name] => format!("{name} wins"),
        [names @ .., last] => format!("{} and {last} win together", names.join(", ")),
    }
}

fn how(now: &TableState) -> String {
    match now.ended {
        Some(Ending::Agreed) => "You agreed to end the game here.".to_owned(),
        Some(Ending::Resigned) => "The game ended by resignation.".to_owned(),
        Some(Ending::Abandoned) => "The table was closed because nobody played any more.".to_owned(),
        Some(Ending::ClosedByHost) => "The host closed the table.".to_owned(),
        Some(Ending::Expired) | None => String::new(),
    }
}
