//! How much goes on in the house: over the last day by hour, over the last month by day.

use std::collections::HashMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use chrono::{DateTime, DurationRound, TimeDelta, Utc};

use crate::db::host::figures::{AnswerTimeRow, FiguresRow, Span};
use crate::db::retry_transient;
use crate::figures::answer_times::{AnswerKind, BUCKETS, quantile};
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::pages::host::plot::{Draft, Plot, Series, Shape};
use crate::http::problem::Problem;
use crate::http::render::{Moment, html};

const HOURS: usize = 24;
const DAYS: usize = 30;

#[derive(Template)]
#[template(path = "host/figures.html")]
struct FiguresPage {
    frame: Frame,
    /// Up to when everything is counted.
    until: Option<Moment>,
    periods: Vec<Period>,
}

struct Period {
    id: &'static str,
    title: &'static str,
    plots: Vec<Plot>,
}

/// The hours or days that are shown.
struct Calendar {
    id: &'static str,
    starts: Vec<DateTime<Utc>>,
    labels: Vec<String>,
    label_every: usize,
}

impl Calendar {
    /// The last of them is the one that is not over.
    fn until(now: DateTime<Utc>, span: Span) -> Calendar {
        let (id, length, count, form, label_every) = match span {
            Span::Hour => ("day", TimeDelta::hours(1), HOURS, "%H:%M", 4),
            Span::Day => ("month", TimeDelta::days(1), DAYS, "%-d %b", 6),
        };
        let last = now.duration_trunc(length).unwrap_or(now);
        let starts: Vec<_> = (0..count).rev().map(|back| last - length * back as i32).collect();
        let labels = starts.iter().map(|start| start.format(form).to_string()).collect();
        Calendar { id, starts, labels, label_every }
    }

    fn first(&self) -> DateTime<Utc> {
        self.starts.first().copied().unwrap_or_default()
    }

    fn draw(&self, name: &str, title: &'static str, shape: Shape, unit: &'static str, series: Vec<Series>) -> Plot {
        let (id, label_every) = (format!("{}-{name}", self.id), self.label_every);
        Draft { id, title, shape, unit, labels: &self.labels, label_every, series }.draw()
    }

    /// Counts, as bars.
    fn counts(&self, rows: &[FiguresRow]) -> Vec<Plot> {
        let by_start: HashMap<_, _> = rows.iter().map(|row| (row.start, row)).collect();
        let count = |name, of: fn(&FiguresRow) -> i64| Series {
            name,
            values: self.starts.iter().map(|start| Some(by_start.get(start).map_or(0, |row| of(row)) as f64)).collect(),
        };
        let draw = |name, title, series| self.draw(name, title, Shape::Bars, "", series);
        vec![
            draw("moves", "Moves", vec![count("moves", |row| row.moves)]),
            draw(
                "players",
                "Players",
                vec![count("who moved", |row| row.players), count("newcomers", |row| row.newcomers)],
            ),
            draw(
                "tables",
                "Tables",
                vec![count("opened", |row| row.tables_opened), count("finished", |row| row.tables_over)],
            ),
            draw(
                "letters",
                "Letters",
                vec![count("sent", |row| row.letters_sent), count("given up", |row| row.letters_dead)],
            ),
        ]
    }

    /// How long answers took, as lines: the median, and what all but a twentieth kept to.
    fn latencies(&self, rows: &[AnswerTimeRow]) -> Vec<Plot> {
        let mut histograms: HashMap<(DateTime<Utc>, &str), [u64; BUCKETS]> = HashMap::new();
        for row in rows {
            let histogram = histograms.entry((row.start, &row.kind)).or_insert([0; BUCKETS]);
            let bucket = usize::try_from(row.bucket).unwrap_or(0).min(BUCKETS - 1);
            histogram[bucket] += u64::try_from(row.answers).unwrap_or(0);
        }
        let series = |kind: AnswerKind, name, share| Series {
            name,
            values: self
                .starts
                .iter()
                .map(|start| quantile(histograms.get(&(*start, kind.name()))?, share).map(|seconds| seconds * 1_000.0))
                .collect(),
        };
        let plot = |kind: AnswerKind| {
            let title = match kind {
                AnswerKind::Page => "Time to answer a page",
                AnswerKind::Move => "Time to answer a move",
                AnswerKind::Api => "Time to answer the API",
            };
            let series = vec![series(kind, "median", 0.5), series(kind, "95 of 100", 0.95)];
            self.draw(&format!("{}-times", kind.name()), title, Shape::Lines, " ms", series)
        };
        AnswerKind::ALL.map(plot).into()
    }
}

/// `GET /host`
pub async fn show(app: web::Data<AppState>, user: RequestUser) -> Result<HttpResponse, Problem> {
    let (store, now) = (&app.tables.store, app.tables.now());
    let mut periods = Vec::new();
    for (span, title) in [(Span::Hour, "The last day, by hour"), (Span::Day, "The last month, by day")] {
        let calendar = Calendar::until(now, span);
        let counts = retry_transient(|| store.figures(span, calendar.first())).await?;
        let times = retry_transient(|| store.answer_times(span, calendar.first())).await?;
        let plots = calendar.counts(&counts).into_iter().chain(calendar.latencies(&times)).collect();
        periods.push(Period { id: calendar.id, title, plots });
    }
    let until = retry_transient(|| store.figures_until()).await?.map(Moment::from);
    Ok(html(StatusCode::OK, &FiguresPage { frame: user.frame(), until, periods })?)
}
