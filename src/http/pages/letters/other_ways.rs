//! Other ways of being told what letters tell: feeds of one's own, and webhooks.

use actix_web::{HttpResponse, web};
use serde::Deserialize;
use uuid::Uuid;

use crate::db::webhooks::WebhookRow;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::extract::signed_in::SignedIn;
use crate::http::pages::home::game_title;
use crate::http::pages::letters::preferences::{self, Remarks};
use crate::http::pages::table::page::visible;
use crate::http::problem::Problem;
use crate::http::render::{Moment, see};
use crate::players::{AccountError, FeedPaths};
use crate::push::endpoint::{Endpoint, Reach};
use crate::push::webhook::WebhookForm;
use crate::tables::{PlayerId, TableId};

/// What the page shows of a player's feeds and webhooks.
pub(super) struct OtherWays {
    /// Since when the feeds have their address.
    pub feeds_since: Option<Moment>,
    /// The addresses that were just made: shown this once.
    pub new_feeds: Option<FeedPaths>,
    pub webhooks: Vec<WebhookLine>,
    /// The secret of a webhook that was just added: shown this once.
    pub new_secret: Option<String>,
}

pub(super) struct WebhookLine {
    pub id: Uuid,
    /// What it tells of: a game and its table, or all tables.
    pub table: Option<(String, String)>,
    pub form: WebhookForm,
    /// Where it leads, without what makes it secret.
    pub origin: String,
    pub since: Moment,
    pub sent: Option<Moment>,
    pub trouble: Option<String>,
    pub is_off: bool,
    /// How many messages were given up.
    pub dead: i64,
}

impl WebhookLine {
    fn new(app: &AppState, row: WebhookRow) -> WebhookLine {
        let table = row
            .table_id
            .map(|table| (game_title(app, row.game.as_deref().unwrap_or_default()), format!("/t/{table}/letters")));
        WebhookLine {
            id: row.id,
            table,
            form: row.form,
            origin: Endpoint::parse(&row.url, Reach::Anywhere).map_or_else(String::new, |endpoint| endpoint.origin()),
            since: row.created_at.into(),
            sent: row.sent_at.map(Moment::from),
            trouble: row.trouble,
            is_off: row.off_since.is_some(),
            dead: row.dead,
        }
    }
}

/// The webhooks of a player: all, or the one of a table.
pub(super) async fn webhooks(
    app: &AppState,
    player: PlayerId,
    table: Option<TableId>,
) -> Result<Vec<WebhookLine>, Problem> {
    let rows = app.players.webhooks(player).await?;
    let rows = rows.into_iter().filter(|row| table.is_none() || row.table_id == table);
    Ok(rows.map(|row| WebhookLine::new(app, row)).collect())
}

impl OtherWays {
    pub async fn of(app: &AppState, user: &SignedIn) -> Result<OtherWays, Problem> {
        Ok(OtherWays {
            feeds_since: app.players.feeds_since(user.player()).await?.map(Moment::from),
            new_feeds: None,
            webhooks: webhooks(app, user.player(), None).await?,
            new_secret: None,
        })
    }
}

/// `POST /me/letters/feeds`: the addresses are shown on the page that answers, and never again.
pub async fn renew_feeds(app: web::Data<AppState>, user: SignedIn) -> Result<HttpResponse, Problem> {
    let paths = app.players.renew_feeds(user.player()).await?;
    let paths = FeedPaths { tables: app.link(&paths.tables), deadlines: app.link(&paths.deadlines) };
    preferences::page_with(&app, &user, Remarks { new_feeds: Some(paths), ..Remarks::default() }).await
}

/// `POST /me/letters/feeds/remove`
pub async fn end_feeds(app: web::Data<AppState>, user: SignedIn) -> Result<HttpResponse, Problem> {
    app.players.end_feeds(user.player()).await?;
    Ok(see("/me/letters?done=feeds-off#feeds"))
}

#[derive(Deserialize)]
pub struct WebhookFields {
    form: String,
    url: String,
}

impl WebhookFields {
    fn form(&self) -> Result<WebhookForm, AccountError> {
        self.form.parse().map_err(|error: crate::push::webhook::NoForm| AccountError::Refused(error.to_string()))
    }
}

/// `POST /me/letters/webhooks`: for all tables. The secret is shown on the page that answers, and never again.
pub async fn add_webhook(
    app: web::Data<AppState>,
    fields: web::Form<WebhookFields>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let added = match fields.form() {
        Ok(form) => app.players.add_webhook(user.player(), None, form, &fields.url).await,
        Err(error) => Err(error),
    };
    let remarks = match added {
        Ok(secret) => Remarks { new_secret: Some(secret), ..Remarks::default() },
        Err(AccountError::Refused(why)) => Remarks { error: Some(why), ..Remarks::default() },
        Err(error) => return Err(error.into()),
    };
    preferences::page_with(&app, &user, remarks).await
}

/// `POST /t/{id}/webhook`: for this table alone.
pub async fn add_webhook_of_table(
    app: web::Data<AppState>,
    id: web::Path<String>,
    fields: web::Form<WebhookFields>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    let player = user.player().ok_or(Problem::NotSeated)?;
    let added = match fields.form() {
        Ok(form) => app.players.add_webhook(player, Some(&cached), form, &fields.url).await,
        Err(error) => Err(error),
    };
    let remarks = match added {
        Ok(secret) => Remarks { new_secret: Some(secret), ..Remarks::default() },
        Err(AccountError::Refused(why)) => Remarks { error: Some(why), ..Remarks::default() },
        Err(error) => return Err(error.into()),
    };
    preferences::page_of_table(&app, &cached, &user, remarks).await
}

/// `POST /me/letters/webhooks/{webhook}/remove`
pub async fn remove_webhook(
    app: web::Data<AppState>,
    id: web::Path<Uuid>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    app.players.remove_webhook(user.player(), *id).await?;
    Ok(see("/me/letters?done=webhook-off#webhooks"))
}

/// `POST /me/letters/webhooks/{webhook}/try-again`
pub async fn try_webhook_again(
    app: web::Data<AppState>,
    id: web::Path<Uuid>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    app.players.try_webhook_again(user.player(), *id).await?;
    Ok(see("/me/letters?done=webhook-tried#webhooks"))
}
