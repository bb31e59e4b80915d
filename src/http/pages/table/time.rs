//! Time, as players deal with it: waking hours, days off, pauses, coming back.

use actix_web::{HttpResponse, web};
use chrono::{DateTime, NaiveDate, Utc};
use serde::Deserialize;
use uuid::Uuid;

use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::extract::signed_in::SignedIn;
use crate::http::pages::account::me;
use crate::http::pages::table::page::visible;
use crate::http::problem::Problem;
use crate::http::render::{Moment, see};
use crate::local_time::{TimeOfDay, WakingHours, Zone};
use crate::players::AccountError;
use crate::tables::clock::pace::MISSES;
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{Holder, MoveError, PlayerId, name_of};
use wonderpost_rules::{Seat, SeatSet};

/// What a player at a running table may have to decide about time.
pub struct TimeBox {
    pub i_am_kept: bool,
    /// The names of those who have missed too many moves; empty if there are none.
    pub missing: String,
    pub misses: u8,
    pub others_present: bool,
    pub i_agreed: bool,
    /// Nights are left out here, but the player has not said when they sleep.
    pub no_hours: bool,
    /// Where there are clocks there can be a pause.
    pub pause: Option<PauseBox>,
}

pub struct PauseBox {
    pub paused: bool,
    pub until: Option<Moment>,
    /// The names of those who would like one.
    pub wanted_by: String,
    pub i_want: bool,
}

fn names(seats: SeatSet, holders: &[Holder]) -> String {
    seats.iter().map(|seat| name_of(holders, seat)).collect::<Vec<_>>().join(", ")
}

impl TimeBox {
    pub fn new(now: &TableState, holders: &[Holder], mine: Seat) -> Option<TimeBox> {
        if now.status() != Status::Playing || now.opened.seats == 1 || now.resigned.contains(mine) {
            return None;
        }
        let (times, missing) = (&now.times, now.missing());
        let missing = if missing.contains(mine) { SeatSet::EMPTY } else { missing };
        Some(TimeBox {
            i_am_kept: times.kept.contains(mine),
            missing: names(missing, holders),
            misses: MISSES,
            others_present: now.present().len() > 1,
            i_agreed: now.agreed.contains(mine),
            no_hours: now.opened.pace.nights_off && times.hours_of(mine).is_none(),
            pause: (!now.opened.pace.is_free()).then(|| PauseBox {
                paused: times.paused,
                until: times.pause_until.map(Moment::from),
                wanted_by: names(times.pausing, holders),
                i_want: times.pausing.contains(mine),
            }),
        })
    }
}

/// A player's own time, for their page.
pub struct MyTime {
    pub hours: Option<WakingHours>,
    /// “Berlin time”.
    pub zone: String,
    /// All zones by parts of the world.
    pub zones: Vec<ZoneArea>,
    /// Whether the player has never said where they live: the browser then proposes.
    pub zone_is_unknown: bool,
    pub days_off: Vec<DaysLine>,
    pub days_a_year: u32,
    /// How many of them are left this year.
    pub days_left: u32,
    pub fewest_hours: u16,
    /// Days that could not be taken, as they were typed, and why.
    pub typed_days: DaysForm,
    pub days_error: Option<String>,
}

/// The zones of a part of the world.
pub struct ZoneArea {
    pub name: &'static str,
    pub cities: Vec<ZoneChoice>,
}

pub struct ZoneChoice {
    pub zone: &'static str,
    pub city: String,
    pub chosen: bool,
}

/// All zones, one of them chosen, also if it has an older name.
fn zone_areas(mine: Zone) -> Vec<ZoneArea> {
    let mine = mine.in_list();
    let mut areas: Vec<ZoneArea> = Vec::new();
    let own = Zone::all().all(|zone| zone != mine.name()).then_some(mine.name());
    for zone in Zone::all().chain(own) {
        let (name, city) = Zone::area_and_city(zone);
        let choice = ZoneChoice { zone, city, chosen: zone == mine.name() };
        match areas.iter_mut().find(|area| area.name == name) {
            Some(area) => area.cities.push(choice),
            None => areas.push(ZoneArea { name, cities: vec![choice] }),
        }
    }
    areas
}

pub struct DaysLine {
    pub id: Uuid,
    pub first: String,
    pub last: String,
    pub begun: bool,
}

impl AppState {
    pub(crate) async fn time_of(&self, player: PlayerId) -> Result<MyTime, Problem> {
        let now = self.tables.now();
        let days = self.players.days_off(player).await?;
        let hours = self.players.waking_hours(player).await?;
        let mine = self.players.zone(player).await?;
        let words = |day: NaiveDate| day.format("%-d %B %Y").to_string();
        Ok(MyTime {
            hours,
            zone: mine.words(),
            zones: zone_areas(mine),
            zone_is_unknown: self.players.known_zone(player).await?.is_none(),
            typed_days: DaysForm::default(),
            days_error: None,
            days_off: days
                .into_iter()
                .map(|days| DaysLine {
                    id: days.id,
                    first: words(days.first),
                    last: words(days.last),
                    begun: days.from <= now,
                })
                .collect(),
            days_a_year: self.players.days_off_a_year,
            days_left: self.players.days_off_left(player).await?,
            fewest_hours: WakingHours::FEWEST,
        })
    }
}

fn refused(error: impl ToString) -> Problem {
    Problem::Refused(error.to_string())
}

#[derive(Deserialize)]
pub struct HoursForm {
    /// As programs may say it along; the page has a form for it.
    zone: Option<String>,
    from: String,
    until: String,
    /// Which button it was: to declare hours, or to have none.
    none: Option<String>,
}

/// `POST /me/hours`
pub async fn declare_hours(
    app: web::Data<AppState>,
    form: web::Form<HoursForm>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let player = user.player();
    let hours = if form.none.is_some() {
        None
    } else {
        let zone: Zone = match form.zone.as_deref() {
            Some(zone) => zone.parse().map_err(refused)?,
            None => app.players.zone(player).await?,
        };
        let time = |text: &str| text.parse::<TimeOfDay>().map_err(refused);
        Some(WakingHours { zone, from: time(&form.from)?, until: time(&form.until)? })
    };
    app.players.declare_hours(player, hours).await?;
    Ok(see("/me?done=hours#my-time"))
}

#[derive(Clone, Default, Deserialize)]
pub struct DaysForm {
    pub first: String,
    pub last: String,
}

/// `POST /me/days-off`
pub async fn announce_days_off(
    app: web::Data<AppState>,
    form: web::Form<DaysForm>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let days = form.first.parse::<NaiveDate>().and_then(|first| Ok((first, form.last.parse::<NaiveDate>()?)));
    let taken = match days {
        Ok((first, last)) => app.players.announce_days_off(user.player(), first, last).await,
        Err(_) => Err(AccountError::Refused("Choose the first and the last day.".to_owned())),
    };
    match taken {
        Ok(()) => Ok(see("/me?done=days-off#my-days-off")),
        Err(AccountError::Refused(sentence)) => me::days_refused(&app, &user, form.into_inner(), sentence).await,
        Err(AccountError::Move(MoveError::Refused { refusal, .. })) => {
            me::days_refused(&app, &user, form.into_inner(), refusal.to_string()).await
        }
        Err(error) => Err(error.into()),
    }
}

/// `POST /me/days-off/{id}/end`
pub async fn end_days_off(
    app: web::Data<AppState>,
    id: web::Path<Uuid>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    app.players.end_days_off(user.player(), *id).await?;
    Ok(see("/me?done=back#my-days-off"))
}

#[derive(Deserialize)]
pub struct PauseForm {
    #[serde(default)]
    pause: bool,
    /// A day that the player chose, where they live.
    #[serde(default)]
    until: String,
    /// The moment that somebody else proposed.
    moment: Option<DateTime<Utc>>,
}

/// `POST /t/{id}/pause`: to pause the game, or rather not.
pub async fn pause(
    app: web::Data<AppState>,
    id: web::Path<String>,
    form: web::Form<PauseForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let kept = visible(&app, &id, user.player()).await?;
    let caller = user.seated_credentials()?;
    let until = match (form.moment, form.until.as_str()) {
        (Some(moment), _) => Some(moment),
        (None, "") => None,
        (None, day) => {
            let day: NaiveDate = day.parse().map_err(|_| refused("That is no day."))?;
            let zone = app.players.zone(caller.player).await?;
            Some(zone.on(day, TimeOfDay::MIDNIGHT))
        }
    };
    app.tables.agree_to_pause(caller, kept.id, form.pause, until).await?;
    Ok(see(format!("/t/{}", kept.id)))
}

/// `POST /t/{id}/resume`
pub async fn resume(
    app: web::Data<AppState>,
    id: web::Path<String>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let kept = visible(&app, &id, user.player()).await?;
    app.tables.resume(user.seated_credentials()?, kept.id).await?;
    Ok(see(format!("/t/{}", kept.id)))
}

/// `POST /t/{id}/return`
pub async fn come_back(
    app: web::Data<AppState>,
    id: web::Path<String>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let kept = visible(&app, &id, user.player()).await?;
    app.tables.come_back(user.seated_credentials()?, kept.id).await?;
    Ok(see(format!("/t/{}", kept.id)))
}

/// `POST /t/{id}/go-on`
pub async fn go_on(
    app: web::Data<AppState>,
    id: web::Path<String>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let kept = visible(&app, &id, user.player()).await?;
    app.tables.go_on(user.seated_credentials()?, kept.id).await?;
    Ok(see(format!("/t/{}", kept.id)))
}
