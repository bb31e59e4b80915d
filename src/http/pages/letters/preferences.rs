//! When letters come: the wishes of a player, and what they want otherwise at one table.

use std::borrow::Cow;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::extract::signed_in::SignedIn;
use crate::http::pages::frame::Frame;
use crate::http::pages::letters::devices::Devices;
use crate::http::pages::letters::other_ways::{OtherWays, WebhookLine, webhooks};
use crate::http::pages::table::page::{title, visible};
use crate::http::problem::Problem;
use crate::http::render::{html, see};
use crate::local_time::{NoZone, QuietHours, TimeOfDay, Weekdays, Zone};
use crate::mail::Kind;
use crate::mail::preferences::{Before, DigestHour, MOST_REMINDERS, MailPreferences, TableMailPreferences, When};
use crate::players::{AccountError, FeedPaths};
use crate::tables::CachedTable;

/// Something that is chosen or not.
struct Choice {
    name: String,
    words: Cow<'static, str>,
    is_chosen: bool,
}

impl Choice {
    fn new(name: &str, words: impl Into<Cow<'static, str>>, is_chosen: bool) -> Choice {
        Choice { name: name.to_owned(), words: words.into(), is_chosen }
    }

    /// A box that stands by itself.
    fn yes(words: &'static str, is_chosen: bool) -> Choice {
        Choice::new("yes", words, is_chosen)
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
    whens: Vec<Choice>,
    days: Vec<Choice>,
    reminders: Vec<Choice>,
    most_reminders: usize,
    kinds: Vec<Choice>,
    though_i_looked: Choice,
    apart: Choice,
    one_subject: Choice,
    quiet: Choice,
    quiet_from: TimeOfDay,
    quiet_until: TimeOfDay,
    remind_in_quiet_hours: Choice,
    notices: Vec<Choice>,
    told_by_webhooks: Vec<Choice>,
    devices: Devices,
    ways: OtherWays,
}

/// What is said on a page besides.
#[derive(Default)]
pub(super) struct Remarks {
    pub notice: Option<&'static str>,
    pub error: Option<String>,
    /// Addresses of feeds, and the secret of a webhook, that are shown this once.
    pub new_feeds: Option<FeedPaths>,
    pub new_secret: Option<String>,
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
    whens: Vec<Choice>,
    other_reminders: Choice,
    reminders: Vec<Choice>,
    most_reminders: usize,
    other_kinds: Choice,
    kinds: Vec<Choice>,
    webhook: Option<WebhookLine>,
    /// Where the form of the webhook goes.
    webhook_action: String,
    new_secret: Option<String>,
}

/// The reminders that there are, some of them chosen.
fn reminder_choices(chosen: &[Before]) -> Vec<Choice> {
    Before::ALL.map(|before| Choice::new(before.name(), before.words(), chosen.contains(&before))).into()
}

/// These kinds of letters, those chosen that are wanted.
fn kind_choices(kinds: impl Iterator<Item = Kind>, wishes: &MailPreferences) -> Vec<Choice> {
    kinds.map(|kind| Choice::new(kind.name(), kind.words(), wishes.wants(kind))).collect()
}

/// What can be told otherwise than by letters, some of it chosen.
fn choices_about_games(wants: impl Fn(Kind) -> bool) -> Vec<Choice> {
    kinds_about_games().map(|kind| Choice::new(kind.name(), kind.words(), wants(kind))).collect()
}

/// The page as it is, with what was wrong about a form.
pub(super) async fn page_with_error(app: &AppState, user: &SignedIn, error: String) -> Result<HttpResponse, Problem> {
    page_with(app, user, Remarks { error: Some(error), ..Remarks::default() }).await
}

/// The page as it is, with something said besides.
pub(super) async fn page_with(app: &AppState, user: &SignedIn, remarks: Remarks) -> Result<HttpResponse, Problem> {
    let wishes = app.players.mail_preferences(user.player()).await?;
    let Remarks { notice, error, new_feeds, new_secret } = remarks;
    let ways = OtherWays { new_feeds, new_secret, ..OtherWays::of(app, user).await? };
    let quiet = wishes.quiet.unwrap_or(QuietHours { from: TimeOfDay::new(22, 0), until: TimeOfDay::new(7, 0) });
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = LettersPage {
        frame: user.frame(),
        notice,
        error,
        is_guest: !user.has_address(),
        sentences: wishes.sentences(),
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
        though_i_looked: Choice::yes("Write to me even if I have already seen it at the table", wishes.though_i_looked),
        apart: Choice::yes("Each letter by itself, instead of one conversation for each table", wishes.apart),
        one_subject: Choice::yes(
            "One subject for all letters about a table, for programs like Gmail that make conversations of subjects",
            wishes.one_subject,
        ),
        quiet: Choice::yes("Send me nothing in my quiet hours", wishes.quiet.is_some()),
        quiet_from: quiet.from,
        quiet_until: quiet.until,
        remind_in_quiet_hours: Choice::yes("Reminders may come even then", wishes.remind_in_quiet_hours),
        notices: choices_about_games(|kind| wishes.wants_notice(kind)),
        told_by_webhooks: choices_about_games(|kind| wishes.wants_by_webhook(kind)),
        devices: Devices::of(app, user).await?,
        ways,
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
    let notice = query.done.as_deref().map(|done| match done {
        "notices-on" => "Notices are on for this device.",
        "notices-off" => "Notices are off there.",
        "feeds-off" => "Your feeds are off. Their addresses lead nowhere any more.",
        "webhook-off" => "The webhook is removed. Nothing is sent there any more.",
        "webhook-tried" => "It is tried again.",
        _ => "Saved.",
    });
    page_with(&app, &user, Remarks { notice, ..Remarks::default() }).await
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
fn read(fields: &Fields, lives_in: Zone) -> Result<MailPreferences, String> {
    let first = |name: &str| first(fields, name);
    let days = fields.iter().filter(|(field, _)| field == "day").filter_map(|(_, day)| day.parse().ok());
    let time = |name: &str| first(name).unwrap_or_default().parse::<TimeOfDay>().map_err(|error| error.to_string());
    let when = When::ALL.into_iter().find(|when| first("when") == Some(when.name())).unwrap_or_default();
    let zone = match first("zone") {
        Some(zone) => zone.parse().map_err(|error: NoZone| error.to_string())?,
        None => lives_in,
    };
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
        one_subject: first("one_subject").is_some(),
        off: kinds_without(fields, Kind::CHOICES.into_iter()),
        notices: kinds_about_games().filter(|kind| is_ticked(fields, "notice", kind.name())).collect(),
        webhooks: kinds_about_games().filter(|kind| is_ticked(fields, "webhook", kind.name())).collect(),
    };
    wishes.check().map(|()| wishes)
}

/// `POST /me/letters`
pub async fn keep(app: web::Data<AppState>, form: web::Form<Fields>, user: SignedIn) -> Result<HttpResponse, Problem> {
    let player = user.player();
    let wishes = match read(&form, app.players.zone(player).await?) {
        Ok(wishes) => wishes,
        Err(error) => return page_with_error(&app, &user, error).await,
    };
    app.players.keep_mail_preferences(player, &wishes).await?;
    Ok(see("/me/letters?done=yes"))
}

/// The kinds of letters about a table that one can do without.
fn kinds_about_games() -> impl Iterator<Item = Kind> {
    Kind::CHOICES.into_iter().filter(|kind| kind.is_about_a_game())
}

/// The page of a table as it is, with something said besides.
pub(super) async fn page_of_table(
    app: &AppState,
    cached: &CachedTable,
    user: &RequestUser,
    remarks: Remarks,
) -> Result<HttpResponse, Problem> {
    let Remarks { notice, error, new_feeds: _, new_secret } = remarks;
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
        whens: whens_of_table(&usual, &wishes),
        other_reminders: Choice::yes("Remind me at other times than usual", wishes.reminders.is_some()),
        reminders: reminder_choices(&here.reminders),
        most_reminders: MOST_REMINDERS,
        other_kinds: Choice::yes("I want other letters than usual", wishes.without.is_some()),
        // What would come if the table were not silent.
        kinds: kind_choices(kinds_about_games(), &usual.at(&TableMailPreferences { off: false, ..wishes.clone() })),
        webhook_action: format!("/t/{}/webhook", cached.id),
        webhook: webhooks(app, player, Some(cached.id)).await?.into_iter().next(),
        new_secret,
    };
    Ok(html(status, &page)?)
}

/// When letters about a table come: as usual, otherwise, or not at all.
fn whens_of_table(usual: &MailPreferences, wishes: &TableMailPreferences) -> Vec<Choice> {
    let as_usual = format!("As usual ({})", usual.when.words());
    let mut choices = vec![Choice::new("usual", as_usual, wishes.when.is_none() && !wishes.off)];
    let otherwise = |when: When| Choice::new(when.name(), when.words(), wishes.when == Some(when) && !wishes.off);
    choices.extend(When::ALL.map(otherwise));
    choices.push(Choice::new("never", "Not at all", wishes.off));
    choices
}

/// `GET /t/{id}/letters`
pub async fn show_of_table(
    app: web::Data<AppState>,
    id: web::Path<String>,
    query: web::Query<Done>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    let notice = query.done.as_ref().map(|_| "Saved.");
    page_of_table(&app, &cached, &user, Remarks { notice, ..Remarks::default() }).await
}

/// Reads the form of a table.
fn read_of_table(fields: &Fields) -> TableMailPreferences {
    let when = first(fields, "when").unwrap_or_default();
    TableMailPreferences {
        when: When::ALL.into_iter().find(|choice| choice.name() == when),
        off: when == "never",
        later: None,
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
        Err(AccountError::Refused(why)) => {
            page_of_table(&app, &cached, &user, Remarks { error: Some(why), ..Remarks::default() }).await
        }
        Err(error) => Err(error.into()),
        Ok(()) => Ok(see(format!("/t/{}/letters?done=yes", cached.id))),
    }
}
