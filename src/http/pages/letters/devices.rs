//! Notices on devices: turned on and off with one click.

use actix_web::http::header::USER_AGENT;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use uuid::Uuid;

use crate::db::devices::DeviceRow;
use crate::http::AppState;
use crate::http::extract::signed_in::SignedIn;
use crate::http::pages::letters::preferences;
use crate::http::problem::Problem;
use crate::http::render::{Moment, see};
use crate::players::{AccountError, Subscription};

/// What the page shows of a player's devices.
pub(super) struct Devices {
    /// The key that the browser asks its push service with; `None` if there is trouble with it.
    pub key: Option<String>,
    /// This browser, if notices are on here.
    pub here: Option<DeviceLine>,
    pub elsewhere: Vec<DeviceLine>,
}

pub(super) struct DeviceLine {
    pub id: Uuid,
    pub title: String,
    pub since: Moment,
    pub sent: Option<Moment>,
}

impl From<DeviceRow> for DeviceLine {
    fn from(row: DeviceRow) -> DeviceLine {
        let DeviceRow { id, title, created_at, sent_at, session: _ } = row;
        DeviceLine { id, title, since: created_at.into(), sent: sent_at.map(Moment::from) }
    }
}

impl Devices {
    pub async fn of(app: &AppState, user: &SignedIn) -> Result<Devices, Problem> {
        let key = match app.players.push_key().await {
            Ok(key) => Some(key.to_owned()),
            Err(error) => {
                tracing::warn!(%error, "notices cannot be turned on");
                None
            }
        };
        let devices = app.players.devices(user.player()).await?;
        let is_here = |row: &DeviceRow| row.session == user.credentials().token_digest;
        let (here, elsewhere): (Vec<_>, Vec<_>) = devices.into_iter().partition(is_here);
        Ok(Devices {
            key,
            here: here.into_iter().next().map(DeviceLine::from),
            elsewhere: elsewhere.into_iter().map(DeviceLine::from).collect(),
        })
    }
}

/// As the browser tells it.
#[derive(Deserialize)]
pub struct SubscriptionForm {
    endpoint: String,
    p256dh: String,
    auth: String,
}

/// `POST /me/letters/devices`
pub async fn add(
    app: web::Data<AppState>,
    form: web::Form<SubscriptionForm>,
    request: HttpRequest,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let user_agent = request.headers().get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let told = Subscription { endpoint: &form.endpoint, public_key: &form.p256dh, secret: &form.auth, user_agent };
    match app.players.add_device(user.credentials(), &told).await {
        Ok(()) => Ok(see("/me/letters?done=notices-on#devices")),
        Err(AccountError::Refused(why)) => preferences::page_with_error(&app, &user, why).await,
        Err(error) => Err(error.into()),
    }
}

/// `POST /me/letters/devices/{device}/remove`
pub async fn remove(app: web::Data<AppState>, id: web::Path<Uuid>, user: SignedIn) -> Result<HttpResponse, Problem> {
    app.players.remove_device(user.player(), *id).await?;
    Ok(see("/me/letters?done=notices-off#devices"))
}
