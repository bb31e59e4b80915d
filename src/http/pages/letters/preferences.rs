//! When letters come: the wishes of a player, and what they want otherwise at one table.

use std::str::FromStr;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::extract::signed_in::SignedIn;
use crate::http::pages::frame::Frame;
use crate::http::pages::table::page::{title, visible};
use crate::http::problem::Problem;
use crate::http::render::{html, see};
use crate::local_time::{QuietHours, TimeOfDay, Weekdays, Zone};
use crate::mail::Kind;
use crate::mail::preferences::{Before, DigestHour, MOST_REMINDERS, MailPreferences, TableMailPreferences, When};
use crate::players::AccountError;
use crate::tables::CachedTable;

/// Something that is chosen or not.
struct Choice {
    name: String,
    words: &'static str,
    is_chosen: bool,
}

impl Choice {
    fn new(name: &str, words: &'static str, is_chosen: bool) -> Choice {
        Choice { name: name.to_owned(), words, is_chosen }
    }
}

#[derive(Template)]
#[template(path = "pages/letters.html")]
struct LettersPage {
    frame: Frame,
    notice: Option<&'static str>,
    error: Option<String>,
    is_guest: bool,
    sentences: Vec<String>,
    wishes: MailPreferences,
    zones: Vec<&'static str>,
    whens: Vec<Choice>,
    days: Vec<Choice>,
    reminders: Vec<Choice>,
    most_reminders: usize,
    kinds: Vec<Choice>,
    quiet_from: TimeOfDay,
    quiet_until: TimeOfDay,
}

#[derive(Template)]
#[template(path = "pages/table_letters.html")]
struct TableLettersPage {
    frame: Frame,
    notice: Option<&'static str>,
    url: String,
    title: String,
    error: Option<String>,
    sentences: Vec<String>,
    wishes: TableMailPreferences,
    whens: Vec<Choice>,
    usual: &'static str,
    reminders: Vec<Choice>,
    most_reminders: usize,
    kinds: Vec<Choice>,
}

/// The reminders that there are, some of them chosen.
fn reminder_choices(chosen: &[Before]) -> Vec<Choice> {
    Before::ALL.map(|before| Choice::new(before.name(), before.words(), chosen.contains(&before))).into()
}

/// These kinds of letters, those chosen that are wanted.
fn kind_choices(kinds: impl Iterator<Item = Kind>, wishes: &MailPreferences) -> Vec<Choice> {
    kinds.map(|kind| Choice::new(kind.name(), kind.words(), wishes.wants(kind))).collect()
}

fn page(
    user: &RequestUser,
    wishes: MailPreferences,
    notice: Option<&'static str>,
    error: Option<String>,
) -> Result<HttpResponse, Problem> {
    let quiet = wishes.quiet.unwrap_or(QuietHours { from: TimeOfDay::new(22, 0), until: TimeOfDay::new(7, 0) });
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = LettersPage {
        frame: user.frame(),
        notice,
        error,
        is_guest: !user.has_address(),
        sentences: wishes.sentences(),
        zones: Zone::all().collect(),
        whens: When::ALL.map(|when| Choice::new(when.name(), when.words(), wishes.when == when)).into(),
        days: wishes
            .digest
            .days
            .list()
            .map(|(number, name, chosen)| Choice::new(&number.to_string(), name, chosen))
            .collect(),
        reminders: reminder_choices(&wishes.reminders),
        most_reminders: MOST_REMINDERS,
        kinds: kind_choices(Kind::CHOICES.into_iter(), &wishes),
        quiet_from: quiet.from,
        quiet_until: quiet.until,
        wishes,
    };
    Ok(html(status, &page)?)
}

#[derive(Deserialize)]
pub struct Done {
    done: Option<String>,
}

/// `GET /me/letters`
pub async fn show(app: web::Data<AppState>, query: web::Query<Done>, user: SignedIn) -> Result<HttpResponse, Problem> {
    let player = user.player();
    let notice = query.done.as_ref().map(|_| "So it shall be.");
    page(&user, app.players.mail_preferences(player).await?, notice, None)
}

/// The form as it comes: names and values, since boxes of one name come several times.
type Fields = Vec<(String, String)>;

/// The first value of a name.
fn first<'a>(fields: &'a Fields, name: &str) -> Option<&'a str> {
    fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
}

/// Whether a box of this name and value is ticked.
fn is_ticked(fields: &Fields, name: &str, value: &str) -> bool {
    fields.iter().any(|(field, ticked)| field == name && ticked == value)
}

fn reminders(fields: &Fields) -> Vec<Before> {
    Before::ALL.into_iter().filter(|before| is_ticked(fields, "remind", before.name())).collect()
}

/// Those of these kinds that are not ticked.
fn kinds_without(fields: &Fields, kinds: impl Iterator<Item = Kind>) -> Vec<Kind> {
    kinds.filter(|kind| !is_ticked(fields, "kind", kind.name())).collect()
}

/// Reads the form; what is wrong with it is said in a sentence.
fn read(fields: &Fields) -> Result<MailPreferences, String> {
    let first = |name: &str| first(fields, name);
    let days = fields.iter().filter(|(field, _)| field == "day").filter_map(|(_, day)| day.parse().ok());
    let time = |name: &str| first(name).unwrap_or_default().parse::<TimeOfDay>().map_err(|error| error.to_string());
    let when = When::ALL.into_iter().find(|when| first("when") == Some(when.name())).unwrap_or_default();
    let zone = Zone::from_str(first("zone").unwrap_or_default()).map_err(|error| error.to_string())?;
    let digest = DigestHour { at: time("digest_at")?, days: Weekdays::from_numbers(days) };
    let quiet = match first("quiet") {
        Some(_) => Some(QuietHours { from: time("quiet_from")?, until: time("quiet_until")? }),
        None => None,
    };
    let wishes = MailPreferences {
        zone,
        when,
        digest,
        quiet,
        reminders: reminders(fields),
        remind_in_quiet_hours: first("remind_in_quiet_hours").is_some(),
        though_i_looked: first("though_i_looked").is_some(),
        apart: first("apart").is_some(),
        off: kinds_without(fields, Kind::CHOICES.into_iter()),
    };
    wishes.check().map(|()| wishes)
}

/// `POST /me/letters`
pub async fn keep(app: web::Data<AppState>, form: web::Form<Fields>, user: SignedIn) -> Result<HttpResponse, Problem> {
    let player = user.player();
    let wishes = match read(&form) {
        Ok(wishes) => wishes,
        Err(error) => return page(&user, app.players.mail_preferences(player).await?, None, Some(error)),
    };
    app.players.keep_mail_preferences(player, &wishes).await?;
    Ok(see("/me/letters?done=yes"))
}

/// The kinds of letters about a table that one can do without.
fn kinds_about_games() -> impl Iterator<Item = Kind> {
    Kind::CHOICES.into_iter().filter(|kind| kind.is_about_a_game())
}

async fn page_of_table(
    app: &AppState,
    cached: &CachedTable,
    user: &RequestUser,
    notice: Option<&'static str>,
    error: Option<String>,
) -> Result<HttpResponse, Problem> {
    let player = user.player().ok_or(Problem::NotSeated)?;
    let wishes = app.players.mail_preferences_at(player, cached).await?;
    let usual = app.players.mail_preferences(player).await?;
    let here = usual.at(&wishes);
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = TableLettersPage {
        frame: user.frame(),
        notice,
        error,
        url: format!("/t/{}", cached.id),
        title: title(&cached.now),
        sentences: match wishes.off {
            true => vec!["No letters about this table come.".to_owned()],
            false => here.sentences(),
        },
        whens: When::ALL.map(|when| Choice::new(when.name(), when.words(), wishes.when == Some(when))).into(),
        usual: usual.when.words(),
        reminders: reminder_choices(&here.reminders),
        most_reminders: MOST_REMINDERS,
        // What would come if the table were not silent.
        kinds: kind_choices(kinds_about_games(), &usual.at(&TableMailPreferences { off: false, ..wishes.clone() })),
        wishes,
    };
    Ok(html(status, &page)?)
}

/// `GET /t/{id}/letters`
pub async fn show_of_table(
    app: web::Data<AppState>,
    id: web::Path<String>,
    query: web::Query<Done>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    page_of_table(&app, &cached, &user, query.done.as_ref().map(|_| "So it shall be."), None).await
}

/// Reads the form of a table.
fn read_of_table(fields: &Fields) -> TableMailPreferences {
    let when = first(fields, "when").unwrap_or_default();
    TableMailPreferences {
        when: When::ALL.into_iter().find(|choice| choice.name() == when),
        off: when == "never",
        reminders: first(fields, "other_reminders").map(|_| reminders(fields)),
        without: first(fields, "other_kinds").map(|_| kinds_without(fields, kinds_about_games())),
    }
}

/// `POST /t/{id}/letters`
pub async fn keep_of_table(
    app: web::Data<AppState>,
    id: web::Path<String>,
    form: web::Form<Fields>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    let player = user.player().ok_or(Problem::NotSeated)?;
    match app.players.keep_mail_preferences_at(player, &cached, &read_of_table(&form)).await {
        Err(AccountError::Refused(why)) => page_of_table(&app, &cached, &user, None, Some(why)).await,
        Err(error) => Err(error.into()),
        Ok(()) => Ok(see(format!("/t/{}/letters?done=yes", cached.id))),
    }
}
