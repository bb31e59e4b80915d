//! The curve of a finished game: who was how likely to win when, and where it turned.

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpResponse, web};
use askama::Template;

use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::extract::whole_table::WholeTable;
use crate::http::pages::frame::Frame;
use crate::http::pages::table::curve_plot::CurvePlot;
use crate::http::pages::table::page::title;
use crate::http::problem::Problem;
use crate::http::render::{html, see};
use crate::tables::analysis::worker::AskError;
use crate::tables::analysis::{Analysis, Curve, Estimate, Measure, TurningPoint};
use crate::tables::{CachedTable, Holder, ReadError, Tables, name_of, with_names};
use wonderpost_rules::{RankingNumber, Seat};

/// How often a page looks again while the curve is made, in seconds.
const LOOK_AGAIN: &str = "3";

#[derive(Template)]
#[template(path = "pages/curve.html")]
struct CurvePage {
    frame: Frame,
    url: String,
    title: String,
    stand: Stand,
}

/// How far the curve is.
enum Stand {
    /// Why there can be none.
    Never(String),
    NotAsked,
    Waiting {
        percent: u32,
        ahead: i64,
    },
    Failed,
    Done(Box<DrawnCurve>),
}

/// A curve with all that is said of it.
struct DrawnCurve {
    plot: CurvePlot,
    /// What it shows, for those who do not see the drawing.
    summary: String,
    /// Those whose lines are drawn, with the numbers of their seats.
    names: Vec<(u8, String)>,
    /// The name of the viewer's own seat, if the curve has what it could have known.
    has_known: bool,
    turns: Vec<TurnLine>,
    rows: Vec<Row>,
    is_solitaire: bool,
    /// What the best result is counted in.
    unit: &'static str,
    bots: &'static str,
    playouts: u32,
}

/// A turning point in words.
struct TurnLine {
    move_no: u32,
    /// The log of the move.
    lines: Vec<String>,
    change: String,
    better: Option<String>,
}

/// A row of the table with the same figures.
struct Row {
    move_no: u32,
    cells: Vec<String>,
    known: String,
}

/// `GET /t/{id}/curve`
pub async fn show(app: web::Data<AppState>, WholeTable { glance, user }: WholeTable) -> Result<HttpResponse, Problem> {
    let cached = &*glance.table;
    let stand = match app.tables.may_analyse(&cached.now) {
        Err(never) => Stand::Never(never.to_string()),
        Ok(()) => match app.tables.analysis(cached).await? {
            Analysis::NotAsked => Stand::NotAsked,
            Analysis::Waiting { progress, ahead } => Stand::Waiting { percent: (progress * 100.0) as u32, ahead },
            Analysis::Failed => Stand::Failed,
            Analysis::Done(curve) => {
                let own = cached.seat_of(user.player());
                Stand::Done(Box::new(drawn(&app.tables, cached, &curve, &glance.holders, own).await?))
            }
        },
    };
    let is_waiting = matches!(stand, Stand::Waiting { .. });
    let page = CurvePage { frame: user.frame(), url: format!("/t/{}", cached.id), title: title(&cached.now), stand };
    let mut answer = html(StatusCode::OK, &page)?;
    if is_waiting {
        // Without script, too.
        answer.headers_mut().insert(HeaderName::from_static("refresh"), HeaderValue::from_static(LOOK_AGAIN));
    }
    Ok(answer)
}

/// `POST /t/{id}/curve`: asks for it.
pub async fn ask(app: web::Data<AppState>, WholeTable { glance, user }: WholeTable) -> Result<HttpResponse, Problem> {
    app.tables.ask_for_analysis(&glance.table, &asker(&user)).await?;
    Ok(see(format!("/t/{}/curve", glance.table.id)))
}

/// Whose curves are counted together.
fn asker(user: &RequestUser) -> String {
    match user.player() {
        Some(player) => player.to_string(),
        None => user.network.to_string(),
    }
}

impl From<AskError> for Problem {
    fn from(error: AskError) -> Problem {
        match error {
            AskError::Running | AskError::Today | AskError::NoMove => Problem::Refused(error.to_string()),
            AskError::TooMany => Problem::Throttled {
                sentence: "You have asked for many curves. Wait a while before the next.",
                retry_seconds: 3_600,
            },
            AskError::Store(error) => error.into(),
        }
    }
}

async fn drawn(
    tables: &Tables,
    cached: &CachedTable,
    curve: &Curve,
    holders: &[Holder],
    own: Option<Seat>,
) -> Result<DrawnCurve, ReadError> {
    let number = cached.now.game.daily().and_then(|daily| daily.numbers.first());
    let most = number
        .and_then(|number| number.most)
        .unwrap_or_else(|| curve.points.iter().filter_map(|point| point.best).max().unwrap_or(1));
    let is_solitaire = curve.measure == Measure::BestResult;
    let seats = Seat::all(if is_solitaire { 0 } else { cached.now.opened.seats });
    let names: Vec<(u8, String)> = seats.map(|seat| (seat.number(), name_for(holders, seat, own))).collect();
    let plot = CurvePlot::draw(curve, own, most);
    let has_known = plot.known.is_some();
    let mut turns = Vec::new();
    for turn in &curve.turning_points {
        let leaf = tables.table_at_move(cached, turn.move_no, wonderpost_rules::Viewer::Public).await?;
        let logged = leaf.log.last().filter(|entry| entry.number == turn.move_no);
        turns.push(TurnLine {
            move_no: turn.move_no,
            lines: logged
                .map(|entry| entry.lines.iter().map(|line| with_names(line, holders)).collect())
                .unwrap_or_default(),
            change: change(turn, holders, own, number.filter(|_| is_solitaire)),
            better: better(turn, holders, own),
        });
    }
    Ok(DrawnCurve {
        summary: summary(curve, &names),
        names,
        has_known,
        turns,
        rows: rows(curve, own.filter(|_| has_known), number.filter(|_| is_solitaire)),
        is_solitaire,
        unit: number.map_or("points", |number| number.several),
        bots: curve.level.title(),
        playouts: curve.playouts,
        plot,
    })
}

fn name_for(holders: &[Holder], seat: Seat, own: Option<Seat>) -> String {
    if own == Some(seat) { "You".to_owned() } else { name_of(holders, seat) }
}

fn percent(share: f32) -> String {
    format!("{:.0} %", share * 100.0)
}

/// How the game stood before and after a move: “Bob's chance goes from 22 % to 64 %.”
fn change(turn: &TurningPoint, holders: &[Holder], own: Option<Seat>, number: Option<&RankingNumber>) -> String {
    if let Some(number) = number {
        let words = |value: f32| number.words(value as i64);
        return format!("Before it {} could be found, after it {}.", words(turn.from), words(turn.to));
    }
    let whose = if own == Some(turn.seat) { "Your".to_owned() } else { format!("{}'s", name_of(holders, turn.seat)) };
    let direction = if turn.to >= turn.from { "rises" } else { "falls" };
    format!("{whose} chance {direction} from {} to {}.", percent(turn.from), percent(turn.to))
}

/// What would have done better, by what its mover could know.
fn better(turn: &TurningPoint, holders: &[Holder], own: Option<Seat>) -> Option<String> {
    let better = turn.better.as_ref()?;
    let (whose, who) = match turn.mover {
        Some(mover) if own == Some(mover) => ("you".to_owned(), "you"),
        Some(mover) => (name_of(holders, mover), "they"),
        None => return None,
    };
    let words = if better.words.is_empty() { &better.line } else { &better.words };
    Some(format!(
        "“{}” would have done better: with what {who} could know, it wins {} of the games for {whose}, this move {}.",
        with_names(words, holders),
        percent(better.chance),
        percent(better.made),
    ))
}

fn cell(estimate: &Estimate) -> String {
    match estimate.margin {
        margin if margin < 0.005 => percent(estimate.chance),
        margin => format!("{} ± {:.0}", percent(estimate.chance), margin * 100.0),
    }
}

fn rows(curve: &Curve, own: Option<Seat>, number: Option<&RankingNumber>) -> Vec<Row> {
    let row = |point: &crate::tables::analysis::Point| Row {
        move_no: point.move_no,
        cells: match (number, point.best) {
            (Some(number), Some(best)) => vec![number.words(best)],
            _ => point.chances.iter().map(cell).collect(),
        },
        known: own
            .and_then(|own| point.known.get(own.index()).copied().flatten())
            .map(|estimate| cell(&estimate))
            .unwrap_or_default(),
    };
    curve.points.iter().map(row).collect()
}

/// The chances at the beginning, in the middle and at the end.
fn summary(curve: &Curve, names: &[(u8, String)]) -> String {
    let middle = curve.points.len() / 2;
    let places = [0, middle, curve.points.len().saturating_sub(1)];
    let told = places.iter().filter_map(|place| curve.points.get(*place)).map(|point| {
        let chances = names.iter().zip(&point.chances);
        let told: Vec<String> =
            chances.map(|((_, name), estimate)| format!("{name} {}", percent(estimate.chance))).collect();
        match point.best {
            Some(best) => format!("After move {}: {best}", point.move_no),
            None => format!("After move {}: {}", point.move_no, told.join(", ")),
        }
    });
    told.collect::<Vec<_>>().join(". ") + "."
}
